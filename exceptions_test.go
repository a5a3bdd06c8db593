package apguard_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
)

func TestGuard_Exceptions(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for _, content := range []string{
		"app.evil.example.com", "https://evil.example.com/good", "mail@evil.example.com", "https://evil.example.com", "other.example.com", "evil.example.com:8443/x",
	} {
		setStatus(t, guard, content, asset.StatusAllowed)
	}
	setStatus(t, guard, "blocked.evil.example.com", asset.StatusBlocked)
	setStatus(t, guard, "unknown.evil.example.com", asset.StatusUnknown)
	identity := asset.Identity{Type: asset.TypePage, Canonical: "evil.example.com"}
	for _, status := range []asset.Status{"", asset.StatusBlocked} { // before and after
		if status != "" {
			setStatus(t, guard, "evil.example.com", status)
		}
		got, err := guard.Exceptions(t.Context(), identity)
		require.NoError(t, err)
		contents := make([]string, 0, len(got.Assets))
		for _, a := range got.Assets {
			contents = append(contents, a.Canonical)
		}
		require.Equal(t, []string{"app.evil.example.com", "https://evil.example.com/good", "mail@evil.example.com", "evil.example.com:8443/x"}, contents)
		require.False(t, got.More)
	}
	for _, content := range []string{"app.evil.example.com", "https://evil.example.com/good", "mail@evil.example.com", "evil.example.com:8443/x"} {
		verdict, err := guard.Checks.Check(t.Context(), content)
		require.NoError(t, err)
		require.Equal(t, asset.StatusAllowed, verdict.Status, content)
	}
	verdict, err := guard.Checks.Check(t.Context(), "https://evil.example.com")
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, verdict.Status, "another form of the same text is no exception")
}

// The URL of a host does not cover subdomains, although it withholds the effect of the page.
func TestGuard_Exceptions_URL(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for _, content := range []string{"app.evil.example.com", "https://evil.example.com/good", "mail@evil.example.com"} {
		setStatus(t, guard, content, asset.StatusAllowed)
	}
	got, err := guard.Exceptions(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://evil.example.com"})
	require.NoError(t, err)
	require.Len(t, got.Assets, 1)
	require.Equal(t, "https://evil.example.com/good", got.Assets[0].Canonical)
}

func TestGuard_Exceptions_Limit(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for n := range apguard.MaxExplained {
		setStatus(t, guard, fmt.Sprintf("a%d.evil.example.com", n), asset.StatusAllowed)
	}
	identity := asset.Identity{Type: asset.TypePage, Canonical: "evil.example.com"}
	got, err := guard.Exceptions(t.Context(), identity)
	require.NoError(t, err)
	require.Len(t, got.Assets, apguard.MaxExplained)
	require.False(t, got.More)
	setStatus(t, guard, "last.evil.example.com", asset.StatusAllowed)
	got, err = guard.Exceptions(t.Context(), identity)
	require.NoError(t, err)
	require.Len(t, got.Assets, apguard.MaxExplained)
	require.True(t, got.More)
}
