package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachLineIsJudged(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(strings.NewReader(" https://Example.com/ \r\n0x00000000219ab540356cBB839Cbe05303d7705Fa\nno asset\n\n\xff\n@last"), &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 6)
	for i, want := range []string{
		`{"content":" https://Example.com/ ","type":"URL","canonical":"https://example.com"}`,
		`{"content":"0x00000000219ab540356cBB839Cbe05303d7705Fa","type":"ADDRESS","canonical":"0x00000000219ab540356cbb839cbe05303d7705fa","network":"evm"}`,
		`{"content":"no asset","error":"content refused: it has white space, a control character or an invisible direction mark inside"}`,
		`{"content":"","error":"content refused: it is empty"}`,
		"{\"content\":\"\ufffd\",\"error\":\"content refused: it is not valid UTF-8\"}",
		`{"content":"@last","type":"TWITTER","canonical":"x.com/last"}`,
	} {
		require.Equal(t, want, lines[i])
	}
}

func Example() {
	if err := run(strings.NewReader("example.com\nada@example.com\n"), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// {"content":"example.com","type":"PAGE","canonical":"example.com"}
	// {"content":"ada@example.com","type":"EMAIL","canonical":"ada@example.com"}
}
