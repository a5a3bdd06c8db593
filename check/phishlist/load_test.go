package phishlist_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

func TestLoad_Invalid(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ text, want string }{
		"an empty file":                    {"", "byte 0: unexpected end of file"},
		"a byte order mark alone":          {"\ufeff", "byte 3: unexpected end of file"},
		"not JSON":                         {"bad.com\nworse.com", "byte 0: "},
		"a string":                         {`"bad.com"`, "byte 9: must be an object or an array of objects"},
		"null":                             {`null`, "byte 4: must be an object or an array of objects"},
		"a truncated object":               {`{"blacklist": ["a.com", "b.`, "byte 27: unexpected end of file"},
		"a truncated array":                {`[{"name": "a"}`, "byte 14: unexpected end of file"},
		"an error after a byte order mark": {"\ufeff{\"blacklist\":[1]}", "byte 18 (blacklist[0]): must be a string"},
		"not JSON after a byte order mark": {"\ufeff{x", "byte 4: "},
		"two byte order marks":             {"\ufeff\ufeff{}", "byte 3: "},
		"an array without lists":           {`[]`, "byte 2: must contain a list"},
		"an array of hosts":                {`["bad.com"]`, "byte 10 ([0]): must be an object"},
		"an object that is not a list":     {`{"error": "not found"}`, "byte 21 (error): must have one of the keys name, allowlist"},
		"an empty object":                  {`[{"name": "a"}, {}]`, "([1]): must have one of the keys"},
		"a list that is not an array":      {`{"blacklist": "bad.com"}`, "byte 23 (blacklist): must be an array of strings"},
		"an entry that is a number":        {`[{"blocklist": ["a.com", 5]}]`, "byte 26 ([0].blocklist[1]): must be a string"},
		"an entry that is null":            {`{"fuzzylist": [null]}`, "(fuzzylist[0]): must be a string"},
		"an entry that is a list":          {`{"whitelist": [["a.com"]]}`, "(whitelist[0]): must be a string"},
		"a name that is a number":          {`[{"name": 5}]`, "([0].name): must be a string"},
		"a negative tolerance":             {`{"tolerance": -1, "fuzzylist": []}`, "byte 16 (tolerance): must be an integer from 0 to 16"},
		"a tolerance just too great":       {`{"tolerance": 17}`, "(tolerance): must be an integer from 0 to 16"},
		"a fractional tolerance":           {`{"tolerance": 2.5}`, "(tolerance): must be an integer from 0 to 16"},
		"a tolerance out of range":         {`{"tolerance": 1e999}`, "(tolerance): must be an integer from 0 to 16"},
		"a tolerance that is a string":     {`{"tolerance": "2"}`, "(tolerance): must be an integer from 0 to 16"},
		"an allowlist in both spellings":   {`{"whitelist": ["a.com"], "allowlist": []}`, "byte 36 (allowlist): must be given in one spelling only"},
		"a blocklist in both spellings":    {`[{"blocklist": ["a.com"], "blacklist": []}]`, "([0].blacklist): must be given in one spelling only"},
		"a duplicate key":                  {`{"blacklist": [], "blacklist": []}`, "(blacklist): "},
		"a second value":                   {`{"blacklist": []} {}`, "byte 19: unexpected data after the end"},
		"invalid UTF-8 in a string":        {"{\"blacklist\": [\"a\xff.com\"]}", "(blacklist[0]): "},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			list, err := phishlist.Load(strings.NewReader(c.text), phishlist.Options{})
			require.Nil(t, list)
			var input *asset.InputError
			require.ErrorAs(t, err, &input)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "jsontext")
			require.NotErrorIs(t, err, phishlist.ErrTooLarge)
		})
	}
}

func TestLoad_Valid(t *testing.T) {
	t.Parallel()
	for reason, text := range map[string]string{
		"a byte order mark":           "\ufeff" + `{"blacklist": ["bad.com"]}`,
		"white space":                 " \r\n\t{ \"blacklist\" :\n[ \"bad.com\" ] } \n",
		"unknown keys":                `{"comment": {"a": [1, "b"]}, "blacklist": ["bad.com"], "Blacklist": ["good.com"]}`,
		"a version that is an array":  `{"version": [], "blacklist": ["bad.com"]}`,
		"escapes":                     `{"\u0062lacklist": ["b\u0061d.com"]}`,
		"the new spelling":            `{"blocklist": ["bad.com"]}`,
		"the old spelling in the new": `[{"blacklist": ["bad.com"]}]`,
		"lists that are null":         `{"whitelist": null, "fuzzylist": null, "allowlist": null, "blacklist": ["bad.com"]}`,
		"a name that is null":         `[{"name": null, "blocklist": ["bad.com"]}]`,
		"a tolerance that is null":    `{"tolerance": null, "blacklist": ["bad.com"]}`,
		"a duplicate entry":           `{"blacklist": ["bad.com", "bad.com"]}`,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for how, reader := range map[string]io.Reader{
				"in one read":  strings.NewReader(text),
				"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
			} {
				list, err := phishlist.Load(reader, phishlist.Options{})
				require.NoError(t, err, how)
				require.Equal(t, blocked("bad.com", ""), list.Check("bad.com"))
				require.Equal(t, none, list.Check("good.com"))
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	for _, text := range []string{oneList, threeLists, `[]`, `{"blacklist":["\u0000","[::1]"]}`, "\ufeff{}", `{"tolerance":1e1,"fuzzylist":["www.a.b"]}`} {
		f.Add([]byte(text), "www.metamask.io")
	}
	f.Add([]byte(`{"tolerance":16,"fuzzylist":["😀.a",".","a"]}`), "\xff.😀.")
	f.Fuzz(func(t *testing.T, text []byte, host string) {
		list, err := phishlist.Load(strings.NewReader(string(text)), phishlist.Options{})
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
