package suffix_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/suffix"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, domain, want string // want is empty if there is no suffix
	}{
		{"a top-level domain with no other rule", "biz", "biz"},
		{"one label under it", "domain.biz", "biz"},
		{"three labels under it", "a.b.domain.biz", "biz"},
		{"a rule of two labels", "co.uk", "co.uk"},
		{"a domain under it", "www.example.co.uk", "co.uk"},
		{"another domain in that top-level domain", "example.uk", "uk"},
		{"a rule's label in the wrong place", "co.uk.example.com", "com"},
		{"the end of a rule's label", "xco.uk", "uk"},
		{"the begin of a top-level domain", "example.c", ""},
		{"a rule of three labels", "ide.kyoto.jp", "ide.kyoto.jp"},
		{"a domain under it, longest rule first", "a.ide.kyoto.jp", "ide.kyoto.jp"},
		{"a sibling of that domain", "other.kyoto.jp", "kyoto.jp"},
		{"a rule of four labels", "school.pvt.k12.ma.us", "pvt.k12.ma.us"},
		{"only three of the four labels", "school.k12.ma.us", "k12.ma.us"},

		{"a wildcard without a label", "ck", ""},
		{"a wildcard with one label", "test.ck", "test.ck"},
		{"a wildcard with two labels", "b.test.ck", "test.ck"},
		{"a wildcard with three labels", "a.b.test.ck", "test.ck"},
		{"a wildcard below a rule, without a label", "kobe.jp", "jp"},
		{"a wildcard below a rule, with a label", "c.kobe.jp", "c.kobe.jp"},
		{"a wildcard below a rule, with two labels", "b.c.kobe.jp", "c.kobe.jp"},
		{"a wildcard's label with any character", "www.my_label.ck", "my_label.ck"},

		{"an exception", "www.ck", "ck"},
		{"a domain under an exception", "a.www.ck", "ck"},
		{"the exception's label elsewhere", "www.test.ck", "test.ck"},
		{"an exception below a rule", "city.kobe.jp", "kobe.jp"},
		{"a domain under an exception below a rule", "www.city.kobe.jp", "kobe.jp"},

		{"an international top-level domain", "shishi.xn--fiqs8s", "xn--fiqs8s"},
		{"an international rule", "www.xn--85x722f.xn--55qx5d.cn", "xn--55qx5d.cn"},
		{"an international domain under another rule", "xn--85x722f.com.cn", "com.cn"},
		{"an international label that is not punycode", "example.\u4e2d\u56fd", ""},

		{"a suffix of the private section", "someone.github.io", "io"},
		{"a wildcard of the private section", "a.b.compute.amazonaws.com", "com"},
		{"a private suffix that looks like a country's", "example.uk.com", "com"},
		{"the implicit rule", "example.example", ""},
		{"a top-level domain that only has rules below it", "example.za", ""},
		{"a rule below it", "example.co.za", "co.za"},
		{"a name of the local network", "printer.local", ""},

		{"nothing", "", ""},
		{"a dot", ".", ""},
		{"dots", "...", ""},
		{"a trailing dot", "example.com.", ""},
		{"a leading dot", ".com", "com"},
		{"an empty label before the suffix", "example..com", "com"},
		{"an empty label within a rule", "www.co..uk", "uk"},
		{"an empty label for the wildcard", ".ck", ""},
		{"an empty label for the wildcard, and more", "www..ck", ""},
		{"an empty label for a wildcard below a rule", "www..kobe.jp", "jp"},
		{"upper case", "example.COM", ""},
		{"an IPv4 address", "192.0.2.1", ""},
		{"an IPv6 address", "[2001:db8::1]", ""},
		{"a wildcard rule as a text", "*.ck", "*.ck"},
		{"an exception rule as a text", "!www.ck", "!www.ck"},
		{"two rules on two lines", "ac\ncom.ac", "ac"},
		{"a line end", "com\n", ""},
		{"NUL", "example.com\x00", ""},
		{"invalid UTF-8 as the top-level domain", "example.\xff\xfe", ""},
		{"invalid UTF-8 before the suffix", "\xff\xfe.com", "com"},
		{"a very long label", strings.Repeat("a", 8192), ""},
		{"a very long label before the suffix", strings.Repeat("a", 8192) + ".co.uk", "co.uk"},
		{"a very long label for the wildcard", strings.Repeat("a", 8192) + ".ck", strings.Repeat("a", 8192) + ".ck"},
		{"very many labels", strings.Repeat("co.", 4096) + "uk", "co.uk"},
		{"very many dots", strings.Repeat(".", 8192) + "co.uk", "co.uk"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, ok := suffix.Find(test.domain)
			require.Equal(t, test.want, got)
			require.Equal(t, test.want != "", ok)
		})
	}
}

// TestFind_rules tests each rule by its definition, without the oracle.
func TestFind_rules(t *testing.T) {
	t.Parallel()
	require.Greater(t, len(suffix.Rules()), 6000)
	for _, rule := range suffix.Rules() {
		domain, want := rule, rule
		if name, ok := strings.CutPrefix(rule, "*."); ok {
			domain = "www.any-label." + name
			want = "any-label." + name
		}
		if name, ok := strings.CutPrefix(rule, "!"); ok {
			domain = name
			_, want, _ = strings.Cut(name, ".")
		}
		got, ok := suffix.Find(domain)
		require.True(t, ok, rule)
		require.Equal(t, want, got, rule)
	}
}

func TestFind_allocations(t *testing.T) {
	for _, domain := range []string{"www.example.co.uk", "www.city.kobe.jp", "printer.local"} {
		require.Zero(t, testing.AllocsPerRun(100, func() { suffix.Find(domain) }), domain)
	}
}

func BenchmarkFind(b *testing.B) {
	for _, bench := range []struct{ name, domain string }{
		{"top level", "www.example.com"},
		{"two labels", "www.example.co.uk"},
		{"four labels", "school.pvt.k12.ma.us"},
		{"wildcard", "www.example.ck"},
		{"exception", "www.city.kobe.jp"},
		{"international", "www.xn--85x722f.xn--55qx5d.cn"},
		{"none", "printer.local"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				suffix.Find(bench.domain)
			}
		})
	}
}
