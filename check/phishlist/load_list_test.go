package phishlist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

// fuzzylist returns a list with n targets: a0.io, a1.io and so on.
func fuzzylist(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `,"a%d.io"`, i)
	}
	return `{"fuzzylist": [` + strings.TrimPrefix(text.String(), ",") + `]}`
}

func TestLoad_MaxTargets(t *testing.T) {
	t.Parallel()
	const most = phishlist.MaxTargets
	for reason, c := range map[string]struct {
		text string
		want string
	}{
		"the maximum":                  {fuzzylist(most), ""},
		"one too many":                 {fuzzylist(most + 1), fmt.Sprintf("(fuzzylist[%d]): too many fuzzy targets: all lists together may have 10000", most)},
		"the maximum in two lists":     {`[` + fuzzylist(most-5) + `,` + fuzzylist(5) + `]`, ""},
		"one too many in two lists":    {`[` + fuzzylist(most-5) + `,` + fuzzylist(6) + `]`, "([1].fuzzylist[5]): too many fuzzy targets"},
		"duplicates and invalid hosts": {strings.TrimSuffix(fuzzylist(most), "]}") + `,"a0.io","a b",""]}`, ""},
		"one too many after these":     {strings.TrimSuffix(fuzzylist(most), "]}") + `,"a0.io","a b","b.io"]}`, "(fuzzylist[10002]): too many fuzzy targets"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			list, err := phishlist.Load(strings.NewReader(c.text), phishlist.Options{})
			if c.want != "" {
				require.ErrorIs(t, err, asset.ErrInvalid)
				require.ErrorContains(t, err, c.want)
				return
			}
			require.NoError(t, err)
			_, targets := list.Len()
			require.Equal(t, most, targets)
		})
	}
}

func TestLoad_ToleranceZero(t *testing.T) {
	t.Parallel()
	for reason, text := range map[string]string{
		"before the targets": `{"tolerance": 0, "fuzzylist": ["wallet.io"], "blacklist": ["bad.com"]}`,
		"after the targets":  `{"blacklist": ["bad.com"], "fuzzylist": ["wallet.io"], "tolerance": 0}`,
	} {
		list := load(t, text)
		_, targets := list.Len()
		require.Zero(t, targets, reason)
		require.Equal(t, none, list.Check("wallet.com"), reason)
		require.Equal(t, none, list.Check("wallet.io"), reason)
		require.Equal(t, blocked("bad.com", ""), list.Check("bad.com"), reason)
	}
}
