package storagetest

import (
	"math"
	"slices"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
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
		{"storing an organization, a group or a user is told if it changes something", func(p *probe) {
			want := []audit.Entry{act(), with(act(), audit.ActionChanged)}
			for _, name := range []string{"first", "second", "second"} {
				require.NoError(p, p.PutOrganization(p.Context(), account.Organization{ID: 1, Slug: "acme", Name: name}, act()))
			}
			require.Equal(p, want, p.told())
			for _, name := range []string{"first", "second", "second"} {
				require.NoError(p, p.PutUser(p.Context(), account.User{ID: 1, FullName: name}, act()))
			}
			require.Equal(p, slices.Concat(want, want), p.told())
			for id, name := range []string{"first", "second", "second"} {
				group, err := p.PutGroup(p.Context(), account.Group{ID: int64(min(id, 1)), OrganizationID: 1, Name: name}, act())
				require.NoError(p, err)
				require.EqualValues(p, 1, group.ID)
			}
			require.Equal(p, slices.Concat(want, want, []audit.Entry{act().On(1), with(act(), audit.ActionChanged).On(1)}), p.told())
		}},
		{"storing a key is told if it changes something", func(p *probe) {
			key := newKey("key", 0, 0, account.ScopeCheck, account.ScopeReports)
			entry := act()
			entry.Detail = "check,reports"
			require.NoError(p, p.PutKey(p.Context(), key, act()))
			require.NoError(p, p.PutKey(p.Context(), key, act()))
			require.Equal(p, []audit.Entry{entry}, p.told())
			key.Scopes = key.Scopes[:1]
			require.NoError(p, p.PutKey(p.Context(), key, act()))
			changed := with(act(), audit.ActionChanged)
			changed.Detail = "check"
			require.Equal(p, []audit.Entry{entry, changed}, p.told())
		}},
		{"an update of a key appends its entry", func(p *probe) {
			p.putKey(newKey("key", 0, 0))
			_, err := p.UpdateKey(p.Context(), account.HashKey("key"), func(old account.Key) (account.KeyUpdate, error) {
				return account.KeyUpdate{Key: old, Entry: act()}, nil
			})
			require.NoError(p, err)
			require.Equal(p, []audit.Entry{act()}, p.told())
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
		{"a removal of a group is told", func(p *probe) {
			require.NoError(p, p.RemoveGroup(p.Context(), 1, p.newGroup(1, "Sites"), act()))
			require.Equal(p, []audit.Entry{act()}, p.told())
		}},
		{"acts on an endpoint are told, unless they change nothing", func(p *probe) {
			e, err := p.AddEndpoint(p.Context(), fullEndpoint(), act())
			require.NoError(p, err)
			require.Equal(p, []audit.Entry{act().On(e.ID)}, p.told())
			for _, url := range []string{e.URL, "https://other.example", "https://other.example"} {
				_, err := p.UpdateEndpoint(p.Context(), e.ID, func(old webhook.Endpoint) (webhook.Endpoint, error) {
					old.URL = url
					return old, nil
				}, act())
				require.NoError(p, err)
			}
			want := []audit.Entry{act().On(e.ID), act(), act()}
			require.Equal(p, want[:2], p.told())
			require.NoError(p, p.RemoveEndpoint(p.Context(), e.ID, act()))
			require.Equal(p, want, p.told())
		}},
		{"an erasure is told with the number of disputes", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			p.set(site(2), asset.StatusBlocked, at(0))
			p.dispute(disputeCommand(1, "ada@acme.example"))
			p.dispute(disputeCommand(2, "ada@acme.example"))
			cmd := dispute.EraseCommand{EmailKey: "ada@acme.example", Limit: 10, Audit: act()}
			for range 2 {
				_, err := p.EraseDisputes(p.Context(), cmd)
				require.NoError(p, err)
			}
			require.Equal(p, []audit.Entry{cmd.Entry(2)}, p.told(), "but the second call has erased nothing")
		}},
		{"statuses of an import are told if one changes", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			for _, n := range []int{1, 2, 2} {
				_, err := p.SetAssetStatuses(p.Context(), asset.SetStatusesCommand{
					Items:  []asset.StatusItem{{Identity: site(1), Status: asset.StatusBlocked}, {Identity: site(n), Status: asset.StatusBlocked}}[2-min(n, 2):],
					Origin: asset.Origin{Cause: asset.CauseImport}, At: at(9), Audit: act(),
				})
				require.NoError(p, err)
			}
			require.Equal(p, []audit.Entry{act()}, p.told())
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
		{"a call that fails appends nothing", func(p *probe) {
			p.putOrganization(1, "acme")
			p.newGroup(1, "Sites")
			p.putKey(newKey("key", 0, 0))
			p.revoke("key", at(1))
			id := p.addEndpoint(newEndpoint("https://a.example")).ID
			before := p.told()
			_, groupErr := p.PutGroup(p.Context(), account.Group{ID: 1, OrganizationID: 2}, act())
			_, keyErr := p.UpdateKey(p.Context(), account.HashKey("key"), func(old account.Key) (account.KeyUpdate, error) {
				return account.KeyUpdate{Key: old, Entry: act()}, errRefused
			})
			_, endpointErr := p.UpdateEndpoint(p.Context(), id, func(old webhook.Endpoint) (webhook.Endpoint, error) {
				old.URL = "changed"
				return old, errRefused
			}, act())
			_, statusErr := p.SetAssetStatuses(p.Context(), asset.SetStatusesCommand{
				Items: []asset.StatusItem{{Identity: site(1), Status: asset.StatusBlocked}}, IfStatus: asset.StatusAllowed,
				Origin: asset.Origin{Cause: asset.CauseImport}, At: at(1), Audit: act(),
			})
			for name, err := range map[string]error{
				"a taken slug":       p.PutOrganization(p.Context(), account.Organization{ID: 2, Slug: "acme"}, act()),
				"a taken group":      groupErr,
				"an unknown owner":   p.PutKey(p.Context(), newKey("other", 9, 0), act()),
				"a revoked key":      p.PutKey(p.Context(), newKey("key", 0, 0), act()),
				"a refused key":      keyErr,
				"no user":            p.RemoveUser(p.Context(), 9, act()),
				"no group":           p.RemoveGroup(p.Context(), 2, 1, act()),
				"no organization":    p.RemoveOrganization(p.Context(), 9, act()),
				"a refused endpoint": endpointErr,
				"no endpoint":        p.RemoveEndpoint(p.Context(), id+1, act()),
				"another status":     statusErr,
			} {
				require.Error(p, err, name)
			}
			require.Equal(p, before, p.told())
		}},
		{"entries are ordered by ID, the newest first, in pages of every size, with every filter", func(p *probe) {
			for n := range 12 {
				entry := act()
				entry.Kind = audit.Kinds()[n%3]
				entry.Actor.UserID = int64(n % 2)
				require.NoError(p, p.RemoveUser(p.Context(), p.newUser(1), entry))
			}
			all := p.auditTrail()
			require.Len(p, all, 12)
			slices.Reverse(all)
			require.True(p, slices.IsSortedFunc(all, func(a, b audit.Entry) int { return int(b.ID - a.ID) }))
			for _, filter := range []trail.Filter{
				{}, {Kind: audit.KindKey}, {UserID: 1}, {Kind: audit.KindGroup, UserID: 1}, {Kind: audit.KindErasure}, {UserID: asset.MaxID},
			} {
				want := slices.DeleteFunc(slices.Clone(all), func(e audit.Entry) bool { return !filter.Matches(e) })
				everyPageSize(p, orNil(want), func(last audit.Entry, size int) asset.Page[audit.Entry] {
					return p.auditPage(filter, last.ID, size)
				})
			}
			require.Equal(p, all, p.auditPage(trail.Filter{}, math.MaxInt64, noLimit).Items)
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
