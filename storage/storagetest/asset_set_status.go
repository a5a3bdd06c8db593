package storagetest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func assetChecks() []requirement {
	return []requirement{
		{"a change is recorded with all its fields", func(p *probe) {
			cmd := statusCommand(site(1), asset.StatusBlocked, at(7))
			cmd.Origin.Actor, cmd.Origin.Reference = asset.MaxID, "ticket/42"
			got := only(p, p.setStatuses(cmd))
			require.EqualValues(p, 1, got.ID, "the first ID")
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
