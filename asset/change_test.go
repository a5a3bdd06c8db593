package asset_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestChange_Compare(t *testing.T) {
	t.Parallel()
	change := asset.Change{ID: 5, At: second(5)}
	for reason, c := range map[string]struct {
		other asset.Change
		want  int
	}{
		"the same change":                        {change, 0},
		"an earlier time":                        {asset.Change{ID: 5, At: second(4)}, 1},
		"an earlier time, though recorded later": {asset.Change{ID: 6, At: second(4)}, 1},
		"a later time, though recorded earlier":  {asset.Change{ID: 4, At: second(6)}, -1},
		"the same time, recorded earlier":        {asset.Change{ID: 4, At: second(5)}, 1},
		"the same time, recorded later":          {asset.Change{ID: 6, At: second(5)}, -1},
	} {
		require.Equal(t, c.want, change.Compare(c.other), reason)
	}
}

// The JSON of the domain types has the names of the specification.
func TestChange_JSON(t *testing.T) {
	t.Parallel()
	change := asset.Change{
		ID: 1, AssetID: 2, Type: asset.TypePage, Content: "a.example", From: asset.StatusUnknown, To: asset.StatusBlocked,
		At: day(2025, 1, 5), Origin: asset.Origin{Cause: asset.CauseReview, Actor: 7, Reference: "report/1"},
	}
	for want, value := range map[string]any{
		`{"id":1,"assetId":2,"type":"PAGE","content":"a.example","fromStatus":"UNKNOWN","toStatus":"BLOCKED",` +
			`"updatedAt":"2025-01-05T00:00:00Z","origin":{"cause":"REVIEW","actor":7,"reference":"report/1"}}`: change,
		`{"changes":[],"nextCursor":{"updatedAt":"2025-01-05T00:00:00Z","id":1}}`: asset.ChangePage{Changes: []asset.Change{}, NextCursor: change.Cursor()},
		`{"changes":[]}`:     asset.ChangePage{Changes: []asset.Change{}},
		`{"cause":"MANUAL"}`: asset.Origin{Cause: asset.CauseManual},
		`{"id":3,"type":"PAGE","canonical":"a.example","status":"ALLOWED"}`: asset.Asset{ID: 3, Identity: change.Identity(), Status: asset.StatusAllowed},
		`{"field":"limit","message":"must be positive"}`:                    asset.Issue{Field: "limit", Message: "must be positive"},
		`{"message":"the body is short"}`:                                   asset.Issue{Message: "the body is short", Err: asset.ErrInvalid},
	} {
		got, err := json.Marshal(value)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}
