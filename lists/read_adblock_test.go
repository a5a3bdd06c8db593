package lists_test

import (
	"testing"

	"github.com/apguard/apguard/lists"
)

func TestRead_AdBlock(t *testing.T) {
	t.Parallel()
	one := func(err error) []string { return []string{refused("1", err)} }
	testRead(t, lists.AdBlock, map[string]readCase{
		"rules for hosts":            {text: "||evil.com^\n||EVIL.org^|\n||b\u00fccher.com^\n||1.2.3.4^\n||name.medium.com^", want: []string{"1 PAGE evil.com BLOCKED", "2 PAGE evil.org BLOCKED", "3 PAGE xn--bcher-kva.com BLOCKED", "4 PAGE 1.2.3.4 BLOCKED", "5 MEDIUM name.medium.com BLOCKED"}},
		"options that do not narrow": {text: "||a.com^$important\n||b.com^$document\n||c.com^$doc,popup\n||d.com^$ALL", want: []string{"1 PAGE a.com BLOCKED", "2 PAGE b.com BLOCKED", "3 PAGE c.com BLOCKED", "4 PAGE d.com BLOCKED"}},
		"comments and headers":       {text: "[Adblock Plus 2.0]\n[uBlock Origin]\n! Title: x\n!#include y\n# a\n####\n#b\n## c\n\n", want: nil},
		"lines of a hosts file":      {text: "0.0.0.0 evil.com worse.com ## c\n127.0.0.1 localhost\n1.2.3.4 good.com", want: []string{"1 PAGE evil.com BLOCKED", "1 PAGE worse.com BLOCKED", refused("3", lists.ErrNotBlocking)}},
		"plain hosts":                {text: "evil.com\nworse.com # c\n1.2.3.4", want: []string{"1 PAGE evil.com BLOCKED", "2 PAGE worse.com BLOCKED", "3 PAGE 1.2.3.4 BLOCKED"}},
		"an IPv6 address":            {text: "|https://[2001:db8::1]^\n||[2001:db8::2]^", want: []string{"1 PAGE [2001:db8::1] BLOCKED", "2 PAGE [2001:db8::2] BLOCKED"}},
		"an exception":               {text: "@@||good.com^", want: one(lists.ErrException)},
		"an exception for pages":     {text: "@@||good.com^$document", want: one(lists.ErrException)},
		"a hidden element":           {text: "video.com##.ad", want: one(lists.ErrCosmetic)},
		"a hidden element of all":    {text: "##.ad", want: one(lists.ErrCosmetic)},
		"a hidden id":                {text: "###ad", want: one(lists.ErrCosmetic)},
		"a shown element":            {text: "video.com#@#.ad", want: one(lists.ErrCosmetic)},
		"an extended selector":       {text: "video.com#?#div:has(a)", want: one(lists.ErrCosmetic)},
		"a style":                    {text: "video.com#$#a { b: c }", want: one(lists.ErrCosmetic)},
		"a style with a selector":    {text: "video.com#$?#a { b: c }", want: one(lists.ErrCosmetic)},
		"a script":                   {text: "video.com#%#//scriptlet('x')", want: one(lists.ErrCosmetic)},
		"filtered HTML":              {text: "video.com$$script[x]", want: one(lists.ErrCosmetic)},
		"white space before ##":      {text: "video.com ##.ad", want: one(lists.ErrCosmetic)},
		"a path":                     {text: "||video.com/ads/", want: one(lists.ErrPattern)},
		"a path behind ^":            {text: "||video.com^ads^", want: one(lists.ErrPattern)},
		"no end of the host":         {text: "||video.co", want: one(lists.ErrPattern)},
		"a port":                     {text: "||video.com:8080^", want: one(lists.ErrPattern)},
		"a wildcard":                 {text: "||video.*^", want: one(lists.ErrPattern)},
		"a wildcard for subdomains":  {text: "||*.video.com^", want: one(lists.ErrPattern)},
		"a part of an address":       {text: "-ads.min.js\n-api.ads.com\n_ad.com\nad.page.\nads.min.js\n.ad.page", want: []string{refused("1", lists.ErrPattern), refused("2", lists.ErrPattern), refused("3", lists.ErrPattern), refused("4", lists.ErrPattern), refused("5", lists.ErrNotHost), refused("6", lists.ErrNotHost)}},
		"a path of all hosts":        {text: "/ads/banner.", want: one(lists.ErrPattern)},
		"a regular expression":       {text: "/^https?:\\/\\/evil/$document", want: one(lists.ErrPattern)},
		"one scheme of a domain":     {text: "|https://video.com^", want: one(lists.ErrPattern)},
		"a plain host in some cases": {text: "video.com$document", want: one(lists.ErrPattern)},
		"other sites":                {text: "||video.com^$third-party", want: one(lists.ErrOption)},
		"some sites":                 {text: "||video.com^$domain=a.com", want: one(lists.ErrOption)},
		"pop-ups alone":              {text: "||video.com^$popup", want: one(lists.ErrOption)},
		"scripts":                    {text: "||video.com^$script,document", want: one(lists.ErrOption)},
		"a rule that ends another":   {text: "||video.com^$badfilter", want: one(lists.ErrOption)},
		"an answer of DNS":           {text: "||video.com^$dnsrewrite=1.2.3.4", want: one(lists.ErrOption)},
		"a top-level domain":         {text: "||zip^", want: one(lists.ErrNotHost)},
		"a word":                     {text: "jack", want: one(lists.ErrNotHost)},
		"a handle":                   {text: "@jack", want: one(lists.ErrNotHost)},
		"options alone":              {text: "$popup,third-party", want: one(lists.ErrOption)},
		"bars alone":                 {text: "||^", want: one(lists.ErrNotHost)},
		"a defanged host":            {text: "||evil[.]com^", opts: lists.ReadOptions{Refang: true}, want: []string{"1 PAGE evil.com BLOCKED"}},
	})
}
