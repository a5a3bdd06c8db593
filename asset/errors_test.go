package asset_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestIssues_Err(t *testing.T) {
	t.Parallel()
	var part asset.Issues
	part.Add("limit", "must be from 1 to 20")

	var issues asset.Issues
	require.NoError(t, issues.Err(), "no issue is no error")
	issues.Check(true, "status", "must be right")
	issues.CheckText("title", "fine \U0001F600")
	issues.CheckTextLength("title", "\U0001F600", 4)
	require.NoError(t, issues.Err(), "what is right adds nothing")

	issues.CheckText("title", "a\x00b")
	issues.CheckText("description", "\xff")
	issues.CheckTextLength("name", "\U0001F600", 3)
	issues.CheckTextLength("name", "\x00", 1)
	issues.Add("", "the body is short")
	err := asset.JoinInput(nil, issues.Err(), nil, part.Err())
	require.EqualError(t, err, "invalid input: title: must be valid UTF-8 without NUL; "+
		"description: must be valid UTF-8 without NUL; name: must be at most 3 bytes long; "+
		"name: must be valid UTF-8 without NUL; the body is short; limit: must be from 1 to 20")
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.NotErrorIs(t, err, asset.ErrNotFound)
}

func TestJoinInput_Failure(t *testing.T) {
	t.Parallel()
	var issues asset.Issues
	issues.Add("limit", "must be from 1 to 20")
	err := asset.JoinInput(issues.Err(), context.Canceled)
	require.Equal(t, context.Canceled, err)
	require.NoError(t, asset.JoinInput(nil, nil))
}

func TestInputError_Unwrap(t *testing.T) {
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

func TestIssues_CheckOptionalID(t *testing.T) {
	t.Parallel()
	var issues asset.Issues
	issues.CheckOptionalID("none", 0)
	issues.CheckOptionalID("last", asset.MaxID)
	require.Empty(t, issues)
	issues.CheckOptionalID("negative", -1)
	require.EqualError(t, issues.Err(), "invalid input: negative: must be from 1 to 2^53-1")
}

func TestIssues_CheckTextLength(t *testing.T) {
	t.Parallel()
	var issues asset.Issues
	issues.CheckTextLength("title", "\u00e9\u00e9", 4)
	require.Empty(t, issues)
	issues.CheckTextLength("title", "\u00e9\u00e9\xff", 4)
	require.EqualError(t, issues.Err(), "invalid input: title: must be valid UTF-8 without NUL; title: must be at most 4 bytes long")
}

func TestIssues_CheckLimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]bool{-1: false, 0: true, 1: true, 100: true, 101: false} {
		var issues asset.Issues
		issues.CheckLimit(limit, 100)
		if want {
			require.Empty(t, issues, "limit %d", limit)
			continue
		}
		require.Equal(t, asset.Issues{{Field: "limit", Message: "must be from 1 to 100"}}, issues, "limit %d", limit)
	}
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
