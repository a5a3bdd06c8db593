package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func disputeCreateChecks() []requirement {
	return []requirement{
		{"a dispute is read back with every field", func(p *probe) {
			blocked := p.set(site(1), asset.StatusBlocked, at(0))
			got := p.dispute(dispute.CreateCommand{
				Identity:       site(1),
				Content:        "HTTPS://SITE-1.example",
				Email:          "Ada@Acme.example",
				EmailKey:       "ada@acme.example",
				Description:    "It is ours.",
				OrganizationID: asset.MaxID,
				CreatedBy:      asset.MaxID - 1,
				Notes:          systemNotes("second", "first", "second"),
				At:             at(5),
			})
			want := dispute.Dispute{
				ID:             1,
				AssetID:        blocked.ID,
				Content:        "HTTPS://SITE-1.example",
				Email:          "Ada@Acme.example",
				Description:    "It is ours.",
				OrganizationID: asset.MaxID,
				CreatedBy:      asset.MaxID - 1,
				State:          dispute.StateOpen,
				Notes: []dispute.Note{
					{Kind: dispute.NoteKindAPI, Text: "second", CreatedAt: at(5)},
					{Kind: dispute.NoteKindAPI, Text: "first", CreatedAt: at(5)},
					{Kind: dispute.NoteKindAPI, Text: "second", CreatedAt: at(5)},
				},
				CreatedAt: at(5),
				UpdatedAt: at(5),
			}
			require.Equal(p, want, got)
			require.Equal(p, want, p.disputeByID(got.ID))
			require.Equal(p, dispute.WithAsset{Dispute: want, Asset: blocked}, p.disputeWithAsset(got.ID))
			require.Equal(p, blocked, p.asset(site(1)), "CreateDispute must not change the asset")
		}},
		{"an unknown dispute is ErrNotFound", needs("Organizations", func(p *probe) {
			p.dispute(registeringCommand(1, "a@acme.example"))
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				_, err := p.DisputeByID(p.Context(), id)
				require.ErrorIs(p, err, dispute.ErrNotFound, "DisputeByID %d", id)
				_, err = p.DisputeWithAsset(p.Context(), id)
				require.ErrorIs(p, err, dispute.ErrNotFound, "DisputeWithAsset %d", id)
			}
		})},
		{"e-mail keys are compared byte by byte", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			for _, text := range differentTexts {
				d := disputeCommand(1, "a@acme.example")
				d.EmailKey = text
				_, err := p.CreateDispute(p.Context(), d)
				require.NoError(p, err, "e-mail key %q", text)
			}
		}},
		{"a dispute may have 1,000 notes", func(p *probe) {
			d := registeringCommand(1, "a@acme.example")
			texts := sites(numbersTo(1000)...)
			d.Notes = systemNotes(texts...)
			created := p.dispute(d)
			require.Equal(p, texts, noteTexts(created))
			require.Equal(p, created, p.disputeByID(created.ID))
		}},
	}
}
