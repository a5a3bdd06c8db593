package protect_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/protect"
)

func TestService_Wide(t *testing.T) {
	t.Parallel()
	blocked := []asset.Identity{
		identityOf(t, "evil.bank.com"), identityOf(t, "https://bank.com/evil"), identityOf(t, "evil.bank.com"), identityOf(t, "evil.github.io"),
		identityOf(t, "x.com/evil"), identityOf(t, "alone.com"), identityOf(t, "eve@mail.com"),
	}
	rule := protect.Rule{Names: protect.Names([]string{"named.com"})}
	service := protect.NewService(entries{blocked, nil, new([]int)}, rule)
	for reason, c := range map[string]struct {
		content string
		want    *protect.Wide
	}{
		"a popular host":                                {"google.com", &protect.Wide{Protection: asset.ProtectedPopular}},
		"a name of the owner":                           {"https://named.com", &protect.Wide{Protection: asset.ProtectedName}},
		"a platform, with an account that is BLOCKED":   {"x.com", &protect.Wide{Protection: asset.ProtectedPlatform, BlockedBelow: 1}},
		"a host with a page and a subdomain BLOCKED":    {"bank.com", &protect.Wide{BlockedBelow: 2}},
		"its URL, which covers pages only":              {"https://bank.com", &protect.Wide{BlockedBelow: 1}},
		"the host of an e-mail address":                 {"mail.com", &protect.Wide{BlockedBelow: 1}},
		"a host that is BLOCKED itself":                 {"alone.com", nil},
		"a public suffix, which covers no domain below": {"github.io", nil},
		"a page of a popular host":                      {"https://google.com/a", nil},
		"an account":                                    {"@evil", nil},
		"another host":                                  {"good.com", nil},
	} {
		identity := identityOf(t, c.content)
		want := map[asset.Identity]protect.Wide{}
		if c.want != nil {
			want[identity] = *c.want
		}
		got, err := service.Wide(t.Context(), []asset.Identity{identity, identity})
		require.NoError(t, err)
		require.Equal(t, want, got, reason)
	}
}

// Hosts share the assets that are examined, down to a minimum. What is no host needs no look at the store.
func TestService_Wide_store(t *testing.T) {
	t.Parallel()
	var limits []int
	service := protect.NewService(entries{nil, nil, &limits}, protect.Rule{})
	_, err := service.Wide(t.Context(), []asset.Identity{identityOf(t, "@evil")})
	require.NoError(t, err)
	require.Empty(t, limits)
	many := make([]asset.Identity, 1000)
	for i := range many {
		many[i] = identityOf(t, fmt.Sprintf("a%d.com", i))
	}
	for _, n := range []int{2, 1000} {
		_, err := service.Wide(t.Context(), many[:n])
		require.NoError(t, err)
	}
	require.Equal(t, []int{5000, 100}, limits)

	failed := errors.New("the disk is gone")
	_, err = protect.NewService(entries{nil, failed, new([]int)}, protect.Rule{}).Wide(t.Context(), many[:1])
	require.ErrorIs(t, err, failed)
}
