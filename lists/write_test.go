package lists_test

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
	"github.com/apguard/apguard/lists"
)

// sourceOf yields assets, as a service does.
func sourceOf(assets []asset.Listed) lists.Source {
	return func(filter asset.Filter) iter.Seq2[asset.Listed, error] {
		return func(yield func(asset.Listed, error) bool) {
			for _, one := range assets {
				if filter.Match(one) && !yield(one, nil) {
					return
				}
			}
		}
	}
}

// listed returns assets with the status and IDs from 1.
func listed(status asset.Status, contents ...string) []asset.Listed {
	all := make([]asset.Listed, len(contents))
	for i, content := range contents {
		result, err := classify.Classify(content)
		if err != nil {
			panic(content + ": " + err.Error())
		}
		all[i] = asset.Listed{Known: asset.Known{Asset: asset.Asset{ID: int64(i + 1), Identity: result.Identity, Status: status}}}
	}
	return all
}

func write(t require.TestingT, format lists.Format, assets []asset.Listed, statuses ...asset.Status) (string, lists.Summary) {
	var text bytes.Buffer
	summary, err := lists.Write(&text, format, sourceOf(assets), lists.WriteOptions{Statuses: statuses, Serial: 7})
	require.NoError(t, err)
	return text.String(), summary
}

// mixed returns assets of all kinds.
func mixed() []asset.Listed {
	assets := listed(asset.StatusBlocked,
		"bad.com", "https://worse.com", "http://worse.com", "name.medium.com", "https://bad.com/x", "bad.com?q=1", "https://bad.com:8443", "bad.com:81",
		"1.2.3.4", "https://[2001:db8::1]", "@jack", "a@bad.com", "github.com/owner", "https://a!b.com", "medium.com/@name", "_dmarc.bad.com",
		strings.Repeat(strings.Repeat("a", 60)+".", 4)+"com", "https://bad.com/#/route",
	)
	allowed, unknown := listed(asset.StatusAllowed, "good.com", "https://good.com/x", "https://bad.com"), listed(asset.StatusUnknown, "unknown.com")
	at := time.Date(2025, 1, 5, 10, 0, 0, 123_000_000, time.UTC)
	allowed[0].ID, allowed[0].UpdatedAt = 100, at
	allowed[0].Basis = asset.Basis{By: asset.SourceOrganization, Since: at.Add(-3 * time.Millisecond)}
	return append(append(assets, allowed...), unknown...)
}

func TestWrite(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(strings.Repeat("a", 60)+".", 4) + "com"
	domains := []string{"bad.com", "worse.com", "name.medium.com", "_dmarc.bad.com"}
	left := "left out: 4 (has no host)\n# left out: 3 (has a path or query)\n# left out: 2 (has a port)\n# left out: 2 (is an IP address)\n# left out: 1 (is not a domain name)\n"
	const twice = "left out: 1 (has a host that is in the list already)\n"
	join := func(before, after string, hosts ...string) string {
		return before + strings.Join(hosts, after+before) + after
	}
	for format, want := range map[lists.Format]string{
		lists.Domains: "# blocked domains\n" + join("", "\n", append(domains, long)...) + "# " + left + "# " + twice,
		lists.Hosts:   "# blocked hosts\n" + join("0.0.0.0 ", "\n", append(domains, long)...) + "# " + left + "# " + twice,
		lists.AdBlock: "[Adblock Plus 2.0]\n! Title: blocked hosts\n" +
			join("||", "^\n", "bad.com", "worse.com", "name.medium.com", "1.2.3.4") +
			"|https://[2001:db8::1]^\n|http://[2001:db8::1]^\n" + join("||", "^\n", "_dmarc.bad.com", long) +
			strings.ReplaceAll(strings.ReplaceAll("# "+left, "# left out: 2 (is an IP address)\n", ""), "#", "!") + "! " + twice,
		lists.RPZ: "$TTL 300\n@ SOA localhost. hostmaster.localhost. 7 3600 600 86400 300\n@ NS localhost.\n" +
			"bad.com CNAME .\n*.bad.com CNAME .\nworse.com CNAME .\n*.worse.com CNAME .\n" +
			"name.medium.com CNAME .\n*.name.medium.com CNAME .\n_dmarc.bad.com CNAME .\n*._dmarc.bad.com CNAME .\n" +
			strings.ReplaceAll("# "+left, "#", ";") + "; left out: 1 (is too long for a zone)\n; " + twice,
		lists.PhishingDetect: "{\n  \"version\": 2,\n  \"tolerance\": 0,\n  \"fuzzylist\": [],\n  \"whitelist\": [\n    \"good.com\"\n  ],\n  \"blacklist\": [\n" +
			"    \"bad.com\",\n    \"worse.com\",\n    \"name.medium.com\",\n    \"1.2.3.4\",\n    \"[2001:db8::1]\",\n    \"_dmarc.bad.com\",\n    \"" + long + "\"\n  ],\n" +
			"  \"leftOut\": [\n    {\"reason\": \"has no host\", \"count\": 4},\n    {\"reason\": \"has a path or query\", \"count\": 4},\n" +
			"    {\"reason\": \"has a port\", \"count\": 2},\n    {\"reason\": \"is not a domain name\", \"count\": 1},\n" +
			"    {\"reason\": \"has a host that is in the list already\", \"count\": 1},\n" +
			"    {\"reason\": \"is an ALLOWED URL, not a page\", \"count\": 1}\n  ]\n}\n",
		lists.MISPWarninglist: "{\n  \"name\": \"Hosts that apguard allows\",\n  \"version\": 7,\n  \"type\": \"hostname\",\n" +
			"  \"matching_attributes\": [\"domain\", \"domain|ip\", \"hostname\", \"hostname|port\", \"url\"],\n  \"list\": [\n    \"good.com\"\n  ],\n" +
			"  \"description\": \"ALLOWED hosts, with everything on and below them. " +
			"Left out: 1 (has a path or query), 1 (is an ALLOWED URL, not a page).\"\n}\n",
	} {
		got, _ := write(t, format, mixed())
		require.Equal(t, want, got, format)
	}
	_, summary := write(t, lists.Domains, mixed())
	require.Equal(t, lists.Summary{Written: 5, LeftOut: []lists.LeftOut{
		{"has no host", 4}, {"has a path or query", 3}, {"has a port", 2}, {"is an IP address", 2}, {"is not a domain name", 1},
		{"has a host that is in the list already", 1},
	}}, summary)
}

func TestWrite_Records(t *testing.T) {
	t.Parallel()
	assets := listed(asset.StatusBlocked, "https://bad.com/?a=1,2", "worse.com", "listed.com")
	assets[1].Basis = asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonScam, Note: `"cheap", <b>shoes</b>`, Since: time.UnixMilli(1)}
	assets[2].Basis = asset.Basis{By: asset.SourceList, ListID: 7, List: "a, b", Reason: asset.ReasonPhishing, Since: time.UnixMilli(1000)}
	assets = append(assets, mixed()[18], mixed()[21])
	for reason, c := range map[string]struct {
		format   lists.Format
		statuses []asset.Status
		want     string
	}{
		"CSV of BLOCKED": {lists.CSV, nil, "id,type,content,canonical,status,updatedAt,reason,note,since,by,list\n" +
			"1,URL,\"https://bad.com/?a=1,2\",\"https://bad.com/?a=1,2\",BLOCKED,,,,,,\n" +
			"2,PAGE,worse.com,worse.com,BLOCKED,,SCAM,\"\"\"cheap\"\", <b>shoes</b>\",1970-01-01T00:00:00.001Z,OPERATOR,\n" +
			"3,PAGE,listed.com,listed.com,BLOCKED,,PHISHING,,1970-01-01T00:00:01.000Z,LIST,\"a, b\"\n"},
		"CSV of ALLOWED": {lists.CSV, []asset.Status{asset.StatusAllowed}, "id,type,content,canonical,status,updatedAt,reason,note,since,by,list\n" +
			"100,PAGE,good.com,good.com,ALLOWED,2025-01-05T10:00:00.123Z,,,2025-01-05T10:00:00.120Z,ORGANIZATION,\n"},
		"JSON Lines of both": {lists.JSONLines, []asset.Status{asset.StatusAllowed, asset.StatusBlocked},
			`{"id":1,"type":"URL","content":"https://bad.com/?a=1,2","canonical":"https://bad.com/?a=1,2","status":"BLOCKED","updatedAt":null,` +
				`"reason":null,"note":null,"since":null,"by":null,"list":null}` + "\n" +
				`{"id":2,"type":"PAGE","content":"worse.com","canonical":"worse.com","status":"BLOCKED","updatedAt":null,` +
				`"reason":"SCAM","note":"\"cheap\", <b>shoes</b>","since":"1970-01-01T00:00:00.001Z","by":"OPERATOR","list":null}` + "\n" +
				`{"id":3,"type":"PAGE","content":"listed.com","canonical":"listed.com","status":"BLOCKED","updatedAt":null,` +
				`"reason":"PHISHING","note":null,"since":"1970-01-01T00:00:01.000Z","by":"LIST","list":"a, b"}` + "\n" +
				`{"id":100,"type":"PAGE","content":"good.com","canonical":"good.com","status":"ALLOWED","updatedAt":"2025-01-05T10:00:00.123Z",` +
				`"reason":null,"note":null,"since":"2025-01-05T10:00:00.120Z","by":"ORGANIZATION","list":null}` + "\n"},
	} {
		got, summary := write(t, c.format, assets, c.statuses...)
		require.Equal(t, c.want, got, reason)
		require.Empty(t, summary.LeftOut, reason)
	}
}

func TestWrite_Empty(t *testing.T) {
	t.Parallel()
	for _, format := range lists.Writable() {
		text, summary := write(t, format, nil)
		require.Zero(t, summary, format)
		if format == lists.PhishingDetect {
			_, err := phishlist.Load(strings.NewReader(text), phishlist.Options{})
			require.NoError(t, err)
		}
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for _, format := range lists.Writable() {
		only := asset.StatusBlocked
		if format == lists.MISPWarninglist {
			only = asset.StatusAllowed
		}
		for _, name := range []string{"", string(only)} {
			statuses, err := lists.Statuses(format, name)
			require.NoError(t, err)
			require.Equal(t, []asset.Status{only}, statuses)
		}
		both, err := lists.Statuses(format, "any")
		if format == lists.CSV || format == lists.JSONLines {
			require.NoError(t, err)
			require.Equal(t, []asset.Status{asset.StatusAllowed, asset.StatusBlocked}, both)
		} else {
			require.ErrorIs(t, err, asset.ErrInvalid)
		}
		for _, name := range []string{"UNKNOWN", "blocked", "ANY", " "} {
			_, err := lists.Statuses(format, name)
			require.ErrorIs(t, err, asset.ErrInvalid, name)
		}
	}
	_, err := lists.Statuses(lists.MISPWarninglist, "BLOCKED")
	require.EqualError(t, err, "invalid input: status: must be ALLOWED")
	_, err = lists.Statuses(lists.Lines, "")
	require.ErrorIs(t, err, asset.ErrInvalid)
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestWrite_Errors(t *testing.T) {
	t.Parallel()
	failing := func(asset.Filter) iter.Seq2[asset.Listed, error] {
		return func(yield func(asset.Listed, error) bool) { yield(asset.Listed{}, errDisk) }
	}
	many := listed(asset.StatusBlocked, strings.Split(strings.Repeat("bad.com ", 9000)+"bad.com", " ")...)
	for _, format := range lists.Writable() {
		_, err := lists.Write(new(bytes.Buffer), format, failing, lists.WriteOptions{})
		require.ErrorIs(t, err, errDisk, format)
		_, err = lists.Write(failingWriter{}, format, sourceOf(many), lists.WriteOptions{})
		require.ErrorIs(t, err, errDisk, format)
		_, err = lists.Write(failingWriter{}, format, sourceOf(nil), lists.WriteOptions{})
		require.True(t, err == nil && format == lists.JSONLines || errors.Is(err, errDisk), format)
	}
	_, err := lists.Write(new(bytes.Buffer), lists.Lines, failing, lists.WriteOptions{})
	require.ErrorIs(t, err, asset.ErrInvalid)
}

// What is written can be read back: the assets of csv and jsonl, and the hosts of the other formats. Only
// hosts of unknown top-level domains are refused.
func TestWrite_ReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var assets, known []asset.Listed
		for i, content := range rapid.SliceOfN(classifytest.Content(), 0, 8).Draw(t, "contents") {
			result, err := classify.Classify(content.Content)
			if err != nil {
				continue
			}
			one := asset.Listed{Known: asset.Known{Asset: asset.Asset{ID: int64(i + 1), Identity: result.Identity, Status: asset.StatusBlocked}}}
			assets = append(assets, one)
			if host, _, _ := classify.SplitHost(one.Identity); host == "" || classify.ScopeOf(host) != classify.ScopeNone {
				known = append(known, one)
			}
		}
		for _, format := range lists.Writable() {
			if !slices.Contains(lists.Readable(), format) {
				continue
			}
			written := known
			if format == lists.CSV || format == lists.JSONLines {
				written = assets
			}
			text, summary := write(t, format, written)
			back := make(map[asset.Identity]bool)
			for e, err := range lists.Read(strings.NewReader(text), format, lists.ReadOptions{}) {
				require.NoError(t, err)
				require.NoError(t, e.Err, "%s: %s", format, e.Text)
				back[e.Identity] = true
			}
			if format == lists.CSV || format == lists.JSONLines {
				for _, one := range assets {
					require.True(t, back[one.Identity], "%s: %s", format, one.Canonical)
				}
			} else {
				require.Len(t, back, int(summary.Written), "%s:\n%s", format, text)
			}
			again, _ := write(t, format, written)
			require.Equal(t, text, again, "the same assets make the same bytes")
		}
	})
}

// The hosts of an eth-phishing-detect list are the same after an import and an export.
func TestWrite_SameVerdicts(t *testing.T) {
	t.Parallel()
	const list = `{"version":2,"tolerance":2,"fuzzylist":[],"whitelist":["good.com","fine.bad.org","both.com"],
		"blacklist":["bad.com","bad.org","deep.sub.worse.com","xn--bcher-kva.com","1.2.3.4","name.medium.com","both.com","www.evil.com","a_b.com"]}`
	want, err := phishlist.Load(strings.NewReader(list), phishlist.Options{})
	require.NoError(t, err)
	var assets []asset.Listed
	for e, err := range lists.Read(strings.NewReader(list), lists.PhishingDetect, lists.ReadOptions{Allowed: true}) {
		require.NoError(t, err)
		if e.Err != nil {
			require.EqualError(t, e.Err, "is not taken: whitelisted")
			continue
		}
		assets = append(assets, asset.Listed{Known: asset.Known{Asset: asset.Asset{ID: int64(e.Line), Identity: e.Identity, Status: e.Status}}})
	}
	text, _ := write(t, lists.PhishingDetect, assets)
	got, err := phishlist.Load(strings.NewReader(text), phishlist.Options{})
	require.NoError(t, err)
	for _, host := range []string{"good.com", "bad.com", "fine.bad.org", "bad.org", "worse.com", "deep.sub.worse.com", "xn--bcher-kva.com", "1.2.3.4",
		"name.medium.com", "medium.com", "both.com", "evil.com", "www.evil.com", "a_b.com", "other.com"} {
		for _, prefix := range []string{"", "sub.", "a.b."} {
			require.Equal(t, want.Check(prefix+host).Blocked, got.Check(prefix+host).Blocked, prefix+host)
		}
	}
}
