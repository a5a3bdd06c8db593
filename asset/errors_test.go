package asset_test

import (
	"context"
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
	require.NoError(t, issues.Err(), "what is right adds nothing")

	issues.CheckText("title", "a\x00b")
	issues.CheckText("description", "\xff")
	issues.Add("", "the body is short")
	err := asset.JoinInput(nil, issues.Err(), nil, part.Err())
	require.EqualError(t, err, "invalid input: title: must be valid UTF-8 without NUL; "+
		"description: must be valid UTF-8 without NUL; the body is short; limit: must be from 1 to 20")
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.NotErrorIs(t, err, asset.ErrNotFound)
}

func TestAFailureIsNotJoinedToTheIssuesOfAnInput(t *testing.T) {
	t.Parallel()
	var issues asset.Issues
	issues.Add("limit", "must be from 1 to 20")
	err := asset.JoinInput(issues.Err(), context.Canceled)
	require.Equal(t, context.Canceled, err)
	require.NoError(t, asset.JoinInput(nil, nil))
}

func TestACauseIsKeptForPrograms(t *testing.T) {
	t.Parallel()
	cause := errors.New("must have its checksum")
	var issues asset.Issues
	issues.Add("title", "is required")
	issues.AddCause("content", cause)
	require.EqualError(t, issues.Err(), "invalid input: title: is required; content: must have its checksum")
	require.ErrorIs(t, issues.Err(), cause)
	require.ErrorIs(t, issues.Err(), asset.ErrInvalid)
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
