package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func keyChecks() []requirement {
	ada := account.User{ID: 3, FullName: "Ada", Email: "ada@acme.example"}
	return []requirement{
		{"every field of a key is read back, oldest key first", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putUser(ada)
			newest := newKey("newest", 1, 0)
			oldest := newKey("oldest", 1, 3, account.Scopes()...)
			newest.CreatedAt, oldest.CreatedAt = at(2000).Add(999*time.Microsecond), at(1000)
			oldest.Name, oldest.ExpiresAt = "Oldest \U0001F600", at(3000)
			other := newKey("other", 0, 3, account.ScopeDispute)
			for _, key := range []account.Key{newest, oldest, other} {
				p.putKey(key)
			}
			keys := p.keys(1)
			require.Len(p, keys, 2, "the keys of the organization")
			require.Equal(p, oldest, keys[0])
			require.Equal(p, oldest, p.key("oldest"))
			require.Equal(p, newest.Hash, keys[1].Hash)
			require.Equal(p, at(2000), keys[1].CreatedAt)
			require.Empty(p, keys[1].Scopes)
			keys[0].Scopes[0] = "changed"
			require.Equal(p, account.Scopes(), p.principal("oldest").Scopes, "the scopes must not be shared with the caller")
		}},
		{"keys with the same creation time are ordered by hash, byte by byte", func(p *probe) {
			p.putOrganization(1, "acme")
			want := make([]account.Key, len(differentHashes))
			for i, hash := range differentHashes {
				want[i] = account.Key{Hash: hash, OrganizationID: 1, UserID: int64(i + 1), CreatedAt: at(0)}
				p.putUser(account.User{ID: want[i].UserID})
			}
			for _, key := range slices.Backward(want) {
				p.putKey(key)
			}
			keys := p.keys(1)
			for i := range keys {
				keys[i].Scopes = orNil(keys[i].Scopes)
			}
			require.Equal(p, want, keys)
			for _, key := range want {
				record, err := p.KeyByHash(p.Context(), key.Hash)
				require.NoError(p, err)
				require.Equal(p, key.UserID, record.Key.UserID, "hash %x", key.Hash)
			}
		}},
	}
}

// differentHashes are in ascending order. They differ after a zero byte, in the sign of a
// byte, or in the last byte, which a database may ignore.
var differentHashes = [...][32]byte{
	{},
	{31: 1},
	{31: 0xff},
	{1: 1},
	{1},
	{'A'},
	{'a'},
	{0x7f},
	{0x80},
	{0xff},
	{0xff, 31: 1},
}
