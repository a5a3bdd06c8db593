package suffix_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/publicsuffix"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/internal/suffix"
)

func TestFindPrivate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, domain, want string // want is empty if there is no suffix
	}{
		{"a rule of the private section", "github.io", "github.io"},
		{"a domain under it", "someone.github.io", "github.io"},
		{"two labels under it", "a.someone.github.io", "github.io"},
		{"its label elsewhere", "github.io.example.com", "com"},
		{"the end of its label", "xgithub.io", "io"},
		{"a sibling of the rule", "gitlab.example.io", "io"},
		{"a private suffix that looks like a country's", "example.uk.com", "uk.com"},
		{"a site under a wildcard of the private section", "name.eth.limo", "eth.limo"},
		{"a domain of the site", "a.name.eth.limo", "eth.limo"},
		{"the wildcard without a label", "eth.limo", "eth.limo"},
		{"a sibling of the wildcard", "example.limo", "limo"},
		{"a wildcard of the ICANN section", "a.test.ck", "test.ck"},
		{"a rule of the ICANN section", "www.example.co.uk", "co.uk"},
		{"an exception of the ICANN section", "a.www.ck", "ck"},
		{"no rule of either section", "printer.local", ""},
		{"nothing", "", ""},
		{"very many labels", strings.Repeat("a.", 4096) + "github.io", "github.io"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, ok := suffix.FindPrivate(test.domain)
			require.Equal(t, test.want, got)
			require.Equal(t, test.want != "", ok)
		})
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	for domain, want := range map[string]bool{
		"com": true, "co.uk": true, "github.io": true, "test.ck": true, "eth.limo": true, "ck": true, "localhost": true, "newtld": true,
		"example.com": false, "name.github.io": false, "www.ck": false, "name.eth.limo": false, "printer.local": false, "192.0.2.1": false,
	} {
		require.Equal(t, want, suffix.Is(domain), domain)
	}
}

func TestHasBelow(t *testing.T) {
	t.Parallel()
	below := make(map[string]bool)
	for _, rule := range slices.Concat(suffix.Rules(), suffix.PrivateRules()) {
		if strings.HasPrefix(rule, "!") {
			continue
		}
		for labels := strings.Split(rule, ".")[1:]; len(labels) > 0; labels = labels[1:] {
			below[strings.Join(labels, ".")] = true
		}
	}
	require.True(t, below["amazonaws.com"] && below["ck"] && below["kobe.jp"] && below["compute.amazonaws.com"])
	for _, rule := range slices.Concat(suffix.Rules(), suffix.PrivateRules()) {
		for labels := strings.Split(strings.TrimLeft(rule, "!*."), "."); len(labels) > 0; labels = labels[1:] {
			domain := strings.Join(labels, ".")
			require.Equal(t, below[domain], suffix.HasBelow(domain), domain)
		}
	}
	for _, domain := range []string{"", ".", "example.com", "xamazonaws.com", "x.amazonaws.com", "newtld"} {
		require.False(t, suffix.HasBelow(domain), domain)
	}
}

// privateRules returns the rules of the private section, with each wildcard as its own name.
func privateRules() []string {
	rules := suffix.PrivateRules()
	for i := range rules {
		rules[i] = strings.TrimPrefix(rules[i], "*.")
	}
	return rules
}

// ruleSet is the list as publicsuffix.org describes it: a rule matches a domain label by
// label, an exception wins over all other rules, and else the longest rule wins.
type ruleSet map[string]bool

func newRuleSet(rules ...[]string) ruleSet {
	set := ruleSet{}
	for _, rule := range slices.Concat(rules...) {
		set[rule] = true
	}
	return set
}

func (set ruleSet) find(domain string) string {
	labels := strings.Split(domain, ".")
	for i := range labels {
		if set["!"+strings.Join(labels[i:], ".")] {
			return strings.Join(labels[i+1:], ".")
		}
	}
	for i := range labels {
		name := strings.Join(labels[i:], ".")
		if set[name] || labels[i] != "" && set[strings.Join(append([]string{"*"}, labels[i+1:]...), ".")] {
			return name
		}
	}
	return ""
}

func TestFindPrivate_rules(t *testing.T) {
	t.Parallel()
	set := newRuleSet(suffix.Rules(), privateRules())
	require.Greater(t, len(suffix.PrivateRules()), 3000)
	known := 0
	for _, rule := range suffix.PrivateRules() {
		name := strings.Replace(strings.TrimPrefix(rule, "!"), "*", "any-label", 1)
		domain := "two.one." + name
		got, ok := suffix.FindPrivate(domain)
		require.True(t, ok, rule)
		require.Equal(t, set.find(domain), got, rule)
		// For the other copy, the site under a wildcard is the suffix.
		if other, icann := publicsuffix.PublicSuffix(domain); !icann && strings.TrimPrefix(other, "any-label.") == got {
			known++
		}
	}
	require.Greater(t, known, 3000, "rules that an older copy of the list has too")
}

func TestFindPrivate_model(t *testing.T) {
	t.Parallel()
	icann, both := newRuleSet(suffix.Rules()), newRuleSet(suffix.Rules(), privateRules())
	labels := rapid.SliceOfN(rapid.StringMatching(`[a-z0-9-]{0,5}`), 0, 3)
	rules := rapid.SampledFrom(slices.Concat(suffix.Rules(), suffix.PrivateRules()))
	rapid.Check(t, func(t *rapid.T) {
		rule := rules.Draw(t, "rule")
		rule = strings.Replace(strings.TrimPrefix(rule, "!"), "*", rapid.StringMatching(`[a-z]{0,3}`).Draw(t, "label"), 1)
		domain := strings.Join(append(labels.Draw(t, "labels"), rule), ".")

		got, _ := suffix.Find(domain)
		require.Equal(t, icann.find(domain), got, domain)
		got, _ = suffix.FindPrivate(domain)
		require.Equal(t, both.find(domain), got, domain)
	})
}
