package apguard_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestSubject_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		subject apguard.Subject
		want    string
	}{
		"nobody":               {apguard.Subject{}, "a user or an e-mail address is required"},
		"a blank address":      {apguard.Subject{Email: " "}, "a user or an e-mail address is required"},
		"a negative user":      {apguard.Subject{UserID: -1}, "userId: must be from 1 to 2^53-1"},
		"an address with NUL":  {apguard.Subject{Email: "a\x00"}, "email: must be valid UTF-8 without NUL"},
		"a user and no texts":  {apguard.Subject{UserID: 1}, ""},
		"an address of nobody": {apguard.Subject{Email: "ada"}, ""},
	} {
		_, err := newGuard(t, apguard.Options{}).Erase(t.Context(), c.subject)
		if c.want == "" {
			require.NoError(t, err, reason)
		} else {
			require.EqualError(t, err, "invalid input: "+c.want, reason)
		}
	}
}

func TestGuard_Erase(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		subject apguard.Subject
		want    apguard.Erased
		kept    []int64
	}{
		"a user":                           {apguard.Subject{UserID: 1}, apguard.Erased{Users: 2, Disputes: 2}, []int64{3, 4}},
		"a user without an address":        {apguard.Subject{UserID: 4}, apguard.Erased{Users: 1}, []int64{1, 2, 3}},
		"an address":                       {apguard.Subject{Email: " ADA@acme.example "}, apguard.Erased{Users: 2, Disputes: 2}, []int64{3, 4}},
		"a user and the same address":      {apguard.Subject{UserID: 1, Email: "ada@acme.example"}, apguard.Erased{Users: 2, Disputes: 2}, []int64{3, 4}},
		"a user and another address":       {apguard.Subject{UserID: 2, Email: "grace@acme.example"}, apguard.Erased{Users: 3, Disputes: 3}, []int64{4}},
		"an unknown user":                  {apguard.Subject{UserID: 9}, apguard.Erased{}, []int64{1, 2, 3, 4}},
		"an unknown user with an address":  {apguard.Subject{UserID: 9, Email: "grace@acme.example"}, apguard.Erased{Users: 1, Disputes: 1}, []int64{1, 2, 4}},
		"an address that is no such thing": {apguard.Subject{Email: "ada"}, apguard.Erased{}, []int64{1, 2, 3, 4}},
	} {
		for name, guard := range map[string]*apguard.Guard{"memory": newGuard(t, apguard.Options{}), "SQLite": newGuardOn(sqliteStore(t))} {
			t.Run(reason+" in "+name, func(t *testing.T) {
				t.Parallel()
				seedPersons(t, guard)
				erased, err := guard.Erase(t.Context(), c.subject)
				require.NoError(t, err)
				require.Equal(t, c.want, erased)
				require.Equal(t, c.kept, persons(t, guard))
				erased, err = guard.Erase(t.Context(), c.subject)
				require.NoError(t, err)
				require.Zero(t, erased, "a second time")
			})
		}
	}
}

// A letter that only looks like another one, or folds to it, is another address.
func TestGuard_Erase_OtherAddresses(t *testing.T) {
	t.Parallel()
	for name, guard := range map[string]*apguard.Guard{"memory": newGuard(t, apguard.Options{}), "SQLite": newGuardOn(sqliteStore(t))} {
		for id, email := range map[int64]string{1: " Mike.S@acme.example", 2: "mike.\u017f@acme.example", 3: "mi\u212ae.s@acme.example", 4: "m\u0130ke.s@acme.example"} {
			require.NoError(t, guard.Accounts.PutUser(t.Context(), account.User{ID: id, Email: email}))
		}
		erased, err := guard.Erase(t.Context(), apguard.Subject{Email: "mike.s@ACME.example"})
		require.NoError(t, err)
		require.Equal(t, apguard.Erased{Users: 1}, erased, name)
		require.Equal(t, []int64{2, 3, 4}, persons(t, guard), name)
	}
}

// A call by the ID of a user that failed is completed by the next one, although only this
// user leads to the others.
func TestGuard_Erase_Rest(t *testing.T) {
	t.Parallel()
	store := &failingRemoval{Store: memory.New(), left: 1}
	guard := newGuardOn(store)
	seedPersons(t, guard)
	erased, err := guard.Erase(t.Context(), apguard.Subject{UserID: 1})
	require.ErrorIs(t, err, errRemoval)
	require.Equal(t, apguard.Erased{Users: 1, Disputes: 2}, erased)
	store.left = 1
	erased, err = guard.Erase(t.Context(), apguard.Subject{UserID: 1})
	require.NoError(t, err)
	require.Equal(t, apguard.Erased{Users: 1}, erased)
	require.Equal(t, []int64{3, 4}, persons(t, guard))
}

var errRemoval = errors.New("removal fails")

// failingRemoval removes as many users as are left, and then fails.
type failingRemoval struct {
	storage.Store
	left int
}

func (f *failingRemoval) RemoveUser(ctx context.Context, id int64, entry audit.Entry) error {
	if f.left == 0 {
		return errRemoval
	}
	f.left--
	return f.Store.RemoveUser(ctx, id, entry)
}

func sqliteStore(t *testing.T) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "guard.db"), sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

// seedPersons puts the users 1 and 2 with one address, 3 with another and 4 without, and a
// dispute of each of the first three.
func seedPersons(t *testing.T, guard *apguard.Guard) {
	t.Helper()
	for id, email := range map[int64]string{1: "Ada@acme.example", 2: "ada@ACME.example", 3: "grace@acme.example", 4: ""} {
		require.NoError(t, guard.Accounts.PutUser(t.Context(), account.User{ID: id, Email: email}))
	}
	for i, email := range []string{"ada@acme.example", "ADA@acme.example", "grace@acme.example"} {
		setStatus(t, guard, []string{"@a", "@b", "@c"}[i], asset.StatusBlocked)
		_, err := guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: []string{"@a", "@b", "@c"}[i], Email: email, Description: "text"})
		require.NoError(t, err)
	}
}

// persons returns the IDs of the users that exist.
func persons(t *testing.T, guard *apguard.Guard) (kept []int64) {
	t.Helper()
	for id := range int64(4) {
		if _, err := guard.Accounts.User(t.Context(), id+1); err == nil {
			kept = append(kept, id+1)
		}
	}
	return kept
}

// The audit trail of a person outlives the person, without a name or an address.
func TestGuard_Erase_audit(t *testing.T) {
	t.Parallel()
	for name, guard := range map[string]*apguard.Guard{"memory": newGuard(t, apguard.Options{}), "SQLite": newGuardOn(sqliteStore(t))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := audit.WithActor(t.Context(), audit.Actor{Channel: audit.ChannelAPI, UserID: 9})
			ada := account.User{ID: 7, FullName: "Ada Lovelace", Email: "ada@acme.example"}
			require.NoError(t, guard.Accounts.PutUser(ctx, ada))
			secret, err := guard.Keys.Create(ctx, account.KeyRequest{UserID: 7, Name: "Ada's laptop", Scopes: account.Scopes()})
			require.NoError(t, err)
			_, err = guard.SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{})
			require.NoError(t, err)
			_, err = guard.Disputes.Create(ctx, dispute.CreateRequest{Content: "https://bad.example", Email: "ADA@acme.example"})
			require.NoError(t, err)
			for range 2 { // the second time, there is nothing to erase
				_, err = guard.Erase(ctx, apguard.Subject{Email: "ada@acme.example"})
				require.NoError(t, err)
			}

			var told []string
			for e, err := range guard.Audit.All(ctx, trail.Filter{}) {
				require.NoError(t, err)
				require.Equal(t, int64(9), e.Actor.UserID)
				told = append(told, strings.TrimSpace(strings.Join([]string{string(e.Kind), string(e.Action), e.Subject, e.Detail}, " ")))
			}
			key := account.Fingerprint(account.HashKey(secret))
			require.Equal(t, []string{
				"KEY REMOVED " + key, "USER REMOVED 7", "ERASURE ERASED  1",
				"KEY CREATED " + key + " changelog,dispute,allowlist,reports,report:write,check", "USER CREATED 7",
			}, told)
		})
	}
}
