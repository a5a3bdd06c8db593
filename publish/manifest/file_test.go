package manifest

import (
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestFile_Reader(t *testing.T) {
	t.Parallel()
	const content = "the content"
	file := File{Name: "x.pb", Size: int64(len(content)), SHA256: sha256.Sum256([]byte(content))}
	broken := errors.New("broken connection")
	for reason, c := range map[string]struct {
		from io.Reader
		want error
	}{
		"the content":                {strings.NewReader(content), nil},
		"byte by byte":               {iotest.OneByteReader(strings.NewReader(content)), nil},
		"the end with the last byte": {iotest.DataErrReader(strings.NewReader(content)), nil},
		"empty":                      {strings.NewReader(""), ErrFile},
		"cut":                        {strings.NewReader(content[:5]), ErrFile},
		"longer":                     {strings.NewReader(content + "x"), ErrFile},
		"changed":                    {strings.NewReader("the Content"), ErrFile},
		"a broken connection":        {io.MultiReader(strings.NewReader(content[:5]), iotest.ErrReader(broken)), broken},
		"broken at the end":          {io.MultiReader(strings.NewReader(content), iotest.ErrReader(broken)), broken},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			reader := file.Reader(c.from)
			data, err := io.ReadAll(reader)
			require.ErrorIs(t, err, c.want)
			_, again := io.ReadAll(reader)
			require.Equal(t, err, again, "an error stays")
			require.LessOrEqual(t, len(data), len(content), "never more than the size")
			if c.want == nil {
				require.Equal(t, content, string(data))
			}
		})
	}

	empty := File{SHA256: sha256.Sum256(nil)}
	data, err := io.ReadAll(empty.Reader(strings.NewReader("")))
	require.NoError(t, err)
	require.Empty(t, data)
	_, err = io.ReadAll(File{}.Reader(strings.NewReader("")))
	require.ErrorIs(t, err, ErrFile, "the zero File has no content")
}
