package lists_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
	"github.com/apguard/apguard/lists"
)

// bundle is a bundle of STIX 2.1.
type bundle struct {
	Type, ID string
	Objects  []indicator
}

// indicator is an object of a bundle.
type indicator struct {
	Type, ID, Name, Description, Pattern string
	Created, Modified                    time.Time
	ValidFrom                            time.Time `json:"valid_from"`
	Labels                               []string
}

var pattern = regexp.MustCompile(`^\[([0-9a-z-]+):value = '((?s:[^'\\]|\\'|\\\\)*)'\]$`)

// observable returns the type and the value of the comparison in the pattern of an indicator.
func (i indicator) observable(t require.TestingT) (kind, value string) {
	parts := pattern.FindStringSubmatch(i.Pattern)
	require.NotNil(t, parts, i.Pattern)
	return parts[1], strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(parts[2])
}

// readBundle reads a bundle as the specification describes it.
func readBundle(t require.TestingT, text string) bundle {
	var b bundle
	require.NoError(t, json.Unmarshal([]byte(text), &b))
	require.Equal(t, "bundle", b.Type)
	ids := make([]string, 0, 1+len(b.Objects))
	ids = append(ids, strings.TrimPrefix(b.ID, "bundle--"))
	for _, one := range b.Objects {
		require.Equal(t, "indicator", one.Type)
		require.Equal(t, one.Created, one.ValidFrom)
		require.False(t, one.Modified.Before(one.Created))
		ids = append(ids, strings.TrimPrefix(one.ID, "indicator--"))
	}
	for _, id := range ids {
		require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, id)
	}
	slices.Sort(ids)
	require.Len(t, slices.Compact(ids), len(b.Objects)+1, text)
	return b
}

// The IDs are those of another program.
func TestWrite_STIX(t *testing.T) {
	t.Parallel()
	assets := listed(asset.StatusBlocked, "https://bad.com/a'b", "worse.com")
	assets[0].Basis = asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonCommandAndControl, Note: `"new"`, Since: time.UnixMilli(1)}
	assets[0].UpdatedAt = time.UnixMilli(1234)
	for reason, c := range map[string]struct {
		assets []asset.Listed
		want   string
	}{
		"two indicators": {append(assets, listed(asset.StatusAllowed, "good.com")...), `{"type":"bundle","objects":[
{"type":"indicator","spec_version":"2.1","id":"indicator--96b9acc2-1f83-55c3-9de8-bcdcd6f178fe","created":"1970-01-01T00:00:00.001Z","modified":"1970-01-01T00:00:01.234Z",` +
			`"name":"https://bad.com/a'b","description":"\"new\"","indicator_types":["malicious-activity"],"labels":["command-and-control"],` +
			`"pattern":"[url:value = 'https://bad.com/a\\'b']","pattern_type":"stix","valid_from":"1970-01-01T00:00:00.001Z"},
{"type":"indicator","spec_version":"2.1","id":"indicator--16a76d0c-e23c-5aad-9607-9aa0bb34785b","created":"1970-01-01T00:00:00.000Z","modified":"1970-01-01T00:00:00.000Z",` +
			`"name":"worse.com","indicator_types":["malicious-activity"],` +
			`"pattern":"[domain-name:value = 'worse.com']","pattern_type":"stix","valid_from":"1970-01-01T00:00:00.000Z"}
],"id":"bundle--dc8537fa-ae31-56bb-b544-f42e453ee6e2"}
`},
		"no list": {nil, `{"type":"bundle","id":"bundle--4ef9b73c-cde6-5079-aa92-95c1f2ccba69"}` + "\n"},
	} {
		got, summary := write(t, lists.STIX, c.assets)
		require.Equal(t, c.want, got, reason)
		require.Equal(t, lists.Summary{Written: int64(strings.Count(c.want, "indicator--"))}, summary, reason)
	}
}

// An asset is in a bundle as what it is, and is left out for the same reasons as of a list of domains.
func TestWrite_Observables(t *testing.T) {
	t.Parallel()
	const wallet = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
	for reason, c := range map[string]struct {
		content, kind string
		values        []string
		leftOut       string
	}{
		"a domain":               {"bad.com", "domain-name", []string{"bad.com"}, ""},
		"a domain of a platform": {"name.medium.com", "domain-name", []string{"name.medium.com"}, ""},
		"a domain of many labels": {
			strings.Repeat("a.", 8) + "bad.com", "domain-name", []string{strings.Repeat("a.", 8) + "bad.com"}, "",
		},
		"an IPv4 address":              {"1.2.3.4", "ipv4-addr", []string{"1.2.3.4"}, ""},
		"an IPv6 address":              {"[2001:DB8::1]", "ipv6-addr", []string{"2001:db8::1"}, ""},
		"a URL of a host":              {"https://bad.com", "url", []string{"https://bad.com/"}, ""},
		"a URL of a port":              {"http://bad.com:81", "url", []string{"http://bad.com:81/"}, ""},
		"a URL with a query":           {"https://bad.com?q=1", "url", []string{"https://bad.com/?q=1"}, ""},
		"a URL with a route":           {"https://bad.com/#/route", "url", []string{"https://bad.com/#/route"}, ""},
		"a URL of a suffix":            {"https://github.io", "url", []string{"https://github.io/"}, ""},
		"a page with a path":           {"bad.com/x", "url", []string{"https://bad.com/x", "http://bad.com/x"}, ""},
		"a page with a port":           {"bad.com:81", "url", []string{"https://bad.com:81/", "http://bad.com:81/"}, ""},
		"a page with the port of http": {"bad.com:80/x", "url", []string{"https://bad.com:80/x", "http://bad.com/x"}, ""},
		"an e-mail address":            {"O'Brien@bad.com", "email-addr", []string{"o'brien@bad.com"}, ""},
		"a blockchain address":         {wallet, "cryptocurrency-wallet", []string{strings.ToLower(wallet)}, ""},
		"an account":                   {"@jack", "url", []string{"https://x.com/jack"}, ""},
		"an identifier of a platform":  {"medium.com/@name", "url", []string{"https://medium.com/@name"}, ""},
		"a public suffix":              {"github.io", "", nil, "is a public suffix, or above one"},
	} {
		text, summary := write(t, lists.STIX, listed(asset.StatusBlocked, c.content))
		var values []string
		for _, one := range readBundle(t, text).Objects {
			kind, value := one.observable(t)
			require.Equal(t, c.kind, kind, reason)
			values = append(values, value)
		}
		require.Equal(t, c.values, values, reason)
		if c.leftOut == "" {
			require.Equal(t, lists.Summary{Written: 1}, summary, reason)
		} else {
			require.Equal(t, lists.Summary{LeftOut: []lists.LeftOut{{c.leftOut, 1}}}, summary, reason)
		}
	}
}

// Each indicator names its asset, and its pattern only what a check of the asset blocks.
func TestWrite_Indicators(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		one := asset.Asset{ID: 1, Identity: classifytest.Content().Draw(t, "content").Identity, Status: asset.StatusBlocked}
		assets := []asset.Listed{{Known: asset.Known{Asset: one}}}
		text, summary := write(t, lists.STIX, assets)
		b, stored := readBundle(t, text), worldOf(assets)
		require.Equal(t, summary.Written == 0, len(b.Objects) == 0, text)
		for _, object := range b.Objects {
			result, err := classify.Classify(object.Name)
			require.NoError(t, err)
			require.Equal(t, one.Identity, result.Identity)

			kind, content := object.observable(t)
			switch kind {
			case "domain-name", "ipv4-addr":
				require.True(t, stored.isBlocked(t, content), text)
			case "ipv6-addr":
				require.True(t, stored.isBlocked(t, "["+content+"]"), text)
			default:
				require.Equal(t, asset.StatusBlocked, stored.check(t, content).Status, text)
			}
		}
	})
}

// Whatever an asset and its note contain, a reader gets the same texts, and no other objects.
func TestWrite_HostileIndicators(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(
		rapid.StringOf(rapid.SampledFrom([]rune("'\\\"[]{},:=\n\r\t\x01\x7f\u2028\ufeffé𝔸 a"))),
		rapid.String(),
		classifytest.Hostile(),
		rapid.Just(`'] OR [url:value = 'https://good.com/`),
		rapid.Just(`"},{"type":"indicator"`),
	).Filter(asset.ValidText)
	rapid.Check(t, func(t *rapid.T) {
		one := asset.Listed{Known: asset.Known{Asset: asset.Asset{ID: 1, Status: asset.StatusBlocked}}}
		one.Type = rapid.SampledFrom([]asset.Type{asset.TypeAddress, asset.TypeEmail}).Draw(t, "type")
		one.Canonical, one.Note = text.Draw(t, "canonical"), text.Draw(t, "note")
		got, _ := write(t, lists.STIX, []asset.Listed{one})
		objects := readBundle(t, got).Objects
		require.Len(t, objects, 1)
		require.Equal(t, one.Canonical, objects[0].Name)
		require.Equal(t, one.Note, objects[0].Description)
		_, value := objects[0].observable(t)
		require.Equal(t, one.Canonical, value)
		require.Equal(t, 3, strings.Count(got, "\n"), "an object on each line")
	})
}

// The ID of an indicator changes with its asset and its time of creation, and with nothing else.
func TestWrite_IndicatorID(t *testing.T) {
	t.Parallel()
	of := func(change func(*asset.Listed)) (b bundle) {
		assets := listed(asset.StatusBlocked, "bad.com")
		assets[0].Since, assets[0].UpdatedAt = time.UnixMilli(1), time.UnixMilli(2)
		change(&assets[0])
		text, _ := write(t, lists.STIX, assets)
		return readBundle(t, text)
	}
	first := of(func(*asset.Listed) {})
	for reason, c := range map[string]struct {
		change func(*asset.Listed)
		same   bool
	}{
		"another note":     {func(l *asset.Listed) { l.Note, l.UpdatedAt = "note", time.UnixMilli(3) }, true},
		"another number":   {func(l *asset.Listed) { l.ID = 7 }, true},
		"another decision": {func(l *asset.Listed) { l.Since = time.UnixMilli(2) }, false},
		"another asset":    {func(l *asset.Listed) { l.Canonical = "worse.com" }, false},
		"another type":     {func(l *asset.Listed) { l.Type = asset.TypeAddress }, false},
	} {
		got := of(c.change)
		require.Equal(t, c.same, first.Objects[0].ID == got.Objects[0].ID, reason)
		require.Equal(t, reason == "another number", first.ID == got.ID, reason)
	}

	text, _ := write(t, lists.STIX, listed(asset.StatusBlocked, "bad.com/x", "https://bad.com/x", "http://bad.com/x"))
	require.Len(t, readBundle(t, text).Objects, 4, "two assets have the same link, and different IDs")

	late := of(func(l *asset.Listed) { l.Since = time.UnixMilli(9) }).Objects[0]
	require.Equal(t, late.Created, late.Modified, "the clock was set back")
	unknown := of(func(l *asset.Listed) { l.Since = time.Time{} }).Objects[0]
	require.Equal(t, time.UnixMilli(2).UTC(), unknown.Created, "no decision is known")
}
