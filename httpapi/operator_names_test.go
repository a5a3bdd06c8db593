package httpapi_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage"
)

// Users and organizations have names wherever a response has them. One read finds all users, and one
// all organizations. Without the names, a response is still right.
func TestOperator_Names(t *testing.T) {
	t.Parallel()
	for target, c := range map[string]struct {
		named, nameless      []string
		users, organizations int64 // reads
	}{
		"/report/list": {
			[]string{`"reviewedBy":{"id":1,"fullName":"Ada Lovelace"}`, `"organization":{"id":1,"slug":"acme","name":"Acme"}`, `"organization":{"id":2,"slug":"globex","name":"Globex"}`},
			[]string{`"reviewedBy":{"id":1,"fullName":null}`, `"organization":{"id":1,"slug":null,"name":null}`, `"organization":{"id":2,"slug":null,"name":null}`},
			1, 1,
		},
		"/report/reviews?proposalId=1": {
			[]string{`"reviewedBy":{"id":1,"fullName":"Ada Lovelace"}`}, []string{`"reviewedBy":{"id":1,"fullName":null}`}, 1, 0,
		},
		"/key/list": {
			[]string{`"organization":{"id":2,"slug":"globex","name":"Globex"}`, `"organization":null`, `"user":{"id":1,"fullName":"Ada Lovelace"}`, `"user":null`},
			[]string{`"organization":{"id":2,"slug":null,"name":null}`, `"organization":null`, `"user":{"id":1,"fullName":null}`, `"user":null`},
			1, 1,
		},
		"/audit/list": {[]string{`"user":null`}, []string{`"user":null`}, 0, 0},
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			for _, named := range []bool{true, false} {
				var reads nameReads
				s := startOperatorWith(t, setup{wrap: func(store storage.Store) storage.Store { return namingStore{store, &reads, named} }})
				got := s.read(target)
				require.Equal(t, http.StatusOK, got.Status)
				parts := c.nameless
				if named {
					parts = c.named
					require.Empty(t, s.log.String())
				}
				for _, part := range parts {
					require.Contains(t, got.Body, part)
				}
				require.Equal(t, []int64{c.users, c.organizations}, []int64{reads.users.Load(), reads.organizations.Load()})
			}
		})
	}
}

type nameReads struct{ users, organizations atomic.Int64 }

// namingStore counts the reads of names, which fail unless the field named is true.
type namingStore struct {
	storage.Store
	reads *nameReads
	named bool
}

func (s namingStore) UsersByID(ctx context.Context, ids []int64) ([]account.User, error) {
	s.reads.users.Add(1)
	if !s.named {
		return nil, errDisk
	}
	return s.Store.UsersByID(ctx, ids)
}

func (s namingStore) OrganizationsByID(ctx context.Context, ids []int64) ([]account.Organization, error) {
	s.reads.organizations.Add(1)
	if !s.named {
		return nil, errDisk
	}
	return s.Store.OrganizationsByID(ctx, ids)
}
