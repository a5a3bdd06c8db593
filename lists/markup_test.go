package lists_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// The message of a server in the place of a list is no list in any format.
func TestRead_Markup(t *testing.T) {
	t.Parallel()
	for _, format := range lists.Readable() {
		for reason, text := range map[string]string{
			"a page":                   "<!DOCTYPE html>\n<html><body>\nevil.com\n</body></html>\n",
			"a page after blank lines": "\ufeff\r\n \t\n<HTML lang=en>\nevil.com\n",
			"a comment of a page":      "<!-- content -->\ncontent\nevil.com\n",
			"XML":                      "<?xml version=\"1.0\"?>\n<Error>\nevil.com",
			"an element":               "<h1>404</h1>\nevil.com\n",
		} {
			got, err := read(text, format, lists.ReadOptions{})
			require.ErrorIs(t, err, lists.ErrMarkup, "%s: %s", format, reason)
			require.ErrorIs(t, err, asset.ErrInvalid, "%s: %s", format, reason)
			require.Empty(t, got)
		}
	}
	for _, text := range []string{"<evil.com>\ngood.com", "<", "<html", "\n", "a.com\n<html>"} {
		_, err := read(text, lists.Lines, lists.ReadOptions{})
		require.NoError(t, err, text)
	}
	_, err := read(strings.Repeat("\n", 5000)+"a.com", lists.Lines, lists.ReadOptions{})
	require.NoError(t, err)
}
