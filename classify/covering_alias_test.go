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

// platformSites are the sites of each platform. Covers leave their site only for another one of
// the same platform.
var platformSites = [][]string{
	{"x.com", "twitter.com"},
	{"instagram.com", "instagr.am", "ig.me"},
	{"tiktok.com"},
	{"t.me", "telegram.me", "telegram.dog"},
	{"discord.com", "discordapp.com", "discord.gg"},
	{"medium.com"},
	{"github.com", "githubusercontent.com"},
	{"youtube.com", "youtu.be", "youtube-nocookie.com"},
	{"linkedin.com"},
	{"twitch.tv"},
}

// sitesOf returns the sites of the platform of an asset, or nil.
func sitesOf(identity asset.Identity) []string {
	host, _, _ := classify.SplitHost(identity)
	host = strings.TrimRight(host, ",).")
	for _, sites := range platformSites {
		if slices.Contains(sites, siteOf(host)) {
			return sites
		}
	}
	return nil
}

// siteOf returns the last two labels of a host.
func siteOf(host string) string {
	labels := strings.Split(host, ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}

// requireAliasLaws requires that the covers of an asset on a platform have those of the model, and
// otherwise only some on the platform.
func requireAliasLaws(t require.TestingT, of asset.Identity, covers []classify.Cover, sites []string) {
	require.Equal(t, of, covers[0].Identity)
	for _, cover := range modelCovering(of) {
		require.True(t, slices.ContainsFunc(covers, func(c classify.Cover) bool { return c.Identity == cover.Identity }), "%v: without %v", of, cover)
	}
	for _, cover := range covers {
		host, _, _ := classify.SplitHost(cover.Identity)
		if host == "ipfs.io" {
			continue // a content that the link names
		}
		require.Contains(t, sites, siteOf(strings.TrimRight(host, ",).")), "%v: %v", of, cover)
	}
}

// aliasGroups are hosts that open the same links.
var aliasGroups = [][]string{
	{"x.com", "www.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com"},
	{"instagram.com", "www.instagram.com", "instagr.am"},
	{"tiktok.com", "www.tiktok.com", "m.tiktok.com"},
	{"t.me", "telegram.me", "telegram.dog"},
	{"discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"},
	{"medium.com", "www.medium.com"},
	{"github.com", "www.github.com"},
	{"youtube.com", "www.youtube.com", "m.youtube.com"},
	{"linkedin.com", "www.linkedin.com"},
	{"twitch.tv", "www.twitch.tv", "m.twitch.tv"},
}

// tailOfLink draws a path with a query.
func tailOfLink(t *rapid.T) string {
	segment := rapid.SampledFrom([]string{
		"a", "name", "@name", "i", "intent", "user", "status", "1", "s", "stories", "in", "IN", "mwlite", "channel", "invite",
		"channels", "popout", "orgs", "watch", "shorts", "embed", "v", "dQw4w9WgXcQ", "", "%41",
	})
	path := "/" + strings.Join(rapid.SliceOfN(segment, 0, 9).Draw(t, "path"), "/")
	return path + rapid.SampledFrom([]string{"", "", "?q", "?v=dQw4w9WgXcQ", "?a&v=dQw4w9WgXcQ&t=1", "?screen_name=jack"}).Draw(t, "query") +
		rapid.SampledFrom([]string{"", "", "#/route"}).Draw(t, "route")
}

// The forms of a link on one host of a platform cover those on the other hosts as its own do.
func TestCovering_aliasesAreSymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hosts, tail := rapid.SampledFrom(aliasGroups).Draw(t, "hosts"), tailOfLink(t)
		form := rapid.SampledFrom([]string{"", "https://", "http://"})
		link, err := classify.Classify(form.Draw(t, "form") + rapid.SampledFrom(hosts).Draw(t, "host") + tail)
		require.NoError(t, err)
		alias, err := classify.Classify(form.Draw(t, "form of the alias") + rapid.SampledFrom(hosts).Draw(t, "host of the alias") + tail)
		require.NoError(t, err)
		requireStep(t, classify.Covering(link.Identity), alias.Identity, 0)
		requireStep(t, classify.Covering(alias.Identity), link.Identity, 0)
		requireCoverLaws(t, link.Identity)
	})
}

func requireStep(t require.TestingT, covers []classify.Cover, identity asset.Identity, step int) {
	at := slices.IndexFunc(covers, func(cover classify.Cover) bool { return cover.Identity == identity })
	require.GreaterOrEqual(t, at, 0, "%v does not cover %v", identity, covers[0].Identity)
	require.Equal(t, step, covers[at].Step, "%v of %v", identity, covers[0].Identity)
}

// What is appended to a link never takes a cover on the main host from it.
func TestCovering_longerAlias(t *testing.T) {
	t.Parallel()
	for _, hosts := range aliasGroups {
		for _, blocked := range []string{"/i/lists", "/p/Cx1"} {
			for _, longer := range []string{"", "/", "?q", "?q#/r", "/a", "/a/b/c/d/e/f/g?q#/r", "/a/?v=dQw4w9WgXcQ"} {
				for _, host := range append(hosts, "m."+hosts[0]) {
					main, err := classify.Classify("https://" + hosts[0] + blocked)
					require.NoError(t, err)
					link, err := classify.Classify("https://" + host + blocked + longer)
					require.NoError(t, err)
					covers := classify.Covering(link.Identity)
					require.True(t, slices.ContainsFunc(covers, func(cover classify.Cover) bool { return cover.Identity == main.Identity }), "%v: %v", host, link.Identity)
				}
			}
		}
	}
}

func TestCovering_aliases(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, content, cover string
		step                 int
	}{
		{"a host that is rare", "https://m.twitter.com/jack/status/20", "https://x.com/jack/status/20", 0},
		{"a host that is rare, on another host", "https://mobile.x.com/jack/status/20", "https://twitter.com/jack/status/20", 0},
		{"a country", "https://de.linkedin.com/posts/a", "https://linkedin.com/posts/a", 0},
		{"a longer path on another host", "https://mobile.twitter.com/jack/status/20/photo/1", "https://x.com/jack/status/20", 2},
		{"a query on another host", "https://mobile.twitter.com/jack/status/20?s=20", "x.com/jack/status/20", 1},
		{"the main host", "https://mobile.twitter.com/i/lists/1", "x.com", 3},
		{"the own site", "https://mobile.twitter.com/i/lists/1", "twitter.com", 4},
		{"a web intent", "https://twitter.com/intent/user?screen_name=%40Jack", "@jack", 0},
		{"a web intent to follow", "https://x.com/intent/follow?a=b&screen_name=jack", "@jack", 0},
		{"a story", "https://www.instagram.com/stories/name/123", "instagram.com/name", 1},
		{"the stories of a name", "https://instagram.com/stories/name", "instagram.com/name", 0},
		{"a name in an application", "https://instagram.com/_u/name/", "instagram.com/name", 0},
		{"a reel of a name", "https://instagram.com/name/reel/1", "instagram.com/name", 2},
		{"a chat", "https://www.twitch.tv/popout/Name/chat", "twitch.tv/name", 1},
		{"an embedded chat", "https://www.twitch.tv/embed/name/chat?parent=a", "twitch.tv/name", 2},
		{"a fixed word in another letter case", "https://linkedin.com/IN/Name", "linkedin.com/in/name", 0},
		{"a channel in another letter case", "https://youtube.com/Channel/UC1234567890123456789012", "youtube.com/channel/UC1234567890123456789012", 0},
		{"a light page", "https://www.linkedin.com/mwlite/in/name", "linkedin.com/in/name", 0},
		{"a longer light page", "https://www.linkedin.com/mwlite/in/name/details", "linkedin.com/in/name", 1},
		{"an invitation in another letter case", "https://discord.com/Invite/abc", "discord.gg/abc", 0},
		{"a preview", "https://telegram.me/s/name/12", "t.me/name", 1},
		{"a post of a host of its own", "https://name.t.me/12", "https://t.me/name/12", 0},
		{"a post on another host", "https://t.me/name/12", "https://name.t.me/12", 0},
		{"a name of Medium", "medium.com/@name", "name.medium.com", 0},
		{"a host of Medium", "name.medium.com", "medium.com/@name", 0},
		{"a post on a host of Medium", "https://name.medium.com/post", "https://medium.com/@name/post", 0},
		{"a post of a name of Medium", "https://medium.com/@name/post", "name.medium.com/post", 0},
		{"a post of a name of Medium, by its host", "https://medium.com/@name/post", "name.medium.com", 1},
		{"a post on a host of Medium, by its name", "https://name.medium.com/post", "medium.com/@name", 1},
		{"a subdomain of a host of Medium", "https://a.name.medium.com/post", "medium.com/@name", 2},
		{"a video with a query on another host", "https://youtube.com/shorts/dQw4w9WgXcQ?q", "https://www.youtube.com/shorts/dQw4w9WgXcQ?q", 0},
		{"an old form of a video on another host", "https://m.youtube.com/v/dQw4w9WgXcQ", "youtube.com/v/dQw4w9WgXcQ", 0},
		{"a raw file", "https://raw.githubusercontent.com/Owner/repo/main/a.txt", "github.com/owner/repo", 2},
		{"a raw file, by its owner", "https://raw.githubusercontent.com/owner/repo/main/a.txt", "github.com/owner", 3},
		{"the API", "https://api.github.com/repos/owner/repo", "github.com/owner/repo", 0},
		{"the API of a part", "https://api.github.com/repos/owner/repo/issues?a", "github.com/owner/repo", 2},
		{"the API of a user", "https://api.github.com/users/owner", "github.com/owner", 0},
		{"an archive", "https://codeload.github.com/owner/repo/zip/main", "github.com/owner/repo", 2},
		{"a gist", "https://gist.github.com/owner/0123456789", "github.com/owner", 1},
		{"a raw gist", "https://gist.githubusercontent.com/owner/0123456789/raw", "github.com/owner", 2},
		{"an organization", "https://github.com/orgs/owner/people", "github.com/owner", 1},
		{"a short link of a video", "https://youtu.be/dQw4w9WgXcQ?t=3", "https://www.youtube.com/watch?v=dQw4w9WgXcQ", 0},
		{"a video by its short link", "https://m.youtube.com/watch?a&v=dQw4w9WgXcQ&t=3", "https://youtu.be/dQw4w9WgXcQ", 0},
		{"a video without more of the query", "https://www.youtube.com/watch?list=a&v=dQw4w9WgXcQ", "www.youtube.com/watch?v=dQw4w9WgXcQ", 0},
		{"a short video", "https://www.youtube.com/shorts/dQw4w9WgXcQ?feature=share", "youtube.com/watch?v=dQw4w9WgXcQ", 0},
		{"a live video", "https://youtube.com/live/dQw4w9WgXcQ", "youtube.com/shorts/dQw4w9WgXcQ", 0},
		{"an embedded video", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", "http://youtu.be/dQw4w9WgXcQ", 0},
		{"music", "https://music.youtube.com/watch?v=dQw4w9WgXcQ&si=a", "https://youtu.be/dQw4w9WgXcQ", 0},
		{"a channel of music", "https://music.youtube.com/channel/UC1234567890123456789012", "youtube.com/channel/UC1234567890123456789012", 0},
		{"the main host of a short one", "https://youtu.be/dQw4w9WgXcQ", "youtube.com", 1},
		{"the main host of invitations", "https://discord.gg/abc/def", "discord.com", 2},
		{"a slash at the end of a post of a name of Medium", "https://name.medium.com/post/", "https://medium.com/@name/post/", 0},
		{"a slash at the end of a post of Telegram", "https://channel.t.me/5/", "https://t.me/channel/5/", 0},
		{"a chat in another letter case", "https://twitch.tv/POPOUT/name/chat", "twitch.tv/name", 1},
		{"a story in another letter case", "https://instagram.com/STORIES/name/1", "instagram.com/name", 1},
		{"a name in an application in another letter case", "https://instagram.com/_U/name", "instagram.com/name", 0},
		{"a web intent in another letter case", "https://x.com/INTENT/USER?screen_name=jack", "@jack", 0},
		{"a fourth segment", "https://www.linkedin.com/learning/b/c/d/e", "https://www.linkedin.com/learning/b/c/d", 1},
		{"a third segment of a release", "https://ptb.discord.com/login/b/c/d", "https://ptb.discord.com/login/b/c", 1},
		{"a third segment", "https://twitter.com/i/b/c/d", "https://twitter.com/i/b/c", 1},
		{"a third segment on the main host", "https://twitter.com/i/b/c/d", "https://x.com/i/b/c", 1},
		{"a third segment of a link with a query", "https://mobile.twitter.com/i/b/c/d/e?q", "https://x.com/i/b/c", 3},
		{"a sixth segment", "https://x.com/i/b/c/d/e/f/g", "https://x.com/i/b/c/d/e/f", 1},
		{"a shorter path of a video", "https://m.youtube.com/shorts/dQw4w9WgXcQ", "https://youtube.com/shorts", 1},
		{"a shorter path of an embedded video", "https://www.youtube.com/embed/dQw4w9WgXcQ", "https://www.youtube.com/embed/", 1},
		{"an embedded video on another host", "https://m.youtube.com/embed/dQw4w9WgXcQ?t=1", "https://youtube.com/embed/dQw4w9WgXcQ", 0},
		{"a live video on another host", "https://www.youtube.com/live/dQw4w9WgXcQ", "https://m.youtube.com/live/dQw4w9WgXcQ", 0},
		{"the route alone", "https://discord.com/app?q=1#/r", "https://discord.com/app#/r", 2},
		{"a slash on the main host", "https://twitter.com/i/spaces/1", "https://x.com/i/", 2},
		{"a slash on the main host of a post", "https://www.instagram.com/p/abc", "https://instagram.com/p/", 1},
		{"a query, on the other host", "https://x.com/i/spaces/1?s=20", "https://twitter.com/i/spaces/1", 1},
		{"a route, on the other host", "https://x.com/i/spaces/1#/r", "https://twitter.com/i/spaces/1", 1},
		{"a query of a post, on the other host", "https://instagram.com/p/abc?igsh=1", "https://www.instagram.com/p/abc", 1},
		{"a query of a post of a name of Medium", "https://medium.com/@name/post?source=x", "https://name.medium.com/post", 1},
		{"a post of a person", "https://www.linkedin.com/posts/jane-doe-1234_big-giveaway-activity-7012345678901234567-AbCd", "linkedin.com/in/jane-doe-1234", 0},
		{"a post of a company", "https://de.linkedin.com/Posts/evil-inc_x?utm=1", "linkedin.com/company/evil-inc", 0},
		{"a link in a mail of LinkedIn", "https://www.linkedin.com/comm/in/name?x", "linkedin.com/in/name", 0},
		{"a percent-encoded plus sign", "https://telegram.me/%2BAAAAAEkk2WdoDrB4?x", "t.me/+AAAAAEkk2WdoDrB4", 0},
		{"a player", "https://player.twitch.tv/?channel=Name&parent=x.example", "twitch.tv/name", 0},
		{"a percent-encoded player", "https://player.twitch.tv/?channel=n%61me#/x", "twitch.tv/name", 0},
		{"a live stream", "https://www.youtube.com/embed/live_stream?channel=UC1234567890123456789012", "youtube.com/channel/UC1234567890123456789012", 0},
		{"a chat on Instagram", "https://ig.me/m/evilname?ref=x", "instagram.com/evilname", 0},
		{"a site of GitHub's", "https://owner.github.io/repo/x", "github.com/owner", 3},
		{"a page with the port of http", "twitter.com:80/jack/status/20", "https://x.com/jack/status/20", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			content, err := classify.Classify(test.content)
			require.NoError(t, err)
			cover, err := classify.Classify(test.cover)
			require.NoError(t, err)
			requireStep(t, classify.Covering(content.Identity), cover.Identity, test.step)
			requireCoverLaws(t, content.Identity)
		})
	}
}

func TestCovering_noAliases(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, other string }{
		{"a port", "https://twitter.com:8443/jack/status/20", "https://x.com/jack/status/20"},
		{"a host that only looks like the platform", "https://twitter.com.example.com/jack/status/20", "https://x.com/jack/status/20"},
		{"another host of the site", "https://help.x.com/jack/status/20", "https://x.com/jack/status/20"},
		{"a slash at the end on another host", "https://twitter.com/jack/status/20", "https://x.com/jack/status/20/"},
		{"a video that is none", "https://youtu.be/dQw4w9WgXc", "https://www.youtube.com/watch?v=dQw4w9WgXc"},
		{"another video", "https://youtu.be/dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcA"},
		{"a name with a sign that hosts lack", "medium.com/@na_me", "na_me.medium.com"},
		{"a host of Medium itself", "https://help.medium.com/a", "https://medium.com/@help/a"},
		{"a repository that is none", "https://raw.githubusercontent.com/owner", "github.com/owner/repo"},
		{"a site of GitHub's with a longer name", "https://evil.owner.github.io", "github.com/evil"},
		{"an escaped slash", "https://t.me/a%2Fb", "t.me/a"},
		{"a short link of TikTok", "https://vm.tiktok.com/abc", "https://tiktok.com/abc"},
		{"a web intent of another platform", "https://www.instagram.com/intent/user?screen_name=jack", "@jack"},
		{"a page of X that is no web intent", "https://x.com/i/spaces?screen_name=jack", "@jack"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			content, err := classify.Classify(test.content)
			require.NoError(t, err)
			other, err := classify.Classify(test.other)
			require.NoError(t, err)
			for _, cover := range classify.Covering(content.Identity) {
				require.NotEqual(t, other.Identity, cover.Identity)
			}
		})
	}
}

// Two parsers of a query may take different values, so none of them can make a link ALLOWED.
func TestCovering_severalNames(t *testing.T) {
	t.Parallel()
	const good, evil = "https://www.youtube.com/watch?v=goodgoodgoo", "https://www.youtube.com/watch?v=evilevilevi"
	for _, test := range []struct {
		content string
		names   []string
	}{
		{"https://youtube.com/watch?v=goodgoodgoo&v=evilevilevi", []string{good, evil}},
		{"https://m.youtube.com/watch?a&v=evilevilevi&v=1&v=goodgoodgoo#/route", []string{good, evil}},
		{"https://www.youtube-nocookie.com/watch?v=&v=evilevilevi", []string{evil}},
		{"https://x.com/intent/user?screen_name=good&screen_name=evil", []string{"x.com/good", "x.com/evil"}},
		{"https://player.twitch.tv/?channel=good&channel=evil", []string{"twitch.tv/good", "twitch.tv/evil"}},
		{"https://www.linkedin.com/posts/evil_x", []string{"linkedin.com/in/evil", "linkedin.com/company/evil"}},
		{"https://mobile.twitter.com/intent/follow?user_id=12&screen_name=evil", []string{"x.com/evil"}},
		{"https://twitter.com/intent/user?screen_name=&screen_name=a&screen_name=evil#/route", []string{"x.com/evil"}},
	} {
		t.Run(test.content, func(t *testing.T) {
			t.Parallel()
			result, err := classify.Classify(test.content)
			require.NoError(t, err)
			covers := classify.Covering(result.Identity)
			require.LessOrEqual(t, len(covers), classify.MaxCovers)
			for _, name := range test.names {
				at := slices.IndexFunc(covers, func(cover classify.Cover) bool { return cover.Canonical == name })
				require.GreaterOrEqual(t, at, 0, name)
				require.Zero(t, covers[at].Step, name)
				require.Equal(t, classify.CoverBlocks, covers[at].Effect, name)
			}
		})
	}
}
