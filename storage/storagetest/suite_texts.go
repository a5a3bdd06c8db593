package storagetest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/webhook"
)

// differentTexts are texts that a database may consider equal because of letter case,
// accents, Unicode normalization, width, trailing white space, or numbers.
var differentTexts = [...]string{
	"strasse", "STRASSE", "Strasse", "straße", "STRAẞE",
	"caf\u00e9", "cafe\u0301", "cafe", "CAF\u00c9",
	"k", "K", "\u212a",
	"i", "I", "\u0130", "\u0131",
	"\u03c3", "\u03c2", "\u03a3",
	"a", "\uff41", "a\u200b", "a ", " a", "a\t",
	"1", "01", "1.0", "1e0", "+1", "\u0661",
	"%", "_", "\\", "'", "\"", "''", "\\%", "NULL", "null", "?", "$1", ":a",
}

// strangeTexts must be returned unchanged.
var strangeTexts = [...]string{
	"",
	" ",
	" outer white space\t\n",
	"two\nlines, \r\nand three",
	"'; DROP TABLE apguard_assets; --",
	"\"quoted\" and 'quoted' and `quoted`",
	"back\\slash, \\n, \\u0041, \\x00",
	"%s %d {} $1 ? :name @name",
	"\u0001\u001f\u007f\u0080\u009f",           // control characters other than NUL
	"\u00e9 \u0065\u0301 \u1e69 s\u0323\u0307", // composed and with combining marks
	"\u05e9\u05dc\u05d5\u05dd \u202e\u0645\u0631\u062d\u0628\u0627\u202c", // right to left
	"\u65e5\u672c\u8a9e \ud55c\uad6d\uc5b4 \u0939\u093f\u0928\u094d\u0926\u0940",
	"\u200b\u200d\ufeff\u2028\u2029\ufffd\uffff\ufffe",
	"\U0001f600 \U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1fa\U0001f1f3",
	"\U00010000 \U0001d518 \U0001ffff", // plane 1
	"\U00020000 \U0002f800 \U0003134a", // planes 2 and 3
	"\U00040000 \U00080000 \U000d0000", // planes without characters
	"\U000e0001 \U000e01ef",            // plane 14
	"\U000f0000 \U0010fffd \U0010ffff", // planes for private use
}

func textChecks() []requirement {
	return []requirement{
		{"accounts store every text unchanged", func(p *probe) {
			for i, text := range strangeTexts {
				id := int64(i + 1)
				slug := "slug " + text
				p.putOrganization(id, slug)
				group := p.newGroup(id, text)
				p.putUser(account.User{ID: id, FullName: text, Email: text})
				key := newKey(text, id, id, account.ScopeReports)
				key.Name = text
				p.putKey(key)
				require.Equal(p, key, p.key(text))
				require.Equal(p, text, p.key(p.rotate(text, at(1), 0)).Name)
				bySlug, err := p.OrganizationBySlug(p.Context(), slug)
				require.NoError(p, err)
				require.Equal(p, id, bySlug.ID)
				require.Equal(p, account.Principal{
					OrganizationID:   id,
					OrganizationSlug: slug,
					UserID:           id,
					Email:            text,
					Scopes:           []account.Scope{account.ScopeReports},
				}, p.principal(text))
				require.Equal(p, []account.Group{{ID: group, OrganizationID: id, Name: text}}, p.groups(id))
			}
		}},
		{"assets, changes and allowlist entries store every text unchanged", func(p *probe) {
			a := addCommand(1)
			for _, text := range strangeTexts {
				a.Entries = append(a.Entries, allowlist.Entry{
					Asset:       asset.Asset{Identity: asset.Identity{Type: asset.TypePage, Canonical: "canonical " + text}},
					Content:     "content " + text,
					Name:        text,
					Description: "description " + text,
				})
			}
			a.Origin.Reference = strings.Join(strangeTexts[:], "")
			p.add(a)
			entries := p.entriesByAsset()
			require.Len(p, entries, len(strangeTexts))
			for i, text := range strangeTexts {
				identity := a.Entries[i].Asset.Identity
				entry := entries[identity]
				want := asset.Asset{ID: entry.Asset.ID, Identity: identity, Status: asset.StatusAllowed}
				require.Equal(p, want, p.asset(identity))
				require.Equal(p, allowlist.Entry{Asset: want, Content: "content " + text, Name: text, Description: "description " + text, AddedAt: at(0)}, entry)
				known := asset.Known{Asset: want, Basis: asset.Basis{By: asset.SourceOrganization, Since: at(0)}}
				require.Contains(p, p.list(asset.Filter{Prefix: identity.Canonical}), asset.Listed{Known: known, UpdatedAt: at(0)})
				require.Equal(p, []asset.Known{known}, p.assetsByIdentity(identity))
				change := only(p, p.changes(asset.ChangeFilter{Identity: identity}))
				require.Equal(p, "canonical "+text, change.Content)
				require.Equal(p, a.Origin.Reference, change.Origin.Reference)
			}
		}},
		{"disputes store every text unchanged", func(p *probe) {
			for _, text := range strangeTexts {
				d := registeringCommand(1, text)
				d.Content, d.Description = text, text
				d.Notes = systemNotes(strangeTexts[:]...)
				got := p.disputeByID(p.dispute(d).ID)
				require.Equal(p, []string{text, text, text}, []string{got.Content, got.Email, got.Description})
				require.Equal(p, strangeTexts[:], noteTexts(got))
			}
		}},
		{"transitions and notes of disputes store every text unchanged", func(p *probe) {
			for i, text := range strangeTexts {
				d := p.disputeIn(i, dispute.StateOpen)
				m := acceptance(d.ID, asset.StatusAllowed, at(1))
				m.Reason = text
				p.transition(m)
				p.addNote(noteCommand(d.ID, text, at(2)))
				require.Equal(p, []string{text, text}, noteTexts(p.disputeByID(d.ID)))
			}
		}},
		{"reports store every text unchanged", func(p *probe) {
			for i, text := range strangeTexts {
				id := int64(i + 1)
				p.putUser(account.User{ID: id, FullName: text, Email: text})
				filed := p.file(report.FileCommand{
					OrganizationID: id,
					Title:          text,
					Description:    text,
					ReporterID:     id,
					At:             at(0),
					Proposals: []report.ProposedAsset{{
						Identity:       asset.Identity{Type: asset.TypePage, Canonical: "canonical " + text},
						Content:        "content " + text,
						ProposedStatus: asset.StatusBlocked,
					}},
				})
				require.Equal(p, text, filed.Title)
				require.Equal(p, text, filed.Description)
				require.Equal(p, report.Reporter{ID: id, FullName: text, Email: text}, filed.Reporter)
				require.Equal(p, "content "+text, filed.Proposals[0].Content)
				require.Equal(p, "canonical "+text, filed.Proposals[0].Asset.Canonical)
				require.Equal(p, []report.Report{filed}, p.reports(id, report.Filter{}))
				if query := text; strings.TrimSpace(query) != "" {
					require.Len(p, p.reports(id, report.Filter{SearchQuery: query, ReporterQuery: query}), 1, "a search for %q", query)
				}
			}
		}},
		{"reviews store every text unchanged", func(p *probe) {
			proposal := p.newProposal()
			for _, text := range strangeTexts {
				draft := reviewOf(proposal, report.ReviewReject, 1)
				draft.Comment = text
				reviewed := p.review(draft)
				cmd := withdrawCommand(reviewed.Proposals[0].ReviewID, at(2))
				cmd.Reason = text
				p.withdraw(cmd)
			}
			stored := p.reviewsOf(proposal.ID)
			require.Len(p, stored, len(strangeTexts))
			for i, text := range strangeTexts {
				require.Equal(p, []string{text, text}, []string{stored[i].Comment, stored[i].WithdrawnReason})
			}
		}},
		{"lists and their changes store every text unchanged", func(p *probe) {
			for n, text := range strangeTexts {
				list := newList("list " + text)
				list.Error, list.URL, list.ETag, list.LastModified = text, text, text, text
				list.ID = p.addList(list).ID
				require.Contains(p, p.lists(), list)
				list.Error += text
				require.Equal(p, list, p.putList(list.Name, func(l *lists.List) { l.Error += text }))
				require.Contains(p, p.lists(), list)

				cmd := decideCommand(list, at(n), asset.StatusBlocked, n)
				cmd.Entries[0].Identity.Canonical, cmd.Origin.Reference = "canonical "+text, text
				decided := p.decideEntries(cmd)
				require.Equal(p, decided[0], only(p, p.listEntries(list.ID)).Asset)
				require.Equal(p, cmd.Entries[0].Identity, decided[0].Identity)
				require.Equal(p, text, p.newestChange().Origin.Reference)
			}
		}},
		{"endpoints store every text unchanged", func(p *probe) {
			for _, text := range strangeTexts {
				e := newEndpoint(text)
				e.Lease = text
				id := p.addEndpoint(e).ID
				for range 2 {
					got := p.endpoint(id)
					require.Equal(p, []string{text, text, e.Secret.Reveal()}, []string{got.URL, got.Lease, got.Secret.Reveal()})
					p.updateEndpoint(id, func(e *webhook.Endpoint) { e.OldSecret = webhook.StoredSecret(text) })
				}
				require.Equal(p, text, p.endpoint(id).OldSecret.Reveal())
			}
		}},
		{"every Unicode character except NUL is stored", func(p *probe) {
			var all strings.Builder
			for r := rune(1); r <= unicode.MaxRune; r++ {
				if utf8.ValidRune(r) {
					all.WriteRune(r)
				}
			}
			f := fileCommand("report")
			f.Description = all.String()
			p.sameText(f.Description, p.file(f).Description)
			p.sameText(f.Description, p.newestReport(1).Description)
		}},
	}
}

// sameText requires equal texts without printing them.
func (p *probe) sameText(want, got string) {
	p.Helper()
	if want == got {
		return
	}
	same := 0
	for same < min(len(want), len(got)) && want[same] == got[same] {
		same++
	}
	require.Failf(p, "a text must be returned unchanged", "from byte %d on, %+q was returned as %+q",
		same, want[same:min(same+20, len(want))], got[same:min(same+20, len(got))])
}
