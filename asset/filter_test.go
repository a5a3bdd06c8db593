package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestChangeFilterMatch(t *testing.T) {
	t.Parallel()
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
	change := asset.Change{Type: identity.Type, Content: identity.Canonical, From: asset.StatusUnknown, To: asset.StatusBlocked, At: day(2025, 1, 5)}
	cases := map[string]struct {
		filter asset.ChangeFilter
		want   bool
	}{
		"the zero filter matches everything": {asset.ChangeFilter{}, true},
		"every field holds": {asset.ChangeFilter{
			Type: asset.TypeURL, Identity: identity, From: asset.StatusUnknown, To: asset.StatusBlocked,
			Period: asset.Period{Since: change.At, Before: change.At.Add(time.Millisecond)},
		}, true},
		"another type":                       {asset.ChangeFilter{Type: asset.TypePage}, false},
		"another canonical form":             {asset.ChangeFilter{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://b.example"}}, false},
		"the same form within another type":  {asset.ChangeFilter{Identity: asset.Identity{Type: asset.TypePage, Canonical: identity.Canonical}}, false},
		"another status before":              {asset.ChangeFilter{From: asset.StatusAllowed}, false},
		"another status after":               {asset.ChangeFilter{To: asset.StatusAllowed}, false},
		"outside the period":                 {asset.ChangeFilter{Period: asset.Period{Before: change.At}}, false},
		"a type other than that of identity": {asset.ChangeFilter{Type: asset.TypePage, Identity: identity}, false},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, c.filter.Match(change), reason)
	}
}

func TestChangeFilterValidate(t *testing.T) {
	t.Parallel()
	require.NoError(t, asset.ChangeFilter{}.Validate())
	require.NoError(t, asset.ChangeFilter{Type: asset.TypeEmail, From: asset.StatusUnknown, To: asset.StatusUnknown}.Validate())

	err := asset.ChangeFilter{
		Type: "url", From: "unknown", To: "X", Period: asset.Period{Since: day(2025, 1, 2), Before: day(2025, 1, 2)},
		Identity: asset.Identity{Type: "U\x00RL", Canonical: "\xff"},
	}.Validate()
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, asset.Issues{
		{Field: "type", Message: "must be an asset type"},
		{Field: "content", Message: "must be of an asset type"},
		{Field: "content", Message: "must be valid UTF-8 without NUL"},
		{Field: "fromStatus", Message: "must be UNKNOWN, ALLOWED or BLOCKED"},
		{Field: "toStatus", Message: "must be UNKNOWN, ALLOWED or BLOCKED"},
		{Field: "startDate", Message: "must not be after endDate"},
	}, input.Issues)
}

func TestChangeCursorPrecedes(t *testing.T) {
	t.Parallel()
	at := day(2025, 1, 5)
	cursor := asset.Change{ID: 7, At: at}.Cursor()
	cases := map[string]struct {
		cursor asset.ChangeCursor
		change asset.Change
		want   bool
	}{
		"the start precedes everything":               {asset.ChangeCursor{}, asset.Change{ID: 1, At: at}, true},
		"an older change is still to come":            {cursor, asset.Change{ID: 9, At: at.Add(-1)}, true},
		"a newer change has been":                     {cursor, asset.Change{ID: 1, At: at.Add(1)}, false},
		"at the same time the lower ID is to come":    {cursor, asset.Change{ID: 6, At: at}, true},
		"the change of the cursor itself has been":    {cursor, asset.Change{ID: 7, At: at}, false},
		"at the same time the higher ID has been":     {cursor, asset.Change{ID: 8, At: at}, false},
		"the same moment in another zone is the same": {cursor, asset.Change{ID: 6, At: at.In(time.FixedZone("", 3600))}, true},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, c.cursor.Precedes(c.change), reason)
	}
}
