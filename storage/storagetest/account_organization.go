package storagetest

import (
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
)

func organizationChecks() []requirement {
	return []requirement{
		{"every field of an organization is read back", func(p *probe) {
			want := account.Organization{ID: 7, Slug: "acme", Name: "Acme \U0001F600"}
			require.NoError(p, p.PutOrganization(p.Context(), want, audit.Entry{}))
			require.Equal(p, want, p.organization(7))
			want = account.Organization{ID: 7, Slug: "acme-new", Name: "New"}
			require.NoError(p, p.PutOrganization(p.Context(), want, audit.Entry{}))
			require.Equal(p, want, p.organization(7))
			require.Empty(p, p.organizationsByID(8))
		}},
		{"a deactivated account stays so until it is updated, and its keys tell", needs("PutKey", func(p *probe) {
			p.fullKey()
			for reason, set := range map[string]func(deactivated bool){
				"organization": func(deactivated bool) {
					_, err := p.UpdateOrganization(p.Context(), 1, func(old account.Organization) (account.Organization, audit.Entry) {
						old.Deactivated = deactivated
						return old, audit.Entry{}
					})
					require.NoError(p, err)
					p.putOrganization(1, "acme")
					require.Equal(p, deactivated, p.organization(1).Deactivated)
				},
				"user": func(deactivated bool) {
					_, err := p.UpdateUser(p.Context(), 3, func(old account.User) (account.User, audit.Entry) {
						old.Deactivated = deactivated
						return old, audit.Entry{}
					})
					require.NoError(p, err)
					p.putUser(account.User{ID: 3})
					require.Equal(p, deactivated, only(p, p.usersByID(3)).Deactivated)
				},
			} {
				for _, deactivated := range []bool{true, false} {
					set(deactivated)
					require.Equal(p, deactivated, p.keyRecord("key").Deactivated, reason)
				}
			}
		})},
		{"organizations are found by many IDs, each once and in order", func(p *probe) {
			stored := []int64{1, 2, 30, asset.MaxID - 1, asset.MaxID}
			want := make([]account.Organization, len(stored))
			for i, id := range stored {
				p.putOrganization(id, strconv.FormatInt(id, 10))
				want[i] = account.Organization{ID: id, Slug: strconv.FormatInt(id, 10), Name: "Organization " + strconv.FormatInt(id, 10)}
			}
			requireByID(p, stored, want, p.organizationsByID)
		}},
		{"an organization is found only by its exact slug", func(p *probe) {
			for i, slug := range differentTexts {
				p.putOrganization(int64(i+1), slug)
			}
			for i, slug := range differentTexts {
				got, err := p.OrganizationBySlug(p.Context(), slug)
				require.NoError(p, err, "%q", slug)
				require.Equal(p, p.organization(int64(i+1)), got)
			}
			p.putOrganization(1, "new")
			for _, slug := range []string{differentTexts[0], "", "unknown"} {
				_, err := p.OrganizationBySlug(p.Context(), slug)
				require.ErrorIs(p, err, account.ErrOrganizationNotFound, "%q", slug)
			}
		}},
		{"the largest ID is stored exactly", needs("PutKey", func(p *probe) {
			p.putOrganization(asset.MaxID, "max")
			p.putOrganization(asset.MaxID-1, "almost")
			p.putUser(account.User{ID: asset.MaxID, Email: "max@acme.example"})
			p.putUser(account.User{ID: asset.MaxID - 1, Email: "almost@acme.example"})
			p.putKey(newKey("key", asset.MaxID, asset.MaxID, account.ScopeDispute))
			require.Equal(p, account.Principal{
				OrganizationID:   asset.MaxID,
				OrganizationSlug: "max",
				UserID:           asset.MaxID,
				Email:            "max@acme.example",
				Scopes:           []account.Scope{account.ScopeDispute},
			}, p.principal("key"))
		})},
	}
}
