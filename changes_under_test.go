package apguard_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func TestGuard_ChangesUnder(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for _, content := range []string{
		"evil.example.com", "app.evil.example.com", "https://evil.example.com/login", "other.example.com", "example.com",
		"https://evil.example.com", "notexample.com", "mail@evil.example.com",
	} {
		setStatus(t, guard, content, asset.StatusBlocked)
	}
	setStatus(t, guard, "app.evil.example.com", asset.StatusAllowed)
	for content, want := range map[string][]string{
		"evil.example.com": {
			"app.evil.example.com", "mail@evil.example.com", "https://evil.example.com", "https://evil.example.com/login",
			"app.evil.example.com", "evil.example.com",
		},
		"app.evil.example.com":           {"app.evil.example.com", "app.evil.example.com"},
		"https://evil.example.com":       {"https://evil.example.com", "https://evil.example.com/login", "evil.example.com"}, // a form of the same text
		"https://evil.example.com/login": {"https://evil.example.com/login"},
		"notexample.com":                 {"notexample.com"},
		"unknown.example.com":            nil,
	} {
		result, err := classify.Classify(content)
		require.NoError(t, err)
		var got []string
		for req := (apguard.UnderRequest{Identity: result.Identity, Limit: 2}); ; {
			page, err := guard.ChangesUnder(t.Context(), req)
			require.NoError(t, err)
			require.False(t, page.Partial)
			for _, change := range page.Changes {
				got = append(got, change.Content)
			}
			if req.Cursor = page.NextCursor; req.Cursor == (asset.ChangeCursor{}) {
				break
			}
		}
		require.Equal(t, want, got, content)
	}
	_, err := guard.ChangesUnder(t.Context(), apguard.UnderRequest{Limit: -1})
	require.ErrorIs(t, err, asset.ErrInvalid)
}

// A site with more assets than are examined is told.
func TestGuard_ChangesUnder_Partial(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for i := range 10_001 {
		setStatus(t, guard, fmt.Sprintf("n%d.example.com", i), asset.StatusBlocked)
	}
	page, err := guard.ChangesUnder(t.Context(), apguard.UnderRequest{Identity: asset.Identity{Type: asset.TypePage, Canonical: "example.com"}, Limit: 1})
	require.NoError(t, err)
	require.True(t, page.Partial)
	require.Len(t, page.Changes, 1)
}
