package suffix_test

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/publicsuffix"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/internal/suffix"
)

// The oracle is golang.org/x/net/publicsuffix. Its list dates from 2026-02-06, ours from
// 2026-10-07. These are all rules in which they differ, with the reasons. An update of
// either list needs an update here.
var (
	added = map[string]string{
		"ai.id":                   "Indonesia's registry opened it, 2026-05-28",
		"aero.in":                 "India's registry opened it, 2026-07-14",
		"alumni.in":               "India's registry opened it, 2026-07-14",
		"school.in":               "India's registry opened it, 2026-07-14",
		"ub.in":                   "India's registry opened it, 2026-07-14",
		"audnedal.no":             "Norway's section was brought up to date, 2026-07-13",
		"com.kh":                  "Cambodia names its suffixes instead of a wildcard, 2026-02-27",
		"cyb.ge":                  "Georgia's registry opened it, 2026-07-13",
		"edu.kh":                  "Cambodia names its suffixes instead of a wildcard, 2026-02-27",
		"gielda.no":               "Norway's section was brought up to date, 2026-07-13",
		"gov.kh":                  "Cambodia names its suffixes instead of a wildcard, 2026-02-27",
		"hue.vn":                  "Vietnam's registry opened it, 2026-02-10",
		"ia.bo":                   "Bolivia's registry opened it, 2026-09-05",
		"kh":                      "Cambodia allows names directly under it, 2026-02-27",
		"llc.ge":                  "Georgia's registry opened it, 2026-07-13",
		"net.kh":                  "Cambodia names its suffixes instead of a wildcard, 2026-02-27",
		"online.ge":               "Georgia's registry opened it, 2026-07-13",
		"org.kh":                  "Cambodia names its suffixes instead of a wildcard, 2026-02-27",
		"re.no":                   "Norway's section was brought up to date, 2026-07-13",
		"su.it":                   "Italy's section was brought up to date, 2026-07-20",
		"sud-sardegna.it":         "Italy's section was brought up to date, 2026-07-20",
		"sudsardegna.it":          "Italy's section was brought up to date, 2026-07-20",
		"suohkan.no":              "Norway's section was brought up to date, 2026-07-13",
		"tjielte.no":              "Norway's section was brought up to date, 2026-07-13",
		"tnx.ge":                  "Georgia's registry opened it, 2026-07-13",
		"uenorge.no":              "Norway's section was brought up to date, 2026-07-13",
		"ulstein.no":              "Norway's section was brought up to date, 2026-07-13",
		"verbano-cusio-ossola.it": "Italy's section was brought up to date, 2026-07-20",
		"web":                     "a new generic top-level domain",
		"xn--hamary-fya.no":       "Norway's section was brought up to date, 2026-07-13",
		"xn--karlsy-fya.no":       "Norway's section was brought up to date, 2026-07-13",
	}
	removed = map[string]string{
		"*.kh":                "Cambodia names its suffixes instead of a wildcard, 2026-02-27",
		"ac.tj":               "Tajikistan's registry removed it, 2026-07-14",
		"aquila.it":           "Italy's section was brought up to date, 2026-07-20",
		"audnedaln.no":        "Norway's section was brought up to date, 2026-07-13",
		"cc.nd.us":            "North Dakota removed it, 2026-05-13",
		"frei.no":             "Norway's section was brought up to date, 2026-07-13",
		"goo":                 "withdrawn by its registry, 2026-02-07",
		"juniper":             "a discontinued generic top-level domain",
		"lib.nd.us":           "North Dakota removed it, 2026-05-13",
		"trentinosudtirol.it": "Italy's section was brought up to date, 2026-07-20",
		"valdaosta.it":        "Italy's section was brought up to date, 2026-07-20",
		"wolterskluwer":       "a discontinued generic top-level domain",
	}
)

// oracle is a reference implementation of Find.
func oracle(domain string) (publicSuffix string, ok bool) {
	publicSuffix = common(domain)
	for rule := range added {
		if (domain == rule || strings.HasSuffix(domain, "."+rule)) && len(rule) > len(publicSuffix) {
			publicSuffix = rule
		}
	}
	return publicSuffix, publicSuffix != ""
}

// common returns the suffix by the ICANN rules of both lists, or "". The package knows
// other rules too. If one of these matches, common continues without the first label
// until a rule of both lists matches, which is never longer.
func common(domain string) string {
	name := domain
	if _, err := netip.ParseAddr(domain); err == nil {
		name = "x." + domain // the package looks up no rule for an IP address
	}
	found, icann := publicsuffix.PublicSuffix(name)
	_, parent, _ := strings.Cut(found, ".")
	switch {
	case found == "", found == "za":
		// The list has rules under za but not za itself, and the flag attributes the
		// implicit rule to ICANN.
		return ""
	case removed[found] != "", removed["*."+parent] != "":
		return common(parent)
	case strings.HasPrefix(found, "."):
		// The package lets a wildcard match an empty label.
		return common(parent)
	case icann:
		return found
	case found == domain:
		// A rule of the private section, or none.
		return common(parent)
	default:
		// The flag may refer to a private rule that contains the domain.
		return common(found)
	}
}

// check compares Find with the oracle.
func check(t require.TestingT, domain string) {
	want, wantOK := oracle(domain)
	got, ok := suffix.Find(domain)
	require.Equal(t, wantOK, ok, "%q", domain)
	require.Equal(t, want, got, "%q", domain)
}

func TestFind_oracleOnRules(t *testing.T) {
	t.Parallel()
	for _, rule := range slices.Concat(suffix.Rules(), slices.Collect(maps.Keys(removed))) {
		name := strings.TrimPrefix(strings.TrimPrefix(rule, "*."), "!")
		check(t, name)
		check(t, "one."+name)
		check(t, "two.one."+name)
	}
}

// An outdated entry would hide a fault.
func TestOracle_differences(t *testing.T) {
	t.Parallel()
	rules := suffix.Rules()
	for rule := range added {
		require.Contains(t, rules, rule)
		found, icann := publicsuffix.PublicSuffix(rule)
		require.False(t, icann && found == rule && !underRemovedWildcard(rule), "%s: also in the oracle", rule)
	}
	for rule := range removed {
		require.NotContains(t, rules, rule)
		domain := strings.Replace(rule, "*", "any-label", 1)
		name := domain
		if _, err := netip.ParseAddr(domain); err == nil {
			name = "x." + domain // the package looks up no rule for an IP address
		}
		found, icann := publicsuffix.PublicSuffix(name)
		require.True(t, icann && found == domain, "%s: also missing from the oracle", rule)
	}
}

func underRemovedWildcard(rule string) bool {
	_, parent, _ := strings.Cut(rule, ".")
	return removed["*."+parent] != ""
}

// domains draws domains that resemble the rules.
func domains() *rapid.Generator[string] {
	rules := slices.Concat(suffix.Rules(), slices.Sorted(maps.Keys(removed)), []string{
		"github.io", "*.compute.amazonaws.com", "uk.com", "blogspot.com", "local",
	})
	var labels []string
	for _, rule := range rules {
		labels = append(labels, strings.Split(strings.TrimPrefix(rule, "!"), ".")...)
	}
	slices.Sort(labels)
	labels = append(slices.Compact(labels), "")
	return rapid.Custom(func(t *rapid.T) string {
		before := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom(labels),
			rapid.StringMatching(`[a-z0-9_-]{1,12}`),
		), 0, 4).Draw(t, "before")
		end := rapid.OneOf(
			rapid.Map(rapid.SampledFrom(rules), func(rule string) string { return strings.TrimPrefix(rule, "!") }),
			rapid.SampledFrom(labels),
			rapid.String(),
		).Draw(t, "end")
		return strings.Join(append(before, end), ".")
	})
}

func TestFind_oracle(t *testing.T) {
	t.Parallel()
	domain := domains()
	rapid.Check(t, func(t *rapid.T) {
		check(t, domain.Draw(t, "domain"))
	})
}

func FuzzFind(f *testing.F) {
	for _, domain := range []string{
		"www.example.co.uk", "example.za", "a.www.ck", "www..ck", ".kobe.jp", "a.b.compute.amazonaws.com",
		"someone.github.io", "a.com.kh", "x.goo", "fe80::1%a.com", "192.0.2.1", "::%.mm", "xn--fiqs8s", "ac\ncom.ac", "",
	} {
		f.Add(domain)
	}
	f.Fuzz(func(t *testing.T, domain string) {
		check(t, domain)
	})
}
