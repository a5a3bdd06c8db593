package lists_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/lists"
)

const (
	cidV0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG"
	cidV1 = "bafybeie5nqv6kd3qnfjupgvz34woh3oksc3iau6abmyajn7qvtf6d2ho34"
)

// An IPFS content identifier alone is a link, in each format whose readers take one.
func TestRead_ContentIDs(t *testing.T) {
	t.Parallel()
	for _, cid := range []string{cidV0, cidV1} {
		for format, text := range map[lists.Format]string{
			lists.Lines: cid + " # x", lists.Domains: cid + "#x", lists.CSV: "content\n" + cid, lists.JSONLines: `{"content":"` + cid + `"}`,
			lists.PhishingDetect: `{"blacklist":["` + cid + `"]}`,
		} {
			got, err := read(text, format, lists.ReadOptions{})
			require.NoError(t, err)
			require.Len(t, got, 1)
			require.Regexp(t, "URL https://ipfs.io/ipfs/"+cid+" BLOCKED$", got[0], format)
		}
	}
	got, err := read(`{"blacklist":["`+cidV1+`","`+cidV0+`"],"whitelist":["`+cidV1+`"]}`, lists.PhishingDetect, lists.ReadOptions{Allowed: true})
	require.NoError(t, err)
	require.Equal(t, []string{"1: is not taken: whitelisted", "1 URL https://ipfs.io/ipfs/" + cidV0 + " BLOCKED", "1 URL https://ipfs.io/ipfs/" + cidV1 + " ALLOWED"}, got)
}

func TestRead_Entities(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]bool{
		"https://a.com/?a=1&amp;b=2": true, "https://a.com/?a=1&#38;b=2": true, "https://a.com/?a&#x26;b": true, "https://a.com/&quot;": true,
		"https://a.com/?a=1&b=2": false, "https://a.com/?a&amp": false, "https://a.com/?a&;b": false, "https://a.com/?a=1&b;c": false, "https://a.com/?amp;b": false,
		"https://a.com/?a&amp=1;": false, "https://a.com/?&&amp;": true,
	} {
		for format, text := range map[lists.Format]string{
			lists.Lines: content, lists.CSV: "content\n" + content, lists.JSONLines: `{"content":"` + content + `"}`,
		} {
			got, err := read(text, format, lists.ReadOptions{})
			require.NoError(t, err)
			require.Len(t, got, 1)
			require.Equal(t, want, strings.HasSuffix(got[0], lists.ErrEntity.Error()), "%s %s: %s", format, content, got[0])
		}
	}
	for format, text := range map[lists.Format]string{
		lists.Domains: "a.com&#46;", lists.Hosts: "0.0.0.0 a.com&amp;", lists.AdBlock: "||a.com&amp;^", lists.RPZ: "a&amp\\;.com CNAME .",
		lists.PhishingDetect: `{"blacklist":["a&amp;.com"]}`,
	} {
		got, err := read(text, format, lists.ReadOptions{})
		require.NoError(t, err)
		require.Len(t, got, 1)
		require.NotContains(t, got[0], "BLOCKED", format)
	}
}
