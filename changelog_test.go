package apguard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
)

// contents returns the assets of the changes that the query selects, in order.
func contents(t *testing.T, guard *apguard.Guard, query asset.ChangelogQuery) []string {
	t.Helper()
	changes, err := guard.Changelog(t.Context(), query)
	require.NoError(t, err)
	list := []string{}
	for change, err := range changes {
		require.NoError(t, err)
		list = append(list, change.Content)
	}
	return list
}

func TestGuard_Changelog(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "https://a.example", asset.StatusBlocked)  // 5th
	setStatus(t, guard, "@b", asset.StatusBlocked)                 // 6th
	setStatus(t, guard, "HTTPS://A.example/", asset.StatusAllowed) // 7th

	cases := map[string]struct {
		query asset.ChangelogQuery
		want  []string
	}{
		"everything, newest first":        {asset.ChangelogQuery{}, []string{"https://a.example", "x.com/b", "https://a.example"}},
		"one type":                        {asset.ChangelogQuery{Type: asset.TypeTwitter}, []string{"x.com/b"}},
		"content is matched by identity":  {asset.ChangelogQuery{Content: " https://x.com/B "}, []string{"x.com/b"}},
		"blank content means any":         {asset.ChangelogQuery{Content: " \t", FromStatus: asset.StatusBlocked}, []string{"https://a.example"}},
		"content that no rule recognizes": {asset.ChangelogQuery{Content: "no asset"}, []string{}},
		"content of another type":         {asset.ChangelogQuery{Content: "@b", Type: asset.TypeURL}, []string{}},
		"the status before":               {asset.ChangelogQuery{FromStatus: asset.StatusBlocked}, []string{"https://a.example"}},
		"the status after":                {asset.ChangelogQuery{ToStatus: asset.StatusBlocked}, []string{"x.com/b", "https://a.example"}},
		"from a day on":                   {asset.ChangelogQuery{StartDate: "2025-01-06"}, []string{"https://a.example", "x.com/b"}},
		"up to a day":                     {asset.ChangelogQuery{EndDate: "2025-01-06"}, []string{"x.com/b", "https://a.example"}},
		"a single day":                    {asset.ChangelogQuery{StartDate: "2025-01-06", EndDate: "2025-01-06"}, []string{"x.com/b"}},
		"all together":                    {asset.ChangelogQuery{Type: asset.TypeURL, Content: "https://a.example", FromStatus: asset.StatusUnknown, ToStatus: asset.StatusBlocked, StartDate: "2025-01-05", EndDate: "2025-01-05"}, []string{"https://a.example"}},
		"no change in the period":         {asset.ChangelogQuery{StartDate: "2030-01-01"}, []string{}},
		"unknown asset":                   {asset.ChangelogQuery{Content: "https://unheard.example"}, []string{}},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, contents(t, guard, c.query), reason)
	}
}

func TestGuard_Changelog_Invalid(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	changes, err := guard.Changelog(t.Context(), asset.ChangelogQuery{
		Type: "url", Content: "\x00", FromStatus: "X", ToStatus: "Y", StartDate: "2025-02-30", EndDate: "today",
	})
	require.Nil(t, changes)
	require.EqualError(t, err, "invalid input: startDate: must be an existing date, written YYYY-MM-DD; "+
		"endDate: must be an existing date, written YYYY-MM-DD; type: must be an asset type; "+
		"fromStatus: must be UNKNOWN, ALLOWED or BLOCKED; toStatus: must be UNKNOWN, ALLOWED or BLOCKED; "+
		"content: must be valid UTF-8 without NUL")
}
