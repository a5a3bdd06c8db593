package check_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// hashed returns a function that decides by the hashes of pages with a status.
func hashed(statuses map[string]asset.Status) func(content string, covers []classify.Cover) (check.Verdict, error) {
	byHash := make(map[uint64]asset.Status)
	for canonical, status := range statuses {
		byHash[check.Hash(asset.Identity{Type: asset.TypePage, Canonical: canonical})] = status
	}
	return func(_ string, covers []classify.Cover) (check.Verdict, error) {
		return check.DecideHashed(covers, func(hash uint64) asset.Status {
			if status, ok := byHash[hash]; ok {
				return status
			}
			return asset.StatusUnknown
		}), nil
	}
}

func TestEach(t *testing.T) {
	t.Parallel()
	verdict := hashed(map[string]asset.Status{"bad.example.com": asset.StatusBlocked, "good.bad.example.com": asset.StatusAllowed})
	results, err := check.Each([]string{"https://x.bad.example.com/y", "not valid", "good.bad.example.com", "example.com"}, verdict)
	require.NoError(t, err)
	require.Len(t, results, 4)
	require.Equal(t, asset.StatusBlocked, results[0].Status)
	require.Equal(t, check.SourceAsset, results[0].Source)
	require.Equal(t, "bad.example.com", results[0].Match.Canonical)
	require.Zero(t, results[0].Match.ID)
	require.ErrorIs(t, results[1].Err, classify.ErrInvalidFormat)
	require.Equal(t, asset.StatusAllowed, results[2].Status)
	require.Equal(t, asset.StatusUnknown, results[3].Status)
	require.Nil(t, results[3].Match)
}

func TestEach_errors(t *testing.T) {
	t.Parallel()
	_, err := check.Each(nil, hashed(nil))
	var invalid *asset.InputError
	require.ErrorAs(t, err, &invalid)
	errList := errors.New("no list")
	_, err = check.Each([]string{"example.com", "example.org"}, func(string, []classify.Cover) (check.Verdict, error) {
		return check.Verdict{}, errList
	})
	require.ErrorIs(t, err, errList)
}
