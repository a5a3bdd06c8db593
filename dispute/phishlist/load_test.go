package phishlist_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute/phishlist"
)

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ text, want string }{
		"nothing":                          {"", "byte 0: the text ends too early"},
		"white space":                      {" \n", "byte 2: the text ends too early"},
		"a byte order mark alone":          {"\ufeff", "byte 3: the text ends too early"},
		"no JSON":                          {"bad.com\nworse.com", "byte 0: "},
		"a text":                           {`"bad.com"`, "byte 9: must be an object or an array of objects"},
		"null":                             {`null`, "byte 4: must be an object or an array of objects"},
		"a cut object":                     {`{"blacklist": ["a.com", "b.`, "byte 27: the text ends too early"},
		"a cut array":                      {`[{"name": "a"}`, "byte 14: the text ends too early"},
		"an error after a byte order mark": {"\ufeff{\"blacklist\":[1]}", "byte 18 (blacklist[0]): must be a text"},
		"no JSON after a byte order mark":  {"\ufeff{x", "byte 4: "},
		"two byte order marks":             {"\ufeff\ufeff{}", "byte 3: "},
		"an array without lists":           {`[]`, "byte 2: must have a list"},
		"an array of hosts":                {`["bad.com"]`, "byte 10 ([0]): must be an object"},
		"an array in an array":             {`[[]]`, "byte 2 ([0]): must be an object"},
		"an object that is no list":        {`{"error": "not found"}`, "byte 21 (error): must have one of the keys name, allowlist"},
		"an empty object":                  {`[{"name": "a"}, {}]`, "([1]): must have one of the keys"},
		"a list that is no array":          {`{"blacklist": "bad.com"}`, "byte 23 (blacklist): must be an array of texts"},
		"a list that is an object":         {`{"blacklist": {"a": 1}}`, "(blacklist): must be an array of texts"},
		"an entry that is a number":        {`[{"blocklist": ["a.com", 5]}]`, "byte 26 ([0].blocklist[1]): must be a text"},
		"an entry that is null":            {`{"fuzzylist": [null]}`, "(fuzzylist[0]): must be a text"},
		"an entry that is a list":          {`{"whitelist": [["a.com"]]}`, "(whitelist[0]): must be a text"},
		"a name that is a number":          {`[{"name": 5}]`, "([0].name): must be a text"},
		"a tolerance below 0":              {`{"tolerance": -1, "fuzzylist": []}`, "byte 16 (tolerance): must be a whole number from 0 to 16"},
		"a tolerance far too great":        {`{"tolerance": 99, "fuzzylist": []}`, "(tolerance): must be a whole number from 0 to 16"},
		"a tolerance just too great":       {`{"tolerance": 17}`, "(tolerance): must be a whole number from 0 to 16"},
		"a tolerance that is not whole":    {`{"tolerance": 2.5}`, "(tolerance): must be a whole number from 0 to 16"},
		"a tolerance beyond all numbers":   {`{"tolerance": 1e999}`, "(tolerance): must be a whole number from 0 to 16"},
		"a tolerance that is a text":       {`{"tolerance": "2"}`, "(tolerance): must be a whole number from 0 to 16"},
		"both spellings of an allowlist":   {`{"whitelist": ["a.com"], "allowlist": []}`, "byte 36 (allowlist): must be given in one spelling only"},
		"both spellings of a blocklist":    {`[{"blocklist": ["a.com"], "blacklist": []}]`, "([0].blacklist): must be given in one spelling only"},
		"a key twice":                      {`{"blacklist": [], "blacklist": []}`, "(blacklist): "},
		"a key twice that is ignored":      {`{"blacklist": [], "x": 1, "x": 1}`, "(x): "},
		"something after the end":          {`{"blacklist": []} {}`, "byte 19: must end after the lists"},
		"letters after the end":            {`{"blacklist": []} x`, "byte 18: "},
		"a NUL after the end":              {"{\"blacklist\": []}\x00", "byte 17: "},
		"a NUL in a text":                  {"{\"blacklist\": [\"a\x00.com\"]}", "(blacklist[0]): "},
		"invalid UTF-8 in a text":          {"{\"blacklist\": [\"a\xff.com\"]}", "(blacklist[0]): "},
		"half a character in a text":       {`{"blacklist": ["a\ud83d.com"]}`, "(blacklist[0]): "},
		"an unknown key with no value":     {`{"blacklist": [], "x": }`, "byte 23"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			list, err := phishlist.Load(strings.NewReader(c.text))
			require.Nil(t, list)
			var input *asset.InputError
			require.ErrorAs(t, err, &input)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "jsontext")
			require.NotErrorIs(t, err, phishlist.ErrTooLarge)
		})
	}
}

func TestLoadTakes(t *testing.T) {
	t.Parallel()
	for reason, text := range map[string]string{
		"a byte order mark":           "\ufeff" + `{"blacklist": ["bad.com"]}`,
		"white space":                 " \r\n\t{ \"blacklist\" :\n[ \"bad.com\" ] } \n",
		"unknown keys":                `{"comment": {"a": [1, "b"]}, "blacklist": ["bad.com"], "Blacklist": ["good.com"]}`,
		"a version of another kind":   `{"version": [], "blacklist": ["bad.com"]}`,
		"escapes":                     `{"\u0062lacklist": ["b\u0061d.com"]}`,
		"the new spelling":            `{"blocklist": ["bad.com"]}`,
		"the old spelling in the new": `[{"blacklist": ["bad.com"]}]`,
		"lists that are null":         `{"whitelist": null, "fuzzylist": null, "allowlist": null, "blacklist": ["bad.com"]}`,
		"a name that is null":         `[{"name": null, "blocklist": ["bad.com"]}]`,
		"a tolerance that is null":    `{"tolerance": null, "blacklist": ["bad.com"]}`,
		"a tolerance as 1.6e1":        `{"tolerance": 1.6e1, "blacklist": ["bad.com"]}`,
		"an entry twice":              `{"blacklist": ["bad.com", "bad.com"]}`,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for how, reader := range map[string]io.Reader{
				"at once":      strings.NewReader(text),
				"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
			} {
				list, err := phishlist.Load(reader)
				require.NoError(t, err, how)
				require.Equal(t, blocked("bad.com", ""), list.Check("bad.com"))
				require.Equal(t, none, list.Check("good.com"))
			}
		})
	}
}

func TestEntriesThatAreNoHostsAreSkipped(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a", 249) + ".com"
	for reason, c := range map[string]struct {
		entry string
		host  bool
	}{
		"a host":                          {"bad.com", true},
		"an underscore":                   {"_a.bad.com", true},
		"another script":                  {"b\u00fccher.com", true},
		"an IPv6 address":                 {"[2001:db8::1]", true},
		"a star, which a URL may have":    {"*.bad.com", true},
		"empty labels":                    {"..bad..com.", true},
		"the longest host":                {longest, true},
		"a longer one":                    {"a" + longest, false},
		"nothing":                         {"", false},
		"a URL":                           {"https://bad.com", false},
		"a path":                          {"bad.com/path", false},
		"a port":                          {"bad.com:8080", false},
		"an IPv6 address without bracket": {"2001:db8::1", false},
		"a bracket too few":               {"[2001:db8::1", false},
		"a name in brackets":              {"[wallet]", false},
		"nothing in brackets":             {"[]", false},
		"a bracket alone":                 {"[", false},
		"colons in brackets":              {"[:::]", false},
		"hexadecimal digits in brackets":  {"[dead.beef]", false},
		"an IPv4 address in brackets":     {"[192.0.2.1]", false},
		"an IPv6 address with a zone":     {"[fe80::1%eth0]", false},
		"an IPv6 address in capitals":     {"[2001:DB8::1]", true},
		"an e-mail address":               {"bob@bad.com", false},
		"a space":                         {"bad .com", false},
		"a NUL":                           {"bad\\u0000.com", false},
		"a line break":                    {"bad.com\\n", false},
		"a quote of a character":          {"bad%2ecom", false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{"blacklist", "whitelist", "fuzzylist"} {
				list := load(t, fmt.Sprintf(`{"name": "a", %q: ["first.com", "%s", "last.com"]}`, key, c.entry))
				entries, targets := list.Len()
				if c.host {
					require.Zero(t, list.Findings().NoHosts)
					require.Empty(t, list.Findings().FirstNoHosts)
					require.Equal(t, 3, entries+targets)
					continue
				}
				require.Equal(t, 2, entries+targets)
				require.Equal(t, 1, list.Findings().NoHosts)
				require.Contains(t, list.Findings().FirstNoHosts[0].Field, "("+key+"[1])")
				require.NotEmpty(t, list.Findings().FirstNoHosts[0].Message)
			}
		})
	}
}

func TestRepeatedEntriesAreCounted(t *testing.T) {
	t.Parallel()
	list := load(t, `[
		{"blocklist": ["a.com", "b.com", "a.com"], "allowlist": ["b.com", "b.com", "c.com"]},
		{"allowlist": ["c.com", "a.com"], "blocklist": ["d.com", "c.com", "x.a.com"]}
	]`)
	// Of a.com, b.com and c.com only one entry decides, an exception each.
	require.Equal(t, 6, list.Findings().Repeated)
	entries, _ := list.Len()
	require.Equal(t, 5, entries)
	for _, host := range []string{"a.com", "b.com", "c.com", "x.a.com"} {
		require.Equal(t, phishlist.RuleAllowlist, list.Check(host).Rule, host)
	}
	require.Equal(t, phishlist.RuleBlocklist, list.Check("d.com").Rule)
}

func TestOnlyTheFirstOfTheSkippedAreKept(t *testing.T) {
	t.Parallel()
	list := load(t, `{"blacklist": [`+strings.Repeat(`"a b",`, 1000)+`"bad.com"]}`)
	found := list.Findings()
	require.Equal(t, 1000, found.NoHosts)
	require.Len(t, found.FirstNoHosts, 100)
	found.FirstNoHosts[0].Field = "changed"
	require.NotEqual(t, "changed", list.Findings().FirstNoHosts[0].Field, "the caller has a copy")
}

func TestLoadTellsWhatTheReaderSays(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	for _, start := range []string{"", "{", `{"blacklist": ["a.com", "b`, `{"blacklist": []}`} {
		_, err := phishlist.Load(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken)))
		require.ErrorIs(t, err, broken)
		require.NotErrorIs(t, err, asset.ErrInvalid)
	}
}

// endless is a text that is repeated for ever.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		copied := copy(p[n:], e.text[e.at:])
		n += copied
		e.at = (e.at + copied) % len(e.text)
	}
	return n, nil
}

func TestLoadEndsAtTheLimit(t *testing.T) {
	t.Parallel()
	const text = `{"blacklist": ["bad.com"]}`
	opts := phishlist.Options{MaxBytes: int64(len(text))}
	_, err := phishlist.LoadWith(strings.NewReader(text), opts)
	require.NoError(t, err, "at the limit")
	for reason, reader := range map[string]io.Reader{
		"a byte beyond":                  strings.NewReader(text + " "),
		"a list with one entry more":     strings.NewReader(`{"blacklist": ["bad.com", ""]}`),
		"endless white space":            &endless{text: " "},
		"an endless text":                io.MultiReader(strings.NewReader(`{"blacklist": ["`), &endless{text: "a"}),
		"endless entries":                io.MultiReader(strings.NewReader(`{"blacklist": [`), &endless{text: `"a.b",`}),
		"a list and endless white space": io.MultiReader(strings.NewReader(text), &endless{text: " "}),
	} {
		_, err := phishlist.LoadWith(reader, opts)
		require.ErrorIs(t, err, phishlist.ErrTooLarge, reason)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
		require.ErrorContains(t, err, "must be at most 26 bytes", reason)
	}
}

// TestLoadEndsWithoutOptions reads as much as is ever read.
func TestLoadEndsWithoutOptions(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("256 MiB take a second; run it without -short")
	}
	if raceDetector() {
		t.Skip("256 MiB take long, and nothing is shared; run it without -race")
	}
	_, err := phishlist.Load(io.MultiReader(strings.NewReader(`{"comment": [`), &endless{text: strings.Repeat(" ", 1<<16)}))
	require.ErrorIs(t, err, phishlist.ErrTooLarge)
}

// TestTheGreatestLimitIsMaxBytes asks for more, which is taken for MaxBytes.
func TestTheGreatestLimitIsMaxBytes(t *testing.T) {
	t.Parallel()
	list, err := phishlist.LoadWith(strings.NewReader(`{"blacklist": ["bad.com"]}`), phishlist.Options{MaxBytes: math.MaxInt64})
	require.NoError(t, err)
	require.True(t, list.Check("bad.com").Blocked)
}

// TestALargeListLoads reads 100 MB, of hosts that are about as long as hosts can be. The
// race detector makes it slow and finds nothing shared in it, so it gets less.
func TestALargeListLoads(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("100 MB take a second or two; run it without -short")
	}
	entries := 400_000
	if raceDetector() {
		entries = 20_000
	}
	end := strings.Repeat("a", 236) + ".wallet"
	reader, writer := io.Pipe()
	go func() {
		text := append(make([]byte, 0, 1<<20), `{"blacklist": [`...)
		for i := range entries {
			text = append(strconv.AppendInt(append(text, '"'), int64(i), 10), end...)
			text = append(text, "\",\n"...)
			if len(text) > 1<<20-1000 {
				_, _ = writer.Write(text)
				text = text[:0]
			}
		}
		_, _ = writer.Write(append(text, `"last.com"]}`...))
		_ = writer.Close()
	}()
	list, err := phishlist.Load(reader)
	require.NoError(t, err)
	last := strconv.Itoa(entries-1) + end
	loaded, _ := list.Len()
	require.Equal(t, entries+1, loaded)
	require.Equal(t, blocked(last, ""), list.Check("a."+last))
	require.Equal(t, blocked("last.com", ""), list.Check("last.com"))
	require.Equal(t, none, list.Check(strconv.Itoa(entries)+end))
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func FuzzLoad(f *testing.F) {
	for _, text := range []string{oneList, threeLists, `[]`, `{"blacklist":["\u0000","[::1]"]}`, "\ufeff{}", `{"tolerance":1e1,"fuzzylist":["www.a.b"]}`} {
		f.Add([]byte(text), "www.metamask.io")
	}
	f.Add([]byte(`{"tolerance":16,"fuzzylist":["😀.a",".","a"]}`), "\xff.😀.")
	f.Fuzz(func(t *testing.T, text []byte, host string) {
		list, err := phishlist.Load(strings.NewReader(string(text)))
		if err != nil {
			require.ErrorIs(t, err, asset.ErrInvalid)
			return
		}
		for _, h := range []string{host, string(text), host + "." + string(text), ""} {
			got := list.Check(h)
			require.Equal(t, got.Rule == phishlist.RuleBlocklist || got.Rule == phishlist.RuleFuzzy, got.Blocked)
			require.Equal(t, got.Rule == phishlist.RuleNone, got.Match == "")
		}
	})
}
