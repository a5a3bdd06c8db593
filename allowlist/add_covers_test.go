package allowlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/storage/memory"
)

// What covers an asset decides about its links, so what is below a BLOCKED domain is refused as
// the domain itself is.
func TestAdd_RefuseBlockedCovers(t *testing.T) {
	t.Parallel()
	store := accounttest.Organizations(t, memory.New(), 1)
	statuses := asset.NewService(store, asset.Options{})
	for canonical, status := range map[string]asset.Status{
		"https://evil.com": asset.StatusBlocked, "allowed.com": asset.StatusAllowed, "https://allowed.com": asset.StatusBlocked,
		"bad.example.com": asset.StatusBlocked, "app.bad.example.com": asset.StatusAllowed, "good.example.com": asset.StatusAllowed,
	} {
		_, err := statuses.SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: identityOf(t, canonical), Status: status, Origin: asset.Origin{Cause: asset.CauseImport},
		})
		require.NoError(t, err)
	}
	for content, want := range map[string]error{
		"evil.com":                      allowlist.ErrBlocked, // it would take the effect from the BLOCKED URL
		"http://evil.com/login":         allowlist.ErrBlocked,
		"wallet.evil.com":               nil,
		"allowed.com":                   allowlist.ErrBlocked,
		"wallet.allowed.com":            nil,
		"bad.example.com":               allowlist.ErrBlocked,
		"https://bad.example.com":       allowlist.ErrBlocked,
		"bad.example.com/login":         allowlist.ErrBlocked,
		"login.bad.example.com":         allowlist.ErrBlocked,
		"ada@bad.example.com":           allowlist.ErrBlocked,
		"app.bad.example.com":           nil,
		"https://x.app.bad.example.com": nil,
		"good.example.com/login":        nil,
		"example.com":                   nil,
		"no asset":                      classify.ErrInvalidFormat,
	} {
		for _, refuse := range []bool{true, false} {
			service := allowlist.NewService(store, allowlist.Options{RefuseBlocked: refuse})
			added, err := service.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: content}}, DryRun: true})
			require.NoError(t, err)
			if want == allowlist.ErrBlocked && !refuse { //nolint:errorlint // one of the values above
				require.NoError(t, added.Results[0].Err, content)
				continue
			}
			require.ErrorIs(t, added.Results[0].Err, want, content)
		}
	}
	service := allowlist.NewService(store, allowlist.Options{RefuseBlocked: true})
	added, err := service.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: "login.bad.example.com"}, {Content: "good.example.com"}}})
	require.NoError(t, err)
	require.ErrorIs(t, added.Results[0].Err, allowlist.ErrBlocked)
	require.NoError(t, added.Results[1].Err)
}

func identityOf(t *testing.T, content string) asset.Identity {
	t.Helper()
	result, err := classify.Classify(content)
	require.NoError(t, err)
	return result.Identity
}
