package account_test

import (
	"strings"
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

func TestValidEmail(t *testing.T) {
	t.Parallel()
	label := strings.Repeat("a", 63)
	for reason, c := range map[string]struct {
		email string
		want  bool
	}{
		"an ordinary address":                    {"ada@acme.example", true},
		"a host without dots":                    {"root@localhost", true},
		"the ends of the alphabet":               {"09AZaz@a.example", true},
		"every sign of an atom":                  {"!#$%&'*+-/=?^_`{|}~.9@acme.example", true},
		"a domain in another script":             {"ada@b\u00fccher.example", true},
		"a domain with combining marks":          {"ada@\u0939\u093f\u0928\u094d\u0926\u0940.example", true},
		"a domain in punycode":                   {"ada@xn--bcher-kva.example", true},
		"the longest local part":                 {strings.Repeat("a", 64) + "@a.example", true},
		"the longest domain":                     {"a@" + strings.Join([]string{label, label, label, label[:61]}, "."), true},
		"empty":                                  {"", false},
		"no at sign":                             {"acme.example", false},
		"no local part":                          {"@acme.example", false},
		"no domain":                              {"ada@", false},
		"two at signs":                           {"a@b@acme.example", false},
		"a bracket first":                        {"(ada@acme.example", false},
		"a direction mark first in the domain":   {"ada@\u202eacme.example", false},
		"a dot first":                            {".ada@acme.example", false},
		"a dot last":                             {"ada.@acme.example", false},
		"a doubled dot":                          {"a..b@acme.example", false},
		"a quoted local part":                    {"\"a b\"@acme.example", false},
		"a display name":                         {"Ada <ada@acme.example>", false},
		"a space":                                {"a da@acme.example", false},
		"a line break, which could forge a mail": {"ada@acme.example\nBcc: all", false},
		"a NUL":                                  {"ada@acme.example\x00", false},
		"a local part outside of ASCII":          {"\u00e4da@acme.example", false},
		"a direction mark in the domain":         {"ada@acme\u202e.example", false},
		"an address in brackets":                 {"ada@[127.0.0.1]", false},
		"a label with a hyphen first":            {"ada@-acme.example", false},
		"a label with a hyphen last":             {"ada@acme-.example", false},
		"a label with an underscore":             {"ada@ac_me.example", false},
		"an empty label":                         {"ada@acme..example", false},
		"a dot at the end of the domain":         {"ada@acme.example.", false},
		"a local part that is too long":          {strings.Repeat("a", 65) + "@a.example", false},
		"a label that is too long":               {"a@" + label + "a.example", false},
		"a domain that is too long":              {"a@" + strings.Join([]string{label, label, label, label[:62]}, "."), false},
	} {
		require.Equal(t, c.want, account.ValidEmail(c.email), reason)
	}
}
