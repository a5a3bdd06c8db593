package storagetest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

func userChecks() []requirement {
	return []requirement{
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
			}, func(last account.User) step.Page[account.User] { return p.userPage(last.ID, noLimit) })
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
