package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func TestScopeOf(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]classify.HostScope{
		"example.com":                        classify.ScopeAll,
		"evil.github.io":                     classify.ScopeAll,
		"city.kobe.jp":                       classify.ScopeAll,
		"_dmarc.example.com":                 classify.ScopeAll,
		"name.eth.limo":                      classify.ScopeAll,
		"a.b.compute.amazonaws.com":          classify.ScopeAll,
		"1.2.3.4":                            classify.ScopeAll,
		"[2001:db8::1]":                      classify.ScopeAll,
		strings.Repeat("a.", 7) + "evil.com": classify.ScopeAll,
		strings.Repeat("a.", 8) + "evil.com": classify.ScopeSome,
		"evil.newtld":                        classify.ScopeNone,
		"a!b.com":                            classify.ScopeNone,
		"com":                                classify.ScopeSuffix,
		"co.uk":                              classify.ScopeSuffix,
		"github.io":                          classify.ScopeSuffix,
		"newtld":                             classify.ScopeSuffix,
		"amazonaws.com":                      classify.ScopeSuffix,
		"compute.amazonaws.com":              classify.ScopeSuffix,
		"kobe.jp":                            classify.ScopeSuffix,
		"eth.limo":                           classify.ScopeSuffix,
		"":                                   classify.ScopeSuffix,
		"localhost":                          classify.ScopeSpecialUse,
		"printer.local":                      classify.ScopeSpecialUse,
		"abc.onion":                          classify.ScopeSpecialUse,
		"4.3.2.1.in-addr.arpa":               classify.ScopeSpecialUse,
	} {
		require.Equal(t, want, classify.ScopeOf(host), host)
	}
}

// The PAGE of a host covers every host below it if and only if the scope says so.
func TestScopeOf_Covering(t *testing.T) {
	t.Parallel()
	suffixes := rapid.SampledFrom([]string{"com", "co.uk", "github.io", "amazonaws.com", "s3.amazonaws.com", "kobe.jp", "city.kobe.jp", "eth.limo", "name.eth.limo", "ck", "newtld", "local"})
	labels := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "www"}), 0, 10)
	rapid.Check(t, func(t *rapid.T) {
		host := strings.Join(append(labels.Draw(t, "labels"), suffixes.Draw(t, "suffix")), ".")
		page := asset.Identity{Type: asset.TypePage, Canonical: host}
		covers := func(below string) bool {
			result, err := classify.Classify("https://" + below)
			require.NoError(t, err)
			return slices.ContainsFunc(classify.Covering(result.Identity), func(c classify.Cover) bool { return c.Identity == page })
		}
		all := covers("x."+host) && covers(strings.Repeat("y.", 12)+host) && covers("z.s3."+host)
		require.Equal(t, all, classify.ScopeOf(host) == classify.ScopeAll, host)
	})
}

func TestIsPlatformHost(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"github.com": true, "www.x.com": true, "name.medium.com": true, "youtu.be": true, "raw.githubusercontent.com": true, "a.b.t.me": true,
		"www.youtube-nocookie.com": true, "discord.gg": true, "api.github.com": true,
		"notgithub.com": false, "github.com.evil.org": false, "evil.com": false, "com": false, "1.2.3.4": false, "": false,
	} {
		require.Equal(t, want, classify.IsPlatformHost(host), host)
	}
}

// Links on a host that covers links on others name what belongs to different people.
func TestIsPlatformHost_Covering(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://x.com/a/status/1", "https://medium.com/@name/post", "https://t.me/name/1",
		"https://raw.githubusercontent.com/owner/repository/main/x", "https://api.github.com/repos/owner/repository", "https://discord.gg",
		"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", "https://instagr.am/p/x", "https://de.linkedin.com/in/name",
	} {
		result, err := classify.Classify(content)
		require.NoError(t, err)
		for _, cover := range classify.Covering(result.Identity) {
			host, _, _ := classify.SplitHost(cover.Identity)
			require.True(t, classify.IsPlatformHost(host), "%s of %s", host, content)
		}
	}
}
