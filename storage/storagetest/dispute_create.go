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
				Identity:    site(1),
				Content:     "HTTPS://SITE-1.example",
				Email:       "Ada@Acme.example",
				EmailKey:    "ada@acme.example",
				Description: "It is ours.",
				Notes:       systemNotes("second", "first", "second"),
				At:          at(5),
			})
			want := dispute.Dispute{
				ID:          got.ID,
				AssetID:     blocked.ID,
				Content:     "HTTPS://SITE-1.example",
				Email:       "Ada@Acme.example",
				Description: "It is ours.",
				State:       dispute.StateOpen,
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
			require.Equal(p, blocked, p.asset(site(1)), "CreateDispute must not change the asset")
		}},
		{"a dispute may have no notes", func(p *probe) {
			got := p.dispute(registeringCommand(1, "a@acme.example"))
			require.Empty(p, got.Notes)
			require.Empty(p, p.disputeByID(got.ID).Notes)
		}},
		{"IDs begin at 1 and grow", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			first := p.dispute(disputeCommand(1, "a@acme.example"))
			require.EqualValues(p, 1, first.ID)
			second := p.dispute(disputeCommand(1, "b@acme.example"))
			require.Greater(p, second.ID, first.ID)
			require.Equal(p, "a@acme.example", p.disputeByID(first.ID).Email)
			require.Equal(p, "b@acme.example", p.disputeByID(second.ID).Email)
		}},
		{"an unknown dispute is ErrNotFound", needs("Organizations", func(p *probe) {
			p.dispute(registeringCommand(1, "a@acme.example"))
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				_, err := p.DisputeByID(p.Context(), id)
				require.ErrorIs(p, err, dispute.ErrNotFound, "DisputeByID %d", id)
			}
		})},
		{"an unregistered asset is ErrNotFound and nothing is stored", func(p *probe) {
			_, err := p.CreateDispute(p.Context(), disputeCommand(1, "a@acme.example"))
			require.ErrorIs(p, err, asset.ErrNotFound)
			p.noAsset(site(1))
			p.set(site(1), asset.StatusBlocked, at(0))
			p.dispute(disputeCommand(1, "a@acme.example"))
		}},
		{"an asset is registered as UNKNOWN if the command says so", func(p *probe) {
			d := registeringCommand(1, "a@acme.example")
			d.Content = "HTTPS://SITE-1.example"
			got := p.dispute(d)
			require.Equal(p, asset.Asset{
				ID:       got.AssetID,
				Identity: site(1),
				Status:   asset.StatusUnknown,
			}, p.asset(site(1)))
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"a registered asset is not registered again", func(p *probe) {
			before := p.set(site(1), asset.StatusAllowed, at(0))
			d := registeringCommand(1, "a@acme.example")
			d.Content = "another spelling"
			require.Equal(p, before.ID, p.dispute(d).AssetID)
			require.Equal(p, before, p.asset(site(1)))
		}},
		{"the note of an external list is omitted if the asset is BLOCKED", func(p *probe) {
			p.set(site(1), asset.StatusUnknown, at(0))
			p.set(site(2), asset.StatusAllowed, at(0))
			p.set(site(3), asset.StatusBlocked, at(0))
			both := []dispute.Note{
				{Kind: dispute.NoteKindExternalList, Text: "listed", CreatedAt: at(0)},
				{Kind: dispute.NoteKindAPI, Text: "via API", CreatedAt: at(0)},
			}
			for n, want := range map[int][]dispute.Note{0: both, 1: both, 2: both, 3: both[1:]} {
				d := registeringCommand(n, "a@acme.example")
				d.Notes = both
				created := p.dispute(d)
				require.Equal(p, want, created.Notes, "asset %d", n)
				require.Equal(p, created, p.disputeByID(created.ID))
			}
		}},
		{"a second dispute of the asset and e-mail key is ErrExists", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			first := disputeCommand(1, "a@acme.example")
			first.Notes = systemNotes("first")
			created := p.dispute(first)
			second := disputeCommand(1, "A@Acme.example")
			second.EmailKey = "a@acme.example"
			second.Notes = systemNotes("second")
			_, err := p.CreateDispute(p.Context(), second)
			require.ErrorIs(p, err, dispute.ErrExists)
			require.Equal(p, created, p.disputeByID(created.ID))
		}},
		{"disputes may have equal e-mail addresses if their keys differ", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			p.dispute(disputeCommand(1, "a@acme.example"))
			other := disputeCommand(1, "a@acme.example")
			other.EmailKey = "other"
			p.dispute(other)
		}},
		{"one address may dispute two assets, and two addresses one asset", func(p *probe) {
			p.dispute(registeringCommand(1, "a@acme.example"))
			p.dispute(registeringCommand(2, "a@acme.example"))
			p.dispute(registeringCommand(1, "b@acme.example"))
		}},
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
		{"a dispute keeps the submitted content", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			d := disputeCommand(1, "a@acme.example")
			d.Content = "  HTTPS://site-1.EXAMPLE"
			require.Equal(p, d.Content, p.disputeByID(p.dispute(d).ID).Content)
		}},
	}
}
