package apguard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
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
		"a user":                           {apguard.Subject{UserID: 1}, apguard.Erased{Users: 1, Disputes: 2}, []int64{2, 3}},
		"an address":                       {apguard.Subject{Email: " ADA@acme.example "}, apguard.Erased{Users: 2, Disputes: 2}, []int64{3}},
		"a user and the same address":      {apguard.Subject{UserID: 1, Email: "ada@acme.example"}, apguard.Erased{Users: 2, Disputes: 2}, []int64{3}},
		"a user and another address":       {apguard.Subject{UserID: 1, Email: "grace@acme.example"}, apguard.Erased{Users: 2, Disputes: 3}, []int64{2}},
		"an unknown user":                  {apguard.Subject{UserID: 9}, apguard.Erased{}, []int64{1, 2, 3}},
		"an unknown user with an address":  {apguard.Subject{UserID: 9, Email: "grace@acme.example"}, apguard.Erased{Users: 1, Disputes: 1}, []int64{1, 2}},
		"an address that is no such thing": {apguard.Subject{Email: "ada"}, apguard.Erased{}, []int64{1, 2, 3}},
	} {
		guard := newGuard(t, apguard.Options{})
		for id, email := range map[int64]string{1: "Ada@acme.example", 2: "ada@ACME.example", 3: "grace@acme.example"} {
			require.NoError(t, guard.Accounts.PutUser(t.Context(), account.User{ID: id, Email: email}))
		}
		for i, email := range []string{"ada@acme.example", "ADA@acme.example", "grace@acme.example"} {
			setStatus(t, guard, []string{"@a", "@b", "@c"}[i], asset.StatusBlocked)
			_, err := guard.CreateDispute(t.Context(), dispute.CreateRequest{Content: []string{"@a", "@b", "@c"}[i], Email: email, Description: "text"})
			require.NoError(t, err)
		}
		erased, err := guard.Erase(t.Context(), c.subject)
		require.NoError(t, err, reason)
		require.Equal(t, c.want, erased, reason)
		var kept []int64
		for id := range int64(3) {
			if _, err := guard.Accounts.User(t.Context(), id+1); err == nil {
				kept = append(kept, id+1)
			}
		}
		require.Equal(t, c.kept, kept, reason)
		erased, err = guard.Erase(t.Context(), c.subject)
		require.NoError(t, err, reason)
		require.Zero(t, erased, reason+", a second time")
	}
}
