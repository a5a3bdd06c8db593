package phishlist_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHostTable_ManyLabels(t *testing.T) {
	t.Parallel()
	for _, labels := range []int{1, 2, 7, 8, 9, 10, 64, 65, 127} {
		entry := strings.Repeat("a.", labels-1) + "a"
		list := load(t, `{"blacklist": ["`+entry+`"]}`)
		require.Equal(t, blocked(entry, ""), list.Check(entry), "%d labels", labels)
		require.Equal(t, blocked(entry, ""), list.Check("b."+entry), "a subdomain of %d labels", labels)
		require.Equal(t, none, list.Check(entry+"b"), "another last label after %d labels", labels)
	}
}

// TestHostTable_EqualLengths has entries of one length with different numbers of labels.
func TestHostTable_EqualLengths(t *testing.T) {
	t.Parallel()
	list := load(t, `{"blacklist": ["a.b.c.d", "abc.def", "abcdefg", "abc.d.e"]}`)
	for _, entry := range []string{"a.b.c.d", "abc.def", "abcdefg", "abc.d.e"} {
		require.Equal(t, blocked(entry, ""), list.Check("x."+entry))
	}
	require.Equal(t, none, list.Check("ab.cdef"))
}
