package asset_test

import (
	"context"
	"errors"
	"testing"
	"time"

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

func TestIssues_CheckID(t *testing.T) {
	t.Parallel()
	var issues asset.Issues
	issues.CheckID("first", 1)
	issues.CheckID("last", asset.MaxID)
	require.Empty(t, issues)
	issues.CheckID("none", 0)
	issues.CheckID("negative", -1)
	require.EqualError(t, issues.Err(), "invalid input: none: must be from 1 to 2^53-1; negative: must be from 1 to 2^53-1")
}

func TestIssues_Under(t *testing.T) {
	t.Parallel()
	cause := errors.New("is not an asset")
	var issues asset.Issues
	issues.Add("name", "is required")
	issues.AddCause("", cause)
	moved := issues.Under("keys[0]")
	require.EqualError(t, moved.Err(), "invalid input: keys[0].name: is required; keys[0]: is not an asset")
	require.ErrorIs(t, moved.Err(), cause)
	require.Equal(t, "name", issues[0].Field, "the issues themselves stay as they are")
	require.Empty(t, asset.Issues(nil).Under("keys[0]"))
}

func TestValidTime(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		time time.Time
		want bool
	}{
		"the zero time":            {time.Time{}, true},
		"before the year 1":        {time.Time{}.Add(-1), false},
		"the last nanosecond":      {time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC), true},
		"the year 10000":           {time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC), false},
		"the year 10000 in UTC":    {time.Date(9999, time.December, 31, 23, 30, 0, 0, time.FixedZone("", -3600)), false},
		"the year 9999 in UTC":     {time.Date(10_000, time.January, 1, 0, 30, 0, 0, time.FixedZone("", 3600)), true},
		"long before the calendar": {time.Unix(-1<<60, 0), false},
		"long after the calendar":  {time.Unix(1<<60, 0), false},
	} {
		require.Equal(t, c.want, asset.ValidTime(c.time), reason)
	}
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
