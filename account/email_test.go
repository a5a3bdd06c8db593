package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestEmailKey(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ email, want string }{
		"letter case and white space": {" \tAda@ACME.Example\n", "ada@acme.example"},
		"letter case outside ASCII":   {"A@\u00dcber.example", "a@\u00fcber.example"},
		"a long s":                    {"\u017fue@acme.example", "\u017fue@acme.example"},
		"a Kelvin sign":               {"\u212aim@acme.example", "\u212aim@acme.example"},
		"a capital i with a dot":      {"a@\u0130.example", "a@\u0130.example"},
		"blank":                       {" ", ""},
	} {
		require.Equal(t, c.want, account.EmailKey(c.email), reason)
	}
}
