package lists_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/lists"
)

// readCase is a list and what [lists.Read] yields of it, each refused entry with its error.
type readCase struct {
	text string
	opts lists.ReadOptions
	want []string
}

func testRead(t *testing.T, format lists.Format, cases map[string]readCase) {
	t.Helper()
	for reason, c := range cases {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			got, err := read(c.text, format, c.opts)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func refused(line string, err error) string { return line + ": " + err.Error() }

func TestRead_Lines(t *testing.T) {
	t.Parallel()
	testRead(t, lists.Lines, map[string]readCase{
		"a filter that hides an element":    {text: "video.example.com##.ad-banner", want: []string{refused("1", lists.ErrFragment)}},
		"an exception to such a filter":     {text: "news.example.com#@#.ad", want: []string{refused("1", lists.ErrFragment)}},
		"a filter that runs a script":       {text: "site.example.com##+js(set,a,1)", want: []string{refused("1", lists.ErrFragment)}},
		"a filter with a style":             {text: "site.example.com#$#body { overflow: auto }", want: []string{refused("1", lists.ErrFragment)}},
		"a filter for HTML":                 {text: "site.example.com$$script[tag-content=\"x\"]", want: []string{"1: " + refusal("site.example.com$$script[tag-content=\"x\"]")}},
		"a comment without white space":     {text: "evil.example.com#tracker", want: []string{refused("1", lists.ErrFragment)}},
		"a section of a page":               {text: "https://evil.example.com/a#section", want: []string{refused("1", lists.ErrFragment)}},
		"a route":                           {text: "https://app.example.com/#/route", want: []string{"1 URL https://app.example.com/#/route BLOCKED"}},
		"a route of the older kind":         {text: "https://app.example.com/#!/route", want: []string{"1 URL https://app.example.com/#!/route BLOCKED"}},
		"a comment behind an entry":         {text: "evil.example.com # partner tracker\nhttps://evil.example.com/#/a\t# b", want: []string{"1 PAGE evil.example.com BLOCKED", "2 URL https://evil.example.com/#/a BLOCKED"}},
		"comments alone":                    {text: "#\n  # a\n## b\n#c.com", want: nil},
		"a domain with a dot before it":     {text: ".evil.example.com", want: []string{"1 PAGE evil.example.com BLOCKED"}},
		"a domain with a wildcard":          {text: "*.evil.example.com # all", want: []string{"1 PAGE evil.example.com BLOCKED"}},
		"a defanged domain with a wildcard": {text: "*[.]evil[.]com", opts: lists.ReadOptions{Refang: true}, want: []string{"1 PAGE evil.com BLOCKED"}},
		"wildcards elsewhere":               {text: "evil.*\n*evil.com\na.*.com\n*.*.com\n..evil.com\n*.evil.com/x\n.1.2.3.4\n.ad.page.", want: []string{"1: " + refusal("evil.*"), "2: " + refusal("*evil.com"), "3: " + refusal("a.*.com"), refused("4", lists.ErrNotHost), refused("5", lists.ErrNotHost), refused("6", lists.ErrNotHost), refused("7", lists.ErrNotHost), refused("8", lists.ErrNotHost)}},
		"single words":                      {text: "group\narbirtium\nDomain\n.group\n*.group", want: []string{refused("1", lists.ErrBareHandle), refused("2", lists.ErrBareHandle), refused("3", lists.ErrBareHandle), refused("4", lists.ErrNotHost), refused("5", lists.ErrNotHost)}},
		"a handle with dots and without @":  {text: "john.smith_official\n@john.smith_official", want: []string{refused("1", lists.ErrBareHandle), "2 INSTAGRAM instagram.com/john.smith_official BLOCKED"}},
		"accounts that are meant":           {text: "group\n.group", opts: lists.ReadOptions{Accounts: true}, want: []string{"1 TWITTER x.com/group BLOCKED", refused("2", lists.ErrNotHost)}},
		"explicit accounts": {text: "@jack\nx.com/jack\nhttps://t.me/jack\ndiscord.gg/abc\nname.medium.com\na@b.com", want: []string{
			"1 TWITTER x.com/jack BLOCKED", "2 TWITTER x.com/jack BLOCKED", "3 TELEGRAM t.me/jack BLOCKED", "4 DISCORD discord.gg/abc BLOCKED", "5 MEDIUM name.medium.com BLOCKED", "6 EMAIL a@b.com BLOCKED",
		}},
		"addresses":           {text: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045", want: []string{"1 ADDRESS 0xd8da6bf26964af9d7eed9e03e53415d37aa96045 BLOCKED"}},
		"sites of a wildcard": {text: "degen-tips.eth.limo\nfoo-bar.raw.icp0.io\nevil.code.run", want: []string{"1 PAGE degen-tips.eth.limo BLOCKED", "2 PAGE foo-bar.raw.icp0.io BLOCKED", "3 PAGE evil.code.run BLOCKED"}},
	})
}
