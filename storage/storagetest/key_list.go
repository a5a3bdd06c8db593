package storagetest

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func compareHashes(a, b account.Key) int { return bytes.Compare(a.Hash[:], b.Hash[:]) }

func keyListChecks() []requirement {
	return []requirement{
		{"keys are ordered by organization, CreatedAt and hash, in pages of every size", func(p *probe) {
			require.Empty(p, p.keyPage(0, account.KeyCursor{}, noLimit).Items, "an empty store")
			p.putOrganization(1, "acme")
			p.putOrganization(2, "globex")
			const count = 12
			keys := make([]account.Key, 0, count)
			for n := range count {
				key := newKey(strconv.Itoa(n), int64(n%3), 0, account.ScopeCheck)
				key.CreatedAt = at(-n % 4)
				if n < 3 {
					key.CreatedAt = minTime
				}
				p.putKey(key)
				keys = append(keys, key)
			}
			slices.SortFunc(keys, func(a, b account.Key) int {
				return cmp.Or(cmp.Compare(a.OrganizationID, b.OrganizationID), a.CreatedAt.Compare(b.CreatedAt), compareHashes(a, b))
			})
			for organization := range int64(4) {
				want := slices.DeleteFunc(slices.Clone(keys), func(k account.Key) bool { return organization != 0 && k.OrganizationID != organization })
				everyPageSize(p, orNil(want), func(last account.Key, size int) asset.Page[account.Key] {
					var after account.KeyCursor
					if last.Hash != ([32]byte{}) {
						after = last.Cursor()
					}
					return p.keyPage(organization, after, size)
				})
			}
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
