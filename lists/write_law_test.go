package lists_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
)

// world is what is stored.
type world map[asset.Identity]asset.Asset

func worldOf(assets []asset.Listed) world {
	w := make(world)
	for _, one := range assets {
		w[one.Identity] = one.Asset
	}
	return w
}

// check returns the verdict about a content.
func (w world) check(t require.TestingT, content string) check.Verdict {
	covers, err := check.Covers(content)
	require.NoError(t, err, content)
	return check.Decide(covers, func(identity asset.Identity) (asset.Known, bool) {
		found, ok := w[identity]
		return asset.Known{Asset: found}, ok
	}, nil)
}

// isBlocked reports whether the check of a host is BLOCKED. It is the same in every form.
func (w world) isBlocked(t require.TestingT, host string) bool {
	status := w.check(t, "https://"+host).Status
	require.Equal(t, status, w.check(t, "http://"+host).Status, host)
	if result, err := classify.Classify(host); err == nil && result.Canonical == host {
		require.Equal(t, status, w.check(t, host).Status, host)
	}
	return status == asset.StatusBlocked
}

// isOrIsBelow reports whether a host is another one or below it.
func isOrIsBelow(host, other string) bool {
	return host == other || strings.HasSuffix(host, "."+other)
}

// readList is a list as programs read it that follow the description of its format.
type readList struct {
	// exact hosts are blocked alone, and covering ones with all hosts below them.
	exact, covering []string
	// freed hosts are never blocked, nor are those below them.
	freed []string
}

func (l readList) frees(host string) bool {
	return slices.ContainsFunc(l.freed, func(freed string) bool { return isOrIsBelow(host, freed) })
}

func (l readList) blocks(host string) bool {
	return !l.frees(host) && (slices.Contains(l.exact, host) ||
		slices.ContainsFunc(l.covering, func(covering string) bool { return isOrIsBelow(host, covering) }))
}

// hosts returns all hosts of the list, as often as it has them.
func (l readList) hosts() []string { return slices.Concat(l.exact, l.covering) }

// listReaders are the readers of the formats with hosts.
var listReaders = map[lists.Format]func(t require.TestingT, text string) readList{
	lists.Domains: func(_ require.TestingT, text string) (l readList) {
		for line := range lines(text, "#") {
			l.exact = append(l.exact, line)
		}
		return l
	},
	lists.Hosts: func(t require.TestingT, text string) (l readList) {
		for line := range lines(text, "#") {
			fields := strings.Fields(line)
			require.Equal(t, "0.0.0.0", fields[0])
			l.exact = append(l.exact, fields[1:]...)
		}
		return l
	},
	lists.AdBlock: func(t require.TestingT, text string) (l readList) {
		for line := range lines(strings.TrimPrefix(text, "[Adblock Plus 2.0]\n"), "!") {
			rule, ok := strings.CutSuffix(line, "^")
			require.True(t, ok, line)
			if host, below := strings.CutPrefix(rule, "||"); below {
				l.covering = append(l.covering, host)
			} else if host, alone := strings.CutPrefix(rule, "|https://"); alone {
				l.exact = append(l.exact, host)
			}
		}
		return l
	},
	lists.RPZ: func(t require.TestingT, text string) (l readList) {
		below := make(map[string]bool)
		for line := range lines(text, ";") {
			fields := strings.Fields(line)
			if fields[0] == "@" || fields[0] == "$TTL" {
				continue
			}
			require.Equal(t, []string{"CNAME", "."}, fields[1:])
			require.NotRegexp(t, `(^|\.)rpz-[^.]*$`, fields[0], "a trigger of another kind")
			if host, wildcard := strings.CutPrefix(fields[0], "*."); wildcard {
				below[host] = true
			} else {
				l.exact = append(l.exact, fields[0])
			}
		}
		l.covering = l.exact
		require.Len(t, below, len(l.exact))
		l.exact = nil
		return l
	},
	lists.PhishingDetect: func(t require.TestingT, text string) readList {
		var config struct {
			Tolerance                       int
			Fuzzylist, Whitelist, Blacklist []string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &config))
		require.Empty(t, config.Fuzzylist)
		return readList{covering: config.Blacklist, freed: config.Whitelist}
	},
	lists.MISPWarninglist: func(t require.TestingT, text string) readList {
		var warninglist struct {
			Type string
			List []string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &warninglist))
		require.Equal(t, "hostname", warninglist.Type)
		return readList{freed: warninglist.List}
	},
}

// lines yields the lines of a text without comments.
func lines(text, comment string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if line != "" && !strings.HasPrefix(line, comment) && !yield(line) {
				return
			}
		}
	}
}

// requireNoMore requires that a list of a world says no more about the hosts than a check.
func requireNoMore(t require.TestingT, format lists.Format, assets []asset.Listed, asked []string) {
	text, _ := write(t, format, assets)
	list, stored := listReaders[format](t, text), worldOf(assets)
	for _, all := range [][]string{list.hosts(), slices.Clone(list.freed)} {
		slices.Sort(all)
		require.Len(t, slices.Compact(slices.Clone(all)), len(all), "each host once:\n%s", text)
	}
	for _, host := range asked {
		if list.frees(host) {
			require.False(t, stored.isBlocked(t, host), "%s frees %s, which is BLOCKED:\n%s", format, host, text)
		}
		if list.blocks(host) && !stored.isBlocked(t, host) {
			require.True(t, isExcused(t, stored, format, list, host), "%s blocks %s, which is not BLOCKED:\n%s", format, host, text)
		}
	}
	for _, one := range assets {
		if one.Status != asset.StatusBlocked || one.Type == asset.TypeEmail {
			continue
		}
		for _, cover := range classify.Covering(one.Identity) { // some are aliases
			if at, _, _ := classify.SplitHost(cover.Identity); list.frees(at) {
				verdict := stored.check(t, cover.Canonical)
				require.NotEqual(t, asset.StatusBlocked, verdict.Status, "%s frees %s, which is BLOCKED:\n%s", format, cover.Canonical, text)
			}
		}
	}
}

// isExcused reports whether a reader may block a host that a check does not.
func isExcused(t require.TestingT, stored world, format lists.Format, list readList, host string) bool {
	for _, one := range stored {
		above, port, rest := classify.SplitHost(one.Identity)
		isBareURL := one.Type == asset.TypeURL && one.Status == asset.StatusBlocked && port == "" && rest == ""
		if isBareURL && host != above && isOrIsBelow(host, above) {
			return true
		}
	}
	verdict := stored.check(t, "https://"+host)
	if verdict.Status != asset.StatusAllowed {
		return false
	}
	// Only a whitelist frees what is ALLOWED below a BLOCKED host, unless it would free more.
	allowed, _, _ := classify.SplitHost(verdict.Match.Identity)
	return format != lists.PhishingDetect || !list.frees(allowed)
}

// drawHosts draws hosts that are often above others.
func drawHosts(t *rapid.T) []string {
	suffixes := rapid.SampledFrom([]string{
		"com", "co.uk", "github.io", "amazonaws.com", "s3.amazonaws.com", "compute.amazonaws.com", "kobe.jp", "city.kobe.jp", "ck", "www.ck", "newtld",
		"eth.limo", "name.eth.limo", "onion", "localhost", "rpz-ip", "evil.com", "a.evil.com", "medium.com", "x.com", "github.com", "in-addr.arpa",
		"twitter.com", "youtu.be", "raw.githubusercontent.com", "a.medium.com",
	})
	labels := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "evil", "www"}), 0, 3)
	hosts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		host := strings.Join(append(labels.Draw(t, "labels"), suffixes.Draw(t, "suffix")), ".")
		if rapid.IntRange(0, 9).Draw(t, "deep") == 0 {
			host = strings.Repeat("d.", rapid.IntRange(6, 10).Draw(t, "depth")) + host
		}
		return host
	}), 1, 4).Draw(t, "hosts")
	return append(hosts, rapid.SampledFrom([]string{"1.2.3.4", "[2001:db8::1]", "evil.com"}).Draw(t, "other host"))
}

// drawWorld draws assets with the hosts, in several forms.
func drawWorld(t *rapid.T, hosts []string) []asset.Listed {
	forms := rapid.SampledFrom([]string{"%s", "%s", "https://%s", "http://%s", "https://%s/x", "https://%s:8443", "%s:81", "a@%s", "https://%s/?q", "github.com/%.1s", "medium.com/@%.1s", "medium.com/@%.1s/post-1"})
	statuses := rapid.SampledFrom([]asset.Status{asset.StatusBlocked, asset.StatusBlocked, asset.StatusAllowed, asset.StatusAllowed, asset.StatusUnknown})
	var assets []asset.Listed
	stored := make(world)
	for i := range rapid.IntRange(1, 10).Draw(t, "assets") {
		host := rapid.SampledFrom(hosts).Draw(t, "host")
		if strings.Count(host, ".") > 1 && rapid.Bool().Draw(t, "above") {
			_, host, _ = strings.Cut(host, ".")
		}
		result, err := classify.Classify(fmt.Sprintf(forms.Draw(t, "form"), host))
		if _, known := stored[result.Identity]; err != nil || known {
			continue
		}
		one := asset.Asset{ID: int64(i + 1), Identity: result.Identity, Status: statuses.Draw(t, "status")}
		stored[one.Identity] = one
		assets = append(assets, asset.Listed{Known: asset.Known{Asset: one}})
	}
	return assets
}

// askedAbout returns the hosts, some below them and those above them.
func askedAbout(hosts []string) []string {
	var asked []string
	for _, host := range hosts {
		if strings.HasPrefix(host, "[") || host == "1.2.3.4" {
			asked = append(asked, host)
			continue
		}
		asked = append(asked, "x."+host, "x.y."+host, "a."+host, strings.Repeat("e.", 9)+host)
		for more := true; more; _, host, more = strings.Cut(host, ".") {
			asked = append(asked, host)
		}
	}
	return asked
}

// What a reader of a list blocks, a check blocks, and what a whitelist frees, a check does not
// block.
func TestWrite_SaysNoMoreThanACheck(t *testing.T) {
	t.Parallel()
	for format := range listReaders {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			for range testsize.Of(1, 1, 10) { // a hundred worlds each
				rapid.Check(t, func(t *rapid.T) {
					hosts := drawHosts(t)
					requireNoMore(t, format, drawWorld(t, hosts), askedAbout(hosts))
				})
			}
		})
	}
}

func TestWrite_LeavesOut(t *testing.T) {
	t.Parallel()
	all := []lists.Format{lists.AdBlock, lists.RPZ, lists.PhishingDetect, lists.Domains, lists.Hosts}
	covering := all[:3]
	for reason, c := range map[string]struct {
		content string
		formats []lists.Format
	}{
		"a top-level domain":              {"https://com", all},
		"a public suffix":                 {"https://co.uk", all},
		"a private suffix":                {"github.io", all},
		"a host above a suffix":           {"amazonaws.com", all},
		"a host above a wildcard":         {"kobe.jp", all},
		"a single label":                  {"https://newtld", all},
		"a special-use name":              {"https://a.onion", all},
		"the local host":                  {"https://localhost", all},
		"a name of reverse look-ups":      {"https://4.3.2.1.in-addr.arpa", all},
		"a host of many labels":           {strings.Repeat("a.", 8) + "evil.com", covering},
		"a trigger of a zone":             {"https://32.4.3.2.1.rpz-ip", []lists.Format{lists.RPZ}},
		"a subdomain of a private suffix": {"evil.github.io", nil},
		"a site under a private wildcard": {"name.eth.limo", nil},
		"a private wildcard":              {"eth.limo", all},
		"a host of eight labels":          {strings.Repeat("a.", 7) + "evil.com", nil},
		"an exception to a wildcard":      {"city.kobe.jp", nil},
		"an unknown top-level domain":     {"https://evil.newtld", nil},
	} {
		for _, format := range all {
			text, summary := write(t, format, listed(asset.StatusBlocked, c.content))
			host := strings.TrimPrefix(c.content, "https://")
			if slices.Contains(c.formats, format) {
				require.Zero(t, summary.Written, "%s: %s", reason, format)
				require.Len(t, summary.LeftOut, 1, "%s: %s", reason, format)
				require.Empty(t, listReaders[format](t, text).hosts(), reason)
			} else {
				require.EqualValues(t, 1, summary.Written, "%s: %s", reason, format)
				require.Contains(t, listReaders[format](t, text).hosts(), host, reason)
			}
		}
	}
}

func TestWrite_Whitelist(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		allowed string
		blocked []string
		want    bool
	}{
		"nothing below is BLOCKED":      {"good.com", []string{"bad.com", "notgood.com", "a@good.com"}, true},
		"a host below a BLOCKED one":    {"good.bad.com", []string{"bad.com"}, true},
		"an IP address":                 {"1.2.3.4", []string{"bad.com", "1.2.3.5"}, true},
		"a public suffix":               {"github.io", nil, false},
		"a host above a suffix":         {"amazonaws.com", nil, false},
		"a platform's own host":         {"github.com", nil, false},
		"a host of a platform's name":   {"name.medium.com", nil, false},
		"a URL":                         {"https://good.com", nil, false},
		"a host of many labels":         {strings.Repeat("a.", 8) + "good.com", nil, false},
		"a subdomain is BLOCKED":        {"good.com", []string{"a.b.good.com"}, false},
		"a path is BLOCKED":             {"good.com", []string{"https://good.com/x"}, false},
		"a path below is BLOCKED":       {"good.com", []string{"https://a.good.com/x?y"}, false},
		"a port is BLOCKED":             {"good.com", []string{"good.com:81"}, false},
		"another form is BLOCKED":       {"good.com", []string{"http://good.com"}, false},
		"a page of the site is BLOCKED": {"good.com", []string{"good.com/x"}, false},
	} {
		assets := append(listed(asset.StatusAllowed, c.allowed), listed(asset.StatusBlocked, c.blocked...)...)
		text, summary := write(t, lists.PhishingDetect, assets)
		host := strings.TrimPrefix(c.allowed, "https://")
		require.Equal(t, c.want, listReaders[lists.PhishingDetect](t, text).frees(host), reason)
		require.EqualValues(t, len(assets), summary.Written+leftOut(summary), reason)

		text, summary = write(t, lists.MISPWarninglist, assets)
		require.Equal(t, c.want && reason != "an IP address", listReaders[lists.MISPWarninglist](t, text).frees(host), reason)
		require.EqualValues(t, 1, summary.Written+leftOut(summary), reason)
	}
}

func leftOut(s lists.Summary) (count int64) {
	for _, left := range s.LeftOut {
		count += left.Count
	}
	return count
}

// A host with several BLOCKED assets is in a list once, in whatever order they are stored.
func TestWrite_HostOnce(t *testing.T) {
	t.Parallel()
	for _, contents := range [][]string{
		{"bad.com", "https://bad.com", "http://bad.com"},
		{"http://bad.com", "https://bad.com", "bad.com"},
		{"https://bad.com", "bad.com", "http://bad.com"},
	} {
		for format, reader := range listReaders {
			if format == lists.MISPWarninglist {
				continue
			}
			text, summary := write(t, format, listed(asset.StatusBlocked, contents...))
			require.Equal(t, []string{"bad.com"}, reader(t, text).hosts(), format)
			require.EqualValues(t, 1, summary.Written)
			require.Equal(t, []lists.LeftOut{{"has a host that is in the list already", 2}}, summary.LeftOut)
		}
	}
}
