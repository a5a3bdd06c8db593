package storagetest

import (
	"maps"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/protect"
)

func assetsNearChecks() []requirement {
	page := func(host string) asset.Identity { return asset.Identity{Type: asset.TypePage, Canonical: host} }
	add := func(p *probe, organizationID int64, hosts ...string) {
		cmd := addCommand(organizationID)
		for _, host := range hosts {
			cmd.Entries = append(cmd.Entries, allowlist.Entry{Asset: asset.Asset{Identity: page(host)}, Content: host})
		}
		p.add(cmd)
	}
	find := func(p *probe, req protect.NearRequest, hosts ...string) []string {
		identities := make([]asset.Identity, len(hosts))
		for i, host := range hosts {
			identities[i] = page(host)
		}
		req.Identities = identities
		found, err := p.AssetsNear(p.Context(), req)
		require.NoError(p, err, "AssetsNear")
		unique := make(map[string]bool)
		for _, one := range found {
			require.Equal(p, page(one.Canonical), one)
			unique[one.Canonical] = true
		}
		return slices.Sorted(maps.Keys(unique))
	}
	near := func(p *probe, second, limit int, hosts ...string) []string {
		return find(p, protect.NearRequest{At: at(second), Limit: limit}, hosts...)
	}
	return []requirement{
		{"what is BLOCKED is found with its site", func(p *probe) {
			for _, host := range []string{"a.bank.example", "b.a.bank.example", "other.example"} {
				p.set(page(host), asset.StatusBlocked, at(0))
			}
			p.set(page("c.bank.example"), asset.StatusUnknown, at(0))
			add(p, 1, "d.bank.example")
			blocked := protect.NearRequest{Blocked: true, Limit: noLimit}
			require.Equal(p, []string{"a.bank.example", "b.a.bank.example"}, find(p, blocked, "bank.example"))
			require.Equal(p, []string{"a.bank.example", "b.a.bank.example", "other.example"}, find(p, blocked, "bank.example", "other.example"))
			require.Empty(p, find(p, blocked, "shop.example"))
			p.set(page("a.bank.example"), asset.StatusUnknown, at(1))
			require.Equal(p, []string{"b.a.bank.example"}, find(p, blocked, "bank.example"))
		}},
		{"what any organization has on its allowlist is found with its site", func(p *probe) {
			add(p, 1, "a.bank.example", "shop.example")
			add(p, 2, "a.bank.example", "b.a.bank.example")
			p.set(page("c.bank.example"), asset.StatusAllowed, at(0))
			require.Equal(p, []string{"a.bank.example", "b.a.bank.example"}, near(p, 1, noLimit, "bank.example"))
			require.Equal(p, []string{"a.bank.example", "b.a.bank.example", "shop.example"}, near(p, 1, noLimit, "bank.example", "x.shop.example", "bank.example"))
			require.Empty(p, near(p, 1, noLimit, "other.example"))
		}},
		{"an entry that has ended is not found", func(p *probe) {
			cmd := addCommand(1)
			cmd.Entries = []allowlist.Entry{{Asset: asset.Asset{Identity: page("a.bank.example")}, Content: "a.bank.example", ExpiresAt: at(5)}}
			p.add(cmd)
			require.Equal(p, []string{"a.bank.example"}, near(p, 4, noLimit, "bank.example"))
			require.Empty(p, near(p, 5, noLimit, "bank.example"))
		}},
		{"an asset itself is found in a site that is examined in part", func(p *probe) {
			for _, host := range []string{"a.bank.example", "b.bank.example", "c.bank.example", "d.bank.example"} {
				p.set(page(host), asset.StatusBlocked, at(0))
			}
			add(p, 1, "b.bank.example", "c.bank.example")
			for _, host := range []string{"b.bank.example", "c.bank.example"} {
				require.Contains(p, near(p, 1, 1, host), host)
			}
		}},
		{"an entry that was removed is not found", func(p *probe) {
			add(p, 1, "a.bank.example")
			p.remove(removeCommand(1, p.asset(page("a.bank.example")).ID))
			require.Empty(p, near(p, 1, noLimit, "bank.example"))
		}},
	}
}
