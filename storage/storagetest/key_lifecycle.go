package storagetest

import (
	"fmt"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func keyLifecycleChecks() []requirement {
	return []requirement{
		{"a new key is neither revoked nor used", func(p *probe) {
			key := newKey("key", 0, 0)
			key.RevokedAt, key.LastUsedAt = at(1), at(2)
			p.putKey(key)
			require.Equal(p, newKey("key", 0, 0), p.key("key"))
		}},
		{"a key that is put again keeps its creation time, last use and expiry, and nothing else", func(p *probe) {
			old := p.fullKey()
			p.recordUse(keyUse("key", at(5)))
			again := newKey("key", 0, 3, account.ScopeChangelog)
			again.Name, again.CreatedAt, again.RevokedAt, again.LastUsedAt = "New", at(7), at(8), at(9)
			p.putKey(again)
			again.CreatedAt, again.ExpiresAt, again.RevokedAt, again.LastUsedAt = old.CreatedAt, old.ExpiresAt, time.Time{}, at(5)
			require.Equal(p, again, p.key("key"))
		}},
		{"a key that is put again has the earlier of both expiries", func(p *probe) {
			for i, c := range []struct {
				reason         string
				old, put, want time.Time
			}{
				{"an earlier expiry", at(1000), at(999), at(999)},
				{"a later expiry", at(1000), at(1001), at(1000)},
				{"the same expiry", at(1000), at(1000), at(1000)},
				{"never", at(1000), time.Time{}, at(1000)},
				{"an expiry over never", time.Time{}, at(1000), at(1000)},
				{"never over never", time.Time{}, time.Time{}, time.Time{}},
				{"the earliest possible expiry", at(1000), minTime.Add(time.Millisecond), minTime.Add(time.Millisecond)},
				{"never over the earliest possible expiry", minTime.Add(time.Millisecond), time.Time{}, minTime.Add(time.Millisecond)},
				{"the latest possible expiry over never", time.Time{}, maxTime, maxTime},
				{"an expiry before 1970 over a later one", at(1000), at(1000).AddDate(-100, 0, 0), at(1000).AddDate(-100, 0, 0)},
			} {
				secret := strconv.Itoa(i)
				key := newKey(secret, 0, 0)
				for _, expiry := range []time.Time{c.old, c.put, c.put} {
					key.ExpiresAt = expiry
					p.putKey(key)
				}
				require.Equal(p, c.want, p.key(secret).ExpiresAt, c.reason)
			}
		}},
		{"an update may set a later expiry, and a put an earlier one", func(p *probe) {
			key := p.fullKey()
			p.expire("key", time.Time{})
			p.expire("key", at(5000))
			require.Equal(p, at(5000), p.key("key").ExpiresAt)
			p.putKey(key)
			require.Equal(p, key, p.key("key"))
		}},
		{"a rotated key that is put again keeps its expiry", func(p *probe) {
			key := p.fullKey()
			p.rotate("key", at(100), 200*time.Millisecond)
			p.putKey(key)
			require.Equal(p, at(300), p.key("key").ExpiresAt)
		}},
		{"a revoked key is read back with the time of its revocation", func(p *probe) {
			want := p.fullKey()
			want.RevokedAt = at(10)
			require.Equal(p, want, p.revoke("key", at(10)))
			require.Equal(p, account.KeyRecord{Key: want, OrganizationSlug: "acme", Email: "ada@acme.example"}, p.keyRecord("key"))
			require.Equal(p, want, only(p, p.keys(1)))
		}},
		{"a second revocation keeps the time of the first", func(p *probe) {
			p.fullKey()
			first := p.revoke("key", at(10))
			for _, later := range []int{9, 10, 11} {
				require.Equal(p, first, p.revoke("key", at(later)))
			}
			require.Equal(p, first, p.key("key"))
		}},
		{"a revoked key cannot be changed, rotated or used", func(p *probe) {
			p.fullKey()
			want := p.revoke("key", at(10))
			require.ErrorIs(p, p.PutKey(p.Context(), newKey("key", 0, 0)), account.ErrRevokedKey)
			_, err := p.keysAt(at(20)).SetExpiry(p.Context(), want.Hash, at(5000))
			require.ErrorIs(p, err, account.ErrRevokedKey)
			_, err = p.keysAt(at(20)).Rotate(p.Context(), want.Hash, 0)
			require.ErrorIs(p, err, account.ErrRevokedKey)
			p.recordUse(keyUse("key", at(20)))
			require.Equal(p, want, p.key("key"))
			require.Len(p, p.keys(1), 1, "a revoked key must not get a successor")
		}},
		{"a revocation affects one key", func(p *probe) {
			p.fullKey()
			other := newKey("other", 1, 3, account.ScopeDispute)
			p.putKey(other)
			p.revoke("key", at(10))
			require.Equal(p, other, p.key("other"))
		}},
		{"an update sets any expiry, and the zero time means never", func(p *probe) {
			want := p.fullKey()
			for _, expiry := range []time.Time{at(-1000), at(5000), {}, at(1)} {
				want.ExpiresAt = expiry
				require.Equal(p, want, p.expire("key", expiry))
				require.Equal(p, want, p.key("key"))
			}
		}},
		{"UpdateKey of an unknown key is ErrUnknownKey, and RecordKeyUse ignores it", func(p *probe) {
			p.fullKey()
			_, err := p.UpdateKey(p.Context(), account.HashKey("Key"), func(account.Key) (account.KeyUpdate, error) {
				return account.KeyUpdate{Key: newKey("Key", 0, 0)}, errRefused
			})
			require.ErrorIs(p, err, account.ErrUnknownKey)
			p.recordUse(keyUse("Key", at(1)))
			p.noKey("Key")
			require.Len(p, p.keys(1), 1)
		}},
		{"an update receives the stored key and stores every field", func(p *probe) {
			want := p.fullKey()
			p.recordUse(keyUse("key", at(5)))
			want.LastUsedAt = at(5)
			changed := newKey("key", 1, 3, account.ScopeChangelog, account.ScopeAllowlist)
			changed.Name, changed.CreatedAt, changed.ExpiresAt = "Changed", at(-7), at(7)
			changed.RevokedAt, changed.LastUsedAt = at(8), at(9)
			var old account.Key
			got := p.updateKey("key", func(key *account.Key) { old, *key = *key, changed })
			require.Equal(p, want, old)
			require.Equal(p, changed, got)
			require.Equal(p, changed, p.key("key"))
			require.Equal(p, []account.Key{changed}, p.keys(1))
		}},
		{"an update stores a successor", func(p *probe) {
			old := p.fullKey()
			successor := newKey("new", 1, 3, account.ScopeChangelog)
			successor.Name, successor.CreatedAt, successor.ExpiresAt = "New", at(10), at(2000)
			got, err := p.UpdateKey(p.Context(), old.Hash, func(old account.Key) (account.KeyUpdate, error) {
				return account.KeyUpdate{Key: old, Successor: &successor}, nil
			})
			require.NoError(p, err)
			require.Equal(p, old, got)
			require.Equal(p, account.KeyRecord{Key: successor, OrganizationSlug: "acme", Email: "ada@acme.example"}, p.keyRecord("new"))
			require.Equal(p, []account.Key{old, successor}, p.keys(1))
		}},
		{"the error of an update is returned unchanged, and nothing is stored", func(p *probe) {
			want := p.fullKey()
			for _, refusal := range []error{errRefused, account.ErrExpiredKey, fmt.Errorf("wrapped: %w", account.ErrUnknownKey)} {
				successor := newKey("new", 1, 3)
				got, err := p.UpdateKey(p.Context(), want.Hash, func(old account.Key) (account.KeyUpdate, error) {
					old.Name = "Changed"
					return account.KeyUpdate{Key: old, Successor: &successor}, refusal
				})
				require.Equal(p, refusal, err)
				require.Zero(p, got)
				require.Equal(p, want, p.key("key"))
				p.noKey("new")
			}
		}},
		{"a rotation stores both keys", func(p *probe) {
			want := p.fullKey()
			p.recordUse(keyUse("key", at(5)))
			fresh := p.rotate("key", at(100), 200*time.Millisecond)
			want.LastUsedAt, want.ExpiresAt = at(5), at(300)
			require.Equal(p, want, p.key("key"))
			successor := newKey(fresh, 1, 3, want.Scopes...)
			successor.Name, successor.CreatedAt, successor.ExpiresAt = want.Name, at(100), at(1100)
			require.Equal(p, account.KeyRecord{Key: successor, OrganizationSlug: "acme", Email: "ada@acme.example"}, p.keyRecord(fresh))
			require.Equal(p, []account.Key{want, successor}, p.keys(1))
		}},
		{"an expired key cannot be rotated", func(p *probe) {
			want := p.fullKey()
			_, err := p.keysAt(want.ExpiresAt).Rotate(p.Context(), want.Hash, 0)
			require.ErrorIs(p, err, account.ErrExpiredKey)
			require.Equal(p, []account.Key{want}, p.keys(1))
			p.rotate("key", want.ExpiresAt.Add(-time.Millisecond), 0)
		}},
		{"a rotation without a grace period revokes the old key, even if a clock is set back", func(p *probe) {
			want := p.fullKey()
			p.recordUse(keyUse("key", at(5)))
			fresh := p.rotate("key", at(10), 0)
			want.RevokedAt, want.LastUsedAt = at(10), at(5)
			for _, now := range []time.Time{at(10), at(11), at(9), minTime} {
				_, err := p.keysAt(now).Rotate(p.Context(), want.Hash, 0)
				require.ErrorIs(p, err, account.ErrRevokedKey)
			}
			require.ErrorIs(p, p.PutKey(p.Context(), newKey("key", 0, 0)), account.ErrRevokedKey)
			_, err := p.keysAt(at(10)).ClearExpiry(p.Context(), want.Hash)
			require.ErrorIs(p, err, account.ErrRevokedKey)
			require.Equal(p, want, p.key("key"), "the expiry is unchanged")
			require.True(p, p.key(fresh).RevokedAt.IsZero(), "the new key is not revoked")
			require.Len(p, p.keys(1), 2)
		}},
		{"a use is recorded if the last one is before LastBefore", func(p *probe) {
			want := p.fullKey()
			for _, step := range []struct {
				reason         string
				at, lastBefore time.Time
				want           time.Time
			}{
				{"the first use", at(100), at(-900), at(100)},
				{"the last one is at LastBefore", at(1100), at(100), at(100)},
				{"the last one is a nanosecond before LastBefore", at(1100), at(100).Add(time.Nanosecond), at(1100)},
				{"an earlier use that is recorded late", at(1099), maxTime, at(1100)},
				{"the same use", at(1100), maxTime, at(1100)},
				{"a use of the same millisecond", at(1100).Add(999 * time.Microsecond), maxTime, at(1100)},
				{"a use in the next millisecond", at(1101).Add(999 * time.Microsecond), maxTime, at(1101)},
				{"LastBefore is before the last use", at(9000), minTime, at(1101)},
			} {
				p.recordUse(account.KeyUse{Hash: want.Hash, At: step.at, LastBefore: step.lastBefore})
				want.LastUsedAt = step.want
				require.Equal(p, want, p.key("key"), step.reason)
			}
		}},
		{"a use affects one key", func(p *probe) {
			p.putKey(newKey("key", 0, 0))
			p.putKey(newKey("other", 0, 0))
			p.recordUse(keyUse("key", at(5)))
			require.True(p, p.key("other").LastUsedAt.IsZero())
		}},
		{"an import stores names and expiries", needs("Import", func(p *probe) {
			seed := fullSeed()
			seed.Keys[0].Name, seed.Keys[0].ExpiresAt = "Crawler", at(77)
			p.importSeed(seed)
			key := p.key("apg_all")
			require.Equal(p, "Crawler", key.Name)
			require.Equal(p, at(77), key.ExpiresAt)
			require.True(p, key.RevokedAt.IsZero(), "not revoked")
			require.True(p, key.LastUsedAt.IsZero(), "not used")
			require.True(p, p.key("apg_user").ExpiresAt.IsZero(), "a key without expiry must not get one")
		})},
	}
}
