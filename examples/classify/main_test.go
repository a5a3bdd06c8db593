package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(strings.NewReader(" https://Example.com/ \r\n0x00000000219ab540356cBB839Cbe05303d7705Fa\nno asset\n\n\xff\n@last"), &out, classifyContent))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 6)
	for i, want := range []string{
		`{"content":" https://Example.com/ ","type":"URL","canonical":"https://example.com"}`,
		`{"content":"0x00000000219ab540356cBB839Cbe05303d7705Fa","type":"ADDRESS","canonical":"0x00000000219ab540356cbb839cbe05303d7705fa","network":"evm"}`,
		`{"content":"no asset","error":"inner white space, control character or invisible direction mark"}`,
		`{"content":"","error":"empty content"}`,
		"{\"content\":\"\ufffd\",\"error\":\"invalid UTF-8\"}",
		`{"content":"@last","type":"TWITTER","canonical":"x.com/last"}`,
	} {
		require.Equal(t, want, lines[i])
	}
}

func TestRun_explain(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(strings.NewReader(" HTTPS://Example.com/ \r\n0x12\na\u202eb\n"), &out, explainContent))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 3)
	for i, want := range []string{
		`{"content":" HTTPS://Example.com/ ","result":{"type":"URL","canonical":"https://example.com"},"rule":"WEB_LINK",` +
			`"rewrites":["WHITE_SPACE_DROPPED","LETTER_CASE","SLASHES"],"tried":[{"rule":"WEB_LINK"}],` +
			`"covers":[{"type":"URL","canonical":"https://example.com","kind":"EXACT","step":0},` +
			`{"type":"PAGE","canonical":"example.com","kind":"PAGE","step":0},{"type":"URL","canonical":"http://example.com","kind":"URL","step":0}]}`,
		`{"content":"0x12","error":{"reason":"HEX_LENGTH"},"rule":"ADDRESS","tried":[{"rule":"WEB_LINK","reason":"UNRECOGNIZED"},` +
			`{"rule":"OTHER_SCHEME","reason":"UNRECOGNIZED"},{"rule":"ADDRESS","reason":"HEX_LENGTH"}]}`,
		"{\"content\":\"a\u202eb\",\"error\":{\"reason\":\"FORBIDDEN_CHARACTER\",\"character\":\"U+202E\",\"offset\":1}}",
	} {
		require.Equal(t, want, lines[i])
	}
}

func TestRun_interactive(t *testing.T) {
	t.Parallel()
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	go func() { out.CloseWithError(run(in, out, classifyContent)) }()
	reader := bufio.NewReader(answers)
	for range 3 {
		_, err := io.WriteString(lines, "@acme\n")
		require.NoError(t, err)
		answer, err := reader.ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, answer, "TWITTER")
	}
	require.NoError(t, lines.Close())
	_, err := reader.ReadString('\n')
	require.Equal(t, io.EOF, err)
}

func TestRun_inputError(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	var out bytes.Buffer
	in := io.MultiReader(strings.NewReader("@acme\n"), iotest.ErrReader(broken))
	require.ErrorIs(t, run(in, &out, classifyContent), broken)
	require.Contains(t, out.String(), "x.com/acme")
}

func TestRun_outputError(t *testing.T) {
	t.Parallel()
	_, out := io.Pipe()
	require.NoError(t, out.Close())
	require.ErrorIs(t, run(strings.NewReader("@acme\n"), out, classifyContent), io.ErrClosedPipe)
}

func Example() {
	if err := run(strings.NewReader("example.com\nada@example.com\n"), os.Stdout, classifyContent); err != nil {
		panic(err)
	}
	// Output:
	// {"content":"example.com","type":"PAGE","canonical":"example.com"}
	// {"content":"ada@example.com","type":"EMAIL","canonical":"ada@example.com"}
}

func Example_explain() {
	if err := run(strings.NewReader("https://www.example.com:443\n"), os.Stdout, explainContent); err != nil {
		panic(err)
	}
	// Output:
	// {"content":"https://www.example.com:443","result":{"type":"URL","canonical":"https://www.example.com"},"rule":"WEB_LINK","rewrites":["PORT"],"tried":[{"rule":"WEB_LINK"}],"covers":[{"type":"URL","canonical":"https://www.example.com","kind":"EXACT","step":0},{"type":"PAGE","canonical":"www.example.com","kind":"PAGE","step":0},{"type":"URL","canonical":"http://www.example.com","kind":"URL","step":0},{"type":"PAGE","canonical":"example.com","kind":"DOMAIN","step":1},{"type":"URL","canonical":"https://example.com","kind":"URL","step":1,"effect":"WITHHOLDS"},{"type":"URL","canonical":"http://example.com","kind":"URL","step":1,"effect":"WITHHOLDS"}]}
}
