package storagetest

import (
	"bytes"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func compareHashes(a, b account.Key) int { return bytes.Compare(a.Hash[:], b.Hash[:]) }

func keyListChecks() []requirement {
	return []requirement{
		{"a page of keys continues with an older key of the next organization", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "globex")
			first, second := newKey("first", 1, 0, account.ScopeCheck), newKey("second", 2, 0, account.ScopeCheck)
			second.CreatedAt = at(-1)
			p.putKey(first)
			p.putKey(second)
			require.Equal(p, []account.Key{second}, p.keyPage(0, first.Cursor(), noLimit).Items)
		}},
		{"keys are found by their fingerprint", func(p *probe) {
			prefix := [6]byte{1, 2, 3, 4, 5, 6}
			var same []account.Key
			for _, hash := range [][32]byte{
				{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 0xff, 31: 0xff}, {1, 2, 3, 4, 5, 5, 0xff}, {1, 2, 3, 4, 5, 7}, [32]byte(bytes.Repeat([]byte{0xff}, 32)),
			} {
				key := account.Key{Hash: hash, Scopes: []account.Scope{account.ScopeCheck}, CreatedAt: at(0)}
				p.putKey(key)
				if bytes.HasPrefix(hash[:], prefix[:]) {
					same = append(same, key)
				}
			}
			find := func(prefix [6]byte) []account.Key {
				found, err := p.KeysByFingerprint(p.Context(), prefix)
				require.NoError(p, err)
				return found
			}
			require.Equal(p, same, find(prefix))
			require.Len(p, find([6]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), 1)
			require.Empty(p, find([6]byte{9}))
		}},
	}
}
