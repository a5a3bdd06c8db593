package storagetest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func userChecks() []requirement {
	return []requirement{
		{"users are ordered by ID, in pages of every size", func(p *probe) {
			require.Empty(p, p.userPage(0, noLimit).Items, "an empty store")
			all := []int64{1, 2, 30, 400, asset.MaxID - 1, asset.MaxID}
			var want []account.User
			for _, id := range slices.Backward(all) {
				user := account.User{ID: id, FullName: "Ada", Email: "ada@acme.example", Automation: id%2 == 0}
				p.putUser(user)
				want = append([]account.User{user}, want...)
			}
			everyPageSize(p, want, func(last account.User, size int) asset.Page[account.User] { return p.userPage(last.ID, size) })
			require.EqualValues(p, 400, only(p, p.userPage(31, 1).Items).ID, "after an unknown ID")
		}},
		{"users are found by many IDs, each once and in order", func(p *probe) {
			stored := []int64{1, 2, 30, asset.MaxID - 1, asset.MaxID}
			want := make([]account.User, len(stored))
			for i, id := range stored {
				want[i] = account.User{ID: id, FullName: "Ada " + strconv.FormatInt(id, 10), Email: "ada@acme.example", Automation: id == 2}
				p.putUser(want[i])
			}
			requireByID(p, stored, want, p.usersByID)
		}},
		{"pages of users are limited by bytes", func(p *probe) {
			requirePagesByBytes(p, func(sizes []int) {
				for i, size := range sizes {
					user := account.User{ID: int64(i + 1)}
					user.FullName = strings.Repeat("f", size-user.PageBytes())
					p.putUser(user)
				}
			}, func(last account.User) asset.Page[account.User] { return p.userPage(last.ID, noLimit) })
		}},
	}
}

// requireByID requires that IDs find the records with them, which are ordered by ID.
func requireByID[T any](p *probe, stored []int64, want []T, find func(ids ...int64) []T) {
	p.Helper()
	require.Empty(p, find(), "no IDs")
	require.Empty(p, find(3, asset.MaxID-2), "unknown IDs")
	many := ids(5000) // more than a statement may have arguments of their own
	for _, id := range slices.Backward(stored) {
		many = append(many, id, id)
	}
	require.Equal(p, want, find(many...))
	require.Equal(p, want[1:2], find(stored[1]))
}
