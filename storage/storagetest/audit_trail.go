package storagetest

import (
	"slices"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

func auditChecks() []requirement {
	return []requirement{
		{"every field of an entry is read back", func(p *probe) {
			want := audit.Entry{
				At: at(7), Actor: audit.Actor{Channel: audit.ChannelAPI, UserID: asset.MaxID, Key: "0123456789ab"},
				Kind: audit.KindKey, Action: audit.ActionRemoved, Subject: "a subject",
				OrganizationID: asset.MaxID - 1, UserID: asset.MaxID - 2, Detail: "check,reports",
			}
			given := want
			given.ID, given.At = 77, want.At.Add(999)
			require.NoError(p, p.RemoveUser(p.Context(), p.newUser(1), given))
			require.Equal(p, []audit.Entry{want}, p.told(), "with an ID of the store, and whole milliseconds")
		}},
		{"a zero entry is not appended", func(p *probe) {
			p.fill()
			require.Empty(p, p.auditTrail())
		}},
		{"the keys that are removed with their owner are told", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(account.User{ID: 3})
			p.putUser(account.User{ID: 4})
			var keys []account.Key
			for _, secret := range []string{"a", "b", "c"} {
				keys = append(keys, newKey(secret, 1, 3))
			}
			keys = append(keys, newKey("d", 1, 4), newKey("e", 0, 3))
			for _, key := range keys {
				p.putKey(key)
			}
			removed := func(keys []account.Key) []audit.Entry {
				keys = slices.SortedFunc(slices.Values(keys), compareHashes)
				entries := append(make([]audit.Entry, 0, len(keys)+1), act())
				for _, key := range keys {
					entries = append(entries, key.Removed(act()))
				}
				return entries
			}
			require.NoError(p, p.RemoveUser(p.Context(), 4, act()))
			want := removed(keys[3:4])
			require.Equal(p, want, p.told())
			require.NoError(p, p.RemoveOrganization(p.Context(), 1, act()))
			want = append(want, removed(keys[:3])...)
			require.Equal(p, want, p.told())
			require.NoError(p, p.RemoveUser(p.Context(), 3, act()))
			require.Equal(p, append(want, removed(keys[4:])...), p.told())
		}},
		{"a pruning is told if it removes something", func(p *probe) {
			p.set(site(3), asset.StatusBlocked, at(0))
			p.set(site(3), asset.StatusAllowed, at(1))
			p.closedDisputeBy("ada@acme.example", 3, at(2))
			p.closedReport(1, 4, at(3))
			want := []audit.Entry{}
			for minute := range 5 {
				changes := asset.PruneCommand{Before: at(minute), Limit: 10, Audit: act()}
				disputes := dispute.PruneCommand{Before: at(minute), Limit: 10, Audit: act()}
				reports := report.PruneCommand{Scope: report.AnyOrganization(), Before: at(minute), Limit: 10, Audit: act()}
				p.prune(changes)
				_, err := p.PruneDisputes(p.Context(), disputes)
				require.NoError(p, err)
				p.pruneReports(reports)
				if minute == 1 || minute == 3 || minute == 4 {
					want = append(want, act())
				}
				require.Equal(p, want, p.told(), "before minute %d", minute)
			}
		}},
		{"an import of a seed is told", func(p *probe) {
			seed := fullSeed()
			seed.Audit = act()
			p.importSeed(seed)
			require.Equal(p, []audit.Entry{act()}, p.told())
			require.ErrorIs(p, p.Import(p.Context(), seed), storage.ErrNotEmpty)
			require.Len(p, p.told(), 1)
		}},
		{"an import of an empty seed is not told", func(p *probe) {
			require.NoError(p, p.Import(p.Context(), storage.Seed{Audit: act()}))
			require.Empty(p, p.told())
		}},
		{"services tell a day of administration", administrationDay},
	}
}

func auditConcurrencyChecks() []requirement {
	return []requirement{
		{"of concurrent calls that store one user, one is told to have created it", func(p *probe) {
			const calls = 16
			p.allSucceed(concurrently(calls, func(i int) error {
				return p.PutUser(p.Context(), account.User{ID: 1, FullName: strconv.Itoa(i)}, act())
			}))
			told := p.told()
			require.Len(p, told, calls)
			created := slices.DeleteFunc(told, func(e audit.Entry) bool { return e.Action != audit.ActionCreated })
			require.Len(p, created, 1)
		}},
		{"concurrent acts are all told, with different IDs", func(p *probe) {
			const calls = 16
			for i := range calls {
				p.newUser(int64(i + 1))
			}
			p.allSucceed(concurrently(calls, func(i int) error { return p.RemoveUser(p.Context(), int64(i+1), act()) }))
			require.Len(p, p.auditTrail(), calls)
		}},
		{"one of concurrent removals is told", func(p *probe) {
			p.newUser(1)
			p.oneSucceeds(concurrently(8, func(int) error { return p.RemoveUser(p.Context(), 1, act()) }), account.ErrUserNotFound)
			require.Len(p, p.auditTrail(), 1)
		}},
		{"one of concurrent revocations is told", func(p *probe) {
			p.putKey(newKey("key", 0, 0))
			p.allSucceed(concurrently(8, func(int) error {
				_, err := p.keysAt(at(1)).Revoke(p.Context(), account.HashKey("key"))
				return err
			}))
			require.Len(p, p.auditTrail(), 1)
		}},
	}
}
