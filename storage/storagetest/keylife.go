package storagetest

import (
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

// rotation puts a key with the new secret in the place of the old one, which is
// revoked.
func rotation(secret, newSecret string, at time.Time) account.Rotation {
	return account.Rotation{Hash: account.HashKey(secret), NewHash: account.HashKey(newSecret), At: at}
}

// used is a use of a key that always counts as the last one has long passed.
func used(secret string, at time.Time) account.Use {
	return account.Use{Hash: account.HashKey(secret), At: at, LastBefore: lastMoment}
}

// furnishedKey puts an organization, a user and the key "key" with everything that a
// new key can have, and returns the key.
func (p *probe) furnishedKey() account.Key {
	p.Helper()
	p.putOrganization(1, "acme")
	p.putUser(account.User{ID: 3, FullName: "Ada", Email: "ada@acme.example"})
	key := keyOf("key", 1, 3, account.ScopeReports, account.ScopeDispute)
	key.Name, key.ExpiresAt = "Crawler", at(1000)
	p.putKey(key)
	return key
}

func keyLifeChecks() []check {
	return []check{
		{"a new key was neither revoked nor used", func(p *probe) {
			key := keyOf("key", 0, 0)
			key.RevokedAt, key.LastUsedAt = at(1), at(2)
			p.putKey(key)
			require.Equal(p, keyOf("key", 0, 0), p.key("key"))
		}},
		{"a key that is put again keeps its creation, its last use and its end alone", func(p *probe) {
			old := p.furnishedKey()
			p.touch(used("key", at(5)))
			again := keyOf("key", 0, 3, account.ScopeChangelog)
			again.Name, again.CreatedAt, again.RevokedAt, again.LastUsedAt = "New", at(7), at(8), at(9)
			p.putKey(again)
			again.CreatedAt, again.ExpiresAt, again.RevokedAt, again.LastUsedAt = old.CreatedAt, old.ExpiresAt, time.Time{}, at(5)
			require.Equal(p, again, p.key("key"))
		}},
		{"a key that is put again has the earlier of both ends", func(p *probe) {
			for i, c := range []struct {
				reason         string
				old, put, want time.Time
			}{
				{"an earlier end", at(1000), at(999), at(999)},
				{"a later end", at(1000), at(1001), at(1000)},
				{"the same end", at(1000), at(1000), at(1000)},
				{"never", at(1000), time.Time{}, at(1000)},
				{"an end over never", time.Time{}, at(1000), at(1000)},
				{"never over never", time.Time{}, time.Time{}, time.Time{}},
				{"the first moment after what means never", at(1000), firstMoment.Add(time.Millisecond), firstMoment.Add(time.Millisecond)},
				{"never over that moment", firstMoment.Add(time.Millisecond), time.Time{}, firstMoment.Add(time.Millisecond)},
				{"the last moment over never", time.Time{}, lastMoment, lastMoment},
				{"an end before 1970 over a later one", at(1000), at(1000).AddDate(-100, 0, 0), at(1000).AddDate(-100, 0, 0)},
			} {
				secret := strconv.Itoa(i)
				key := keyOf(secret, 0, 0)
				for _, expiry := range []time.Time{c.old, c.put, c.put} {
					key.ExpiresAt = expiry
					p.putKey(key)
				}
				require.Equal(p, c.want, p.key(secret).ExpiresAt, c.reason)
			}
		}},
		{"a key that was given a longer life has it until a put takes it back", func(p *probe) {
			key := p.furnishedKey()
			p.expire("key", time.Time{})
			p.expire("key", at(5000))
			require.Equal(p, at(5000), p.key("key").ExpiresAt)
			p.putKey(key)
			require.Equal(p, key, p.key("key"))
		}},
		{"a key that was rotated is put again, but keeps its end", func(p *probe) {
			key := p.furnishedKey()
			r := rotation("key", "new", at(100))
			r.Grace = 200 * time.Millisecond
			p.rotate(r)
			p.putKey(key)
			require.Equal(p, at(300), p.key("key").ExpiresAt)
		}},
		{"a revoked key is still read, with the time of it", func(p *probe) {
			want := p.furnishedKey()
			want.RevokedAt = at(10)
			require.Equal(p, want, p.revoke("key", at(10)))
			require.Equal(p, account.Grant{Key: want, OrganizationSlug: "acme", Email: "ada@acme.example"}, p.grant("key"))
			require.Equal(p, want, only(p, p.keys(1)))
		}},
		{"a key is revoked once", func(p *probe) {
			p.furnishedKey()
			first := p.revoke("key", at(10))
			for _, later := range []int{9, 10, 11} {
				require.Equal(p, first, p.revoke("key", at(later)))
			}
			require.Equal(p, first, p.key("key"))
		}},
		{"nothing changes a revoked key", func(p *probe) {
			p.furnishedKey()
			want := p.revoke("key", at(10))
			require.ErrorIs(p, p.PutKey(p.Context(), keyOf("key", 0, 0)), account.ErrRevokedKey)
			_, err := p.ExpireKey(p.Context(), want.Hash, at(20))
			require.ErrorIs(p, err, account.ErrRevokedKey)
			require.ErrorIs(p, p.RotateKey(p.Context(), rotation("key", "new", at(20))), account.ErrRevokedKey)
			p.touch(used("key", at(20)))
			require.Equal(p, want, p.key("key"))
			p.noKey("new")
		}},
		{"a revoked key leaves others alone", func(p *probe) {
			p.furnishedKey()
			other := keyOf("other", 1, 3, account.ScopeDispute)
			p.putKey(other)
			p.revoke("key", at(10))
			require.Equal(p, other, p.key("other"))
		}},
		{"a key gets another expiry, and never expires with the zero time", func(p *probe) {
			want := p.furnishedKey()
			for _, expiry := range []time.Time{at(-1000), at(5000), {}, at(1)} {
				want.ExpiresAt = expiry
				require.Equal(p, want, p.expire("key", expiry))
				require.Equal(p, want, p.key("key"))
			}
		}},
		{"no step knows a key that nobody put", func(p *probe) {
			p.furnishedKey()
			hash := account.HashKey("Key")
			_, err := p.RevokeKey(p.Context(), hash, at(1))
			require.ErrorIs(p, err, account.ErrUnknownKey)
			_, err = p.ExpireKey(p.Context(), hash, at(1))
			require.ErrorIs(p, err, account.ErrUnknownKey)
			require.ErrorIs(p, p.RotateKey(p.Context(), rotation("Key", "new", at(1))), account.ErrUnknownKey)
			p.touch(used("Key", at(1)))
			p.noKey("Key")
			p.noKey("new")
			require.Len(p, p.keys(1), 1)
		}},
		{"a rotation writes both keys as the domain has them", func(p *probe) {
			p.furnishedKey()
			p.touch(used("key", at(5)))
			r := rotation("key", "new", at(100))
			r.Grace = 200 * time.Millisecond
			ended, fresh, err := r.Of(p.key("key"))
			require.NoError(p, err)
			require.Equal(p, at(300), ended.ExpiresAt)
			p.rotate(r)
			require.Equal(p, ended, p.key("key"))
			require.Equal(p, account.Grant{Key: fresh, OrganizationSlug: "acme", Email: "ada@acme.example"}, p.grant("new"))
			require.Equal(p, []account.Key{ended, fresh}, p.keys(1))
		}},
		{"a key that has expired is not rotated", func(p *probe) {
			want := p.furnishedKey()
			require.ErrorIs(p, p.RotateKey(p.Context(), rotation("key", "new", want.ExpiresAt)), account.ErrExpiredKey)
			p.noKey("new")
			require.Equal(p, want, p.key("key"))
			p.rotate(rotation("key", "new", want.ExpiresAt.Add(-time.Millisecond)))
		}},
		{"a rotation without a grace period revokes the old key, whatever the clocks tell", func(p *probe) {
			want := p.furnishedKey()
			p.touch(used("key", at(5)))
			p.rotate(rotation("key", "new", at(10)))
			want.RevokedAt, want.LastUsedAt = at(10), at(5)
			for _, moment := range []time.Time{at(10), at(11), at(9), firstMoment} {
				require.ErrorIs(p, p.RotateKey(p.Context(), rotation("key", "newer", moment)), account.ErrRevokedKey)
			}
			require.ErrorIs(p, p.PutKey(p.Context(), keyOf("key", 0, 0)), account.ErrRevokedKey)
			_, err := p.ExpireKey(p.Context(), want.Hash, time.Time{})
			require.ErrorIs(p, err, account.ErrRevokedKey)
			require.Equal(p, want, p.key("key"), "the expiry is as it was")
			require.True(p, p.key("new").RevokedAt.IsZero(), "the new key is not revoked")
			p.noKey("newer")
		}},
		{"the last use is written when the one before is old enough", func(p *probe) {
			want := p.furnishedKey()
			for _, step := range []struct {
				reason         string
				at, lastBefore time.Time
				want           time.Time
			}{
				{"the first use", at(100), at(-900), at(100)},
				{"the one before is exactly as old", at(1100), at(100), at(100)},
				{"the one before is older by less than a millisecond", at(1100), at(100).Add(time.Nanosecond), at(1100)},
				{"a use that comes late", at(1099), lastMoment, at(1100)},
				{"the same use", at(1100), lastMoment, at(1100)},
				{"a use of the same millisecond", at(1100).Add(999 * time.Microsecond), lastMoment, at(1100)},
				{"a use in the next millisecond", at(1101).Add(999 * time.Microsecond), lastMoment, at(1101)},
				{"nothing is old enough", at(9000), firstMoment, at(1101)},
			} {
				p.touch(account.Use{Hash: want.Hash, At: step.at, LastBefore: step.lastBefore})
				want.LastUsedAt = step.want
				require.Equal(p, want, p.key("key"), step.reason)
			}
		}},
		{"a use of one key is none of another", func(p *probe) {
			p.putKey(keyOf("key", 0, 0))
			p.putKey(keyOf("other", 0, 0))
			p.touch(used("key", at(5)))
			require.True(p, p.key("other").LastUsedAt.IsZero())
		}},
		{"an import brings names and expiries", func(p *probe) {
			seed := fullSeed()
			seed.Keys[0].Name, seed.Keys[0].ExpiresAt = "Crawler", at(77)
			p.doImport(seed)
			key := p.key("apg_all")
			require.Equal(p, "Crawler", key.Name)
			require.Equal(p, at(77), key.ExpiresAt)
			require.True(p, key.RevokedAt.IsZero(), "not revoked")
			require.True(p, key.LastUsedAt.IsZero(), "not used")
			require.True(p, p.key("apg_user").ExpiresAt.IsZero(), "a key without one never expires")
		}},
	}
}
