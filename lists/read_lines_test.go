package lists_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/lists"
)

// A content identifier of IPFS, and the asset that stands for it.
const (
	contentID    = "bafybeie5nqv6kd3qnfjupgvz34woh3oksc3iau6abmyajn7qvtf6d2ho34"
	contentAsset = "URL https://ipfs.io/ipfs/" + contentID + " BLOCKED"
)

// readCase is a list and its entries.
type readCase struct {
	format lists.Format
	text   string
	want   []string
}

func testRead(t *testing.T, opts lists.ReadOptions, cases map[string]readCase) {
	t.Helper()
	for reason, c := range cases {
		got, err := read(c.text, c.format, opts)
		require.NoError(t, err, reason)
		require.Equal(t, c.want, got, reason)
	}
}

// refusedLine returns the entry of the first line if it is refused for a reason.
func refusedLine(reason error) []string { return []string{"1: " + reason.Error()} }

func TestRead_Lines(t *testing.T) {
	t.Parallel()
	testRead(t, lists.ReadOptions{}, map[string]readCase{
		"a comment after the entry":          {lists.Lines, "evil.example.com # partner tracker\n", []string{"1 PAGE evil.example.com BLOCKED"}},
		"a comment after a tab":              {lists.Lines, "evil.example.com\t#x#y\n", []string{"1 PAGE evil.example.com BLOCKED"}},
		"a comment after white space":        {lists.Lines, " \t# evil.example.com\n", nil},
		"a route":                            {lists.Lines, "https://evil.com/#/login # x\n", []string{"1 URL https://evil.com/#/login BLOCKED"}},
		"a cosmetic filter":                  {lists.Lines, "video.example.com##.ad-banner\n", refusedLine(lists.ErrMark)},
		"an exception of a cosmetic filter":  {lists.Lines, "news.example.com#@#.ad\n", refusedLine(lists.ErrMark)},
		"a scriptlet":                        {lists.Lines, "site.example.com##+js(set,a,1)\n", refusedLine(lists.ErrMark)},
		"a comment without white space":      {lists.Lines, "evil.example.com#x\n", refusedLine(lists.ErrMark)},
		"a fragment":                         {lists.Lines, "https://evil.com/x#top\n", refusedLine(lists.ErrMark)},
		"a leading dot":                      {lists.Lines, ".evil.example.com\n", []string{"1 PAGE evil.example.com BLOCKED"}},
		"a wildcard":                         {lists.Lines, "*.evil.example.com # x\n", []string{"1 PAGE evil.example.com BLOCKED"}},
		"a wildcard of a word":               {lists.Lines, "*.jack\n", refusedLine(lists.ErrNotHost)},
		"a wildcard of a path":               {lists.Lines, "*.evil.com/x\n", refusedLine(lists.ErrNotHost)},
		"a wildcard within":                  {lists.Lines, "evil.*.com\n", []string{"1: " + refusal("evil.*.com")}},
		"a word":                             {lists.Lines, "group\n", refusedLine(lists.ErrAccount)},
		"a word in upper case":               {lists.Lines, "Domain\n", refusedLine(lists.ErrAccount)},
		"a long word":                        {lists.Lines, "a_word_of_more_than_15\n", refusedLine(lists.ErrAccount)},
		"a dotted handle":                    {lists.Lines, "john.smith_official\n", refusedLine(lists.ErrAccount)},
		"a mistyped domain":                  {lists.Lines, "evil.c0m\n", refusedLine(lists.ErrAccount)},
		"an account":                         {lists.Lines, "@jack\nx.com/jill\n", []string{"1 TWITTER x.com/jack BLOCKED", "2 TWITTER x.com/jill BLOCKED"}},
		"IPFS content":                       {lists.Lines, contentID + "\n", []string{"1 " + contentAsset}},
		"a site under a private wildcard":    {lists.Lines, "degen-tips.eth.limo\n", []string{"1 PAGE degen-tips.eth.limo BLOCKED"}},
		"a word in CSV":                      {lists.CSV, "content\ngroup\n", []string{"2: " + lists.ErrAccount.Error()}},
		"a word in JSON Lines":               {lists.JSONLines, `{"content":"group"}`, refusedLine(lists.ErrAccount)},
		"an account in CSV":                  {lists.CSV, "content\n@jack\n", []string{"2 TWITTER x.com/jack BLOCKED"}},
		"IPFS content in CSV":                {lists.CSV, "content\n" + contentID + "\n", []string{"2 " + contentAsset}},
		"IPFS content in JSON Lines":         {lists.JSONLines, `{"content":"` + contentID + `"}`, []string{"1 " + contentAsset}},
		"IPFS content in a blacklist":        {lists.PhishingDetect, `{"blacklist":["` + contentID + `"]}`, []string{"1 " + contentAsset}},
		"an HTML entity":                     {lists.Lines, "https://evil.com/?a=1&amp;b=2\n", refusedLine(lists.ErrEntity)},
		"a numeric HTML entity":              {lists.Lines, "https://evil.com/?a=1&#38;b=2\n", refusedLine(lists.ErrEntity)},
		"an HTML entity in hexadecimal":      {lists.CSV, "content\nhttps://evil.com/?a=1&#X26;b=2\n", []string{"2: " + lists.ErrEntity.Error()}},
		"an HTML entity in CSV":              {lists.CSV, "content\nhttps://evil.com/?a=1&amp;b=2\n", []string{"2: " + lists.ErrEntity.Error()}},
		"an HTML entity in JSON Lines":       {lists.JSONLines, `{"content":"https://evil.com/?a=1&lt;b"}`, refusedLine(lists.ErrEntity)},
		"an HTML entity in a hosts file":     {lists.Hosts, "0.0.0.0 evil.com&nbsp;\n", refusedLine(lists.ErrEntity)},
		"an HTML entity in a blacklist":      {lists.PhishingDetect, `{"blacklist":["evil.com&lt;"]}`, refusedLine(lists.ErrEntity)},
		"a parameter that is like an entity": {lists.Lines, "https://evil.com/?a=1&amp=2\n", []string{"1 URL https://evil.com/?a=1&amp=2 BLOCKED"}},
	})
}

func TestRead_Accounts(t *testing.T) {
	t.Parallel()
	testRead(t, lists.ReadOptions{Accounts: true}, map[string]readCase{
		"a word":              {lists.Lines, "group\n", []string{"1 TWITTER x.com/group BLOCKED"}},
		"a dotted handle":     {lists.Lines, "john.smith_official\n", []string{"1 INSTAGRAM instagram.com/john.smith_official BLOCKED"}},
		"a word in CSV":       {lists.CSV, "content\ngroup\n", []string{"2 TWITTER x.com/group BLOCKED"}},
		"a word of JSON":      {lists.JSONLines, `{"content":"group"}`, []string{"1 TWITTER x.com/group BLOCKED"}},
		"a list of hosts":     {lists.Hosts, "0.0.0.0 group\n", refusedLine(lists.ErrNotHost)},
		"a word with a dot":   {lists.Lines, ".group\n", refusedLine(lists.ErrNotHost)},
		"a blacklist as well": {lists.PhishingDetect, `{"blacklist":["group"]}`, refusedLine(lists.ErrNotHost)},
	})
}
