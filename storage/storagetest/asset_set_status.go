package storagetest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func assetChecks() []requirement {
	return []requirement{
		{"an unknown asset is ErrNotFound", func(p *probe) {
			p.noAsset(site(1))
			p.set(site(2), asset.StatusBlocked, at(0))
			p.noAsset(site(1))
		}},
		{"a new asset is registered with the given status", func(p *probe) {
			got := p.set(site(1), asset.StatusBlocked, at(0))
			want := asset.Asset{ID: got.ID, Identity: site(1), Status: asset.StatusBlocked}
			require.Equal(p, want, got)
			require.Equal(p, want, p.asset(site(1)))
		}},
		{"IDs begin at 1 and grow", func(p *probe) {
			last := p.set(site(0), asset.StatusBlocked, at(0)).ID
			require.EqualValues(p, 1, last)
			for n := 1; n < 6; n++ {
				next := p.set(site(n), asset.StatusUnknown, at(0)).ID
				require.Greater(p, next, last)
				last = next
			}
		}},
		{"an asset registered as UNKNOWN has no change", func(p *probe) {
			got := p.set(site(1), asset.StatusUnknown, at(0))
			require.Equal(p, asset.StatusUnknown, got.Status)
			require.Equal(p, got, p.asset(site(1)))
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"a change is recorded with all its fields", func(p *probe) {
			cmd := statusCommand(site(1), asset.StatusBlocked, at(7))
			cmd.Origin.Actor, cmd.Origin.Reference = asset.MaxID, "ticket/42"
			got := only(p, p.setStatuses(cmd))
			change := only(p, p.changes(asset.ChangeFilter{}))
			require.Equal(p, asset.Change{
				ID:      change.ID,
				AssetID: got.ID,
				Type:    asset.TypeURL,
				Content: site(1).Canonical,
				From:    asset.StatusUnknown,
				To:      asset.StatusBlocked,
				At:      at(7),
				Origin:  cmd.Origin,
			}, change)
		}},
		{"every cause is stored", func(p *probe) {
			causes := []asset.Cause{asset.CauseAllowlist, asset.CauseReview, asset.CauseWithdrawal, asset.CauseDispute, asset.CauseManual, asset.CauseImport}
			for i, cause := range causes {
				cmd := statusCommand(site(i), asset.StatusAllowed, at(i))
				cmd.Origin.Cause = cause
				p.setStatuses(cmd)
			}
			for i, change := range p.changes(asset.ChangeFilter{}) {
				require.Equal(p, asset.Origin{Cause: causes[len(causes)-1-i]}, change.Origin)
			}
		}},
		{"setting the current status records no change", func(p *probe) {
			first := p.set(site(1), asset.StatusBlocked, at(0))
			require.Equal(p, first, p.set(site(1), asset.StatusBlocked, at(1)))
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"each new status is recorded as a change from the previous one", func(p *probe) {
			statuses := []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown, asset.StatusAllowed, asset.StatusBlocked, asset.StatusUnknown}
			from := asset.StatusUnknown
			for i, to := range statuses {
				require.Equal(p, to, p.set(site(1), to, at(i)).Status)
				newest := p.newestChange()
				require.Equal(p, from, newest.From)
				require.Equal(p, to, newest.To)
				from = to
			}
			require.Len(p, p.changes(asset.ChangeFilter{}), len(statuses))
		}},
		{"equal canonical forms of two types are two assets", func(p *probe) {
			url := asset.Identity{Type: asset.TypeURL, Canonical: "same"}
			page := asset.Identity{Type: asset.TypePage, Canonical: "same"}
			first := p.set(url, asset.StatusBlocked, at(0))
			second := p.set(page, asset.StatusAllowed, at(1))
			require.NotEqual(p, first.ID, second.ID)
			require.Equal(p, first, p.asset(url))
			require.Equal(p, second, p.asset(page))
		}},
		{"every type is stored", func(p *probe) {
			for _, assetType := range asset.Types() {
				identity := asset.Identity{Type: assetType, Canonical: "same"}
				require.Equal(p, p.set(identity, asset.StatusUnknown, at(0)), p.asset(identity))
			}
		}},
		{"canonical forms are compared byte by byte", func(p *probe) {
			seen := make(map[int64]string)
			for _, text := range differentTexts {
				got := p.set(asset.Identity{Type: asset.TypePage, Canonical: text}, asset.StatusUnknown, at(0))
				require.Equal(p, text, got.Canonical)
				require.NotContains(p, seen, got.ID, "%q and %q must be two assets", text, seen[got.ID])
				seen[got.ID] = text
			}
		}},
		{"long canonical forms that differ in the last byte are two assets", func(p *probe) {
			long := "https://long.example/" + strings.Repeat("x", 8192-len("https://long.example/")-1)
			first := asset.Identity{Type: asset.TypeURL, Canonical: long + "a"}
			second := asset.Identity{Type: asset.TypeURL, Canonical: long + "b"}
			a, b := p.set(first, asset.StatusBlocked, at(0)), p.set(second, asset.StatusAllowed, at(1))
			require.NotEqual(p, a.ID, b.ID)
			require.Equal(p, a, p.asset(first))
			require.Equal(p, b, p.asset(second))
			require.Len(p, p.changes(asset.ChangeFilter{Identity: first}), 1)
		}},
	}
}
