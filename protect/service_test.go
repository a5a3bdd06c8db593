package protect_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/protect"
)

var now = time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)

// entries is a store of assets on allowlists. It also returns some that were not asked for.
type entries struct {
	all []asset.Identity
	err error
	// limits has the limit of each call.
	limits *[]int
}

func (e entries) AssetsNear(_ context.Context, req protect.NearRequest) ([]asset.Identity, error) {
	*e.limits = append(*e.limits, req.Limit)
	if !req.Blocked && !req.At.Equal(now) {
		return nil, errors.New("another time")
	}
	return e.all, e.err
}

func TestService_Protections(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		entry, content string
		want           bool
	}{
		"the entry itself":                   {"login.bank.com", "login.bank.com", true},
		"its URL":                            {"login.bank.com", "https://login.bank.com", true},
		"the page of a URL":                  {"https://login.bank.com", "login.bank.com", true},
		"the domain above it":                {"https://login.bank.com/a?b", "bank.com", true},
		"the path above it":                  {"https://login.bank.com/a/b", "https://login.bank.com/a", true},
		"the owner of a repository":          {"github.com/owner/repository", "github.com/owner", true},
		"an account":                         {"@acme", "@acme", true},
		"the domain of an e-mail address":    {"support@bank.com", "bank.com", true},
		"an address":                         {"0xdAC17F958D2ee523a2206206994597C13D831ec7", "0xdac17f958d2ee523a2206206994597c13d831ec7", true},
		"a path below it":                    {"login.bank.com", "https://login.bank.com/evil", false},
		"a host below it":                    {"bank.com", "evil.bank.com", false},
		"another host of the same domain":    {"login.bank.com", "evil.bank.com", false},
		"another account of the same site":   {"@acme", "@acme_support", false},
		"an asset of a site without entries": {"bank.com", "other.com", false},
	} {
		entry, identity := identityOf(t, c.entry), identityOf(t, c.content)
		service := protect.NewService(entries{[]asset.Identity{entry}, nil, new([]int)}, protect.Rule{})
		got, err := service.Protections(t.Context(), []asset.Identity{identity}, now)
		require.NoError(t, err)
		want := asset.Protections{}
		if c.want {
			want[identity] = asset.Protection{Reason: asset.ProtectedEntry, By: entry.Canonical}
		}
		require.Equal(t, want, got, reason)
	}
}

// What the rule protects needs no look at the store. The others share the assets that are examined.
func TestService_Protections_store(t *testing.T) {
	t.Parallel()
	var limits []int
	service := protect.NewService(entries{nil, nil, &limits}, protect.Rule{})
	_, err := service.Protections(t.Context(), []asset.Identity{identityOf(t, "google.com"), identityOf(t, "github.io")}, now)
	require.NoError(t, err)
	require.Empty(t, limits)
	_, err = service.Protections(t.Context(), []asset.Identity{
		identityOf(t, "google.com"), identityOf(t, "a.com"), identityOf(t, "https://x.a.com/"), identityOf(t, "b.com"),
	}, now)
	require.NoError(t, err)
	require.Equal(t, []int{5000}, limits)

	failed := errors.New("the disk is gone")
	_, err = protect.NewService(entries{nil, failed, new([]int)}, protect.Rule{}).Protections(t.Context(), []asset.Identity{identityOf(t, "a.com")}, now)
	require.ErrorIs(t, err, failed)
}
