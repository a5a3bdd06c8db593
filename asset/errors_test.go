package asset_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestIssuesAreToldAllAtOnce(t *testing.T) {
	t.Parallel()
	var part asset.Issues
	part.Add("limit", "must be from 1 to 20")

	var issues asset.Issues
	require.NoError(t, issues.Err(), "no issue is no error")
	issues.Check(true, "status", "must be right")
	issues.CheckText("title", "fine \U0001F600")
	issues.Join(nil)
	require.NoError(t, issues.Err(), "what is right adds nothing")

	issues.CheckText("title", "a\x00b")
	issues.CheckText("description", "\xff")
	issues.Join(part.Err())
	issues.Join(errors.New("the body is empty"))
	require.EqualError(t, issues.Err(), "invalid input: title: must be valid UTF-8 without NUL; "+
		"description: must be valid UTF-8 without NUL; limit: must be from 1 to 20; the body is empty")
	require.ErrorIs(t, issues.Err(), asset.ErrInvalid)
	require.NotErrorIs(t, issues.Err(), asset.ErrNotFound)
}

func TestValidID(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		id   int64
		want bool
	}{
		"identifiers begin at 1":              {1, true},
		"the largest whole number of JSON":    {asset.MaxID, true},
		"0 means none":                        {0, false},
		"no identifier is negative":           {-1, false},
		"JSON cannot carry 2^53 unmistakably": {asset.MaxID + 1, false},
	} {
		require.Equal(t, c.want, asset.ValidID(c.id), reason)
	}
}
