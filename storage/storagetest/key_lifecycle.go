package storagetest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
)

func keyLifecycleChecks() []requirement {
	return []requirement{
		{"a revoked key cannot be put again", func(p *probe) {
			key := p.fullKey()
			want := p.revoke("key", at(10))
			require.ErrorIs(p, p.PutKey(p.Context(), key, audit.Entry{}), account.ErrRevokedKey)
			require.Equal(p, want, p.key("key"))
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
