package classify

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// aliasHosts are hosts of a platform that open the same links. A link on one of them is an
// alias of the same link on each other one.
type aliasHosts struct {
	// main is the host of most canonical forms.
	main   string
	others []string
	// sites are the registrable domains of the platform. All hosts on them that platformAt
	// recognizes open the links of main, such as m.twitter.com and de.linkedin.com.
	sites []string
}

// maxAliasHosts is the maximum number of others.
const maxAliasHosts = 4

// platformHosts has the hosts of each platform. Hosts that are rarely seen are left out of
// others: links on them have aliases, but are none.
var platformHosts = [...]aliasHosts{
	// twitter.com and its mobile host redirect to x.com since May 2024. yt-dlp and gallery-dl
	// accept all of these for the same post.
	{"x.com", []string{"www.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com"}, []string{"x.com", "twitter.com"}},
	// instagram.com and instagr.am, the short host of share links, redirect to www.instagram.com.
	{"instagram.com", []string{"www.instagram.com", "instagr.am"}, []string{"instagram.com", "instagr.am"}},
	// tiktok.com redirects to www.tiktok.com, and m.tiktok.com does on computers. Short links on
	// vm.tiktok.com do not tell what they open.
	{"tiktok.com", []string{"www.tiktok.com", "m.tiktok.com"}, []string{"tiktok.com"}},
	// https://core.telegram.org/api/links: t.me can also be telegram.me and telegram.dog.
	{"t.me", []string{"telegram.me", "telegram.dog"}, []string{"t.me", "telegram.me", "telegram.dog"}},
	// discordapp.com redirects to discord.com since 2020. The others are the hosts of the test
	// releases.
	{"discord.com", []string{"discordapp.com", "ptb.discord.com", "canary.discord.com"}, []string{"discord.com", "discordapp.com"}},
	// www.medium.com redirects to medium.com.
	{"medium.com", []string{"www.medium.com"}, []string{"medium.com"}},
	// www.github.com redirects to github.com.
	{"github.com", []string{"www.github.com"}, []string{"github.com"}},
	// youtube.com redirects to www.youtube.com, and to m.youtube.com on telephones.
	{"youtube.com", []string{"www.youtube.com", "m.youtube.com"}, []string{"youtube.com"}},
	// linkedin.com redirects to www.linkedin.com. Countries have hosts such as de.linkedin.com.
	{"linkedin.com", []string{"www.linkedin.com"}, []string{"linkedin.com"}},
	// twitch.tv redirects to www.twitch.tv, and to m.twitch.tv on telephones.
	{"twitch.tv", []string{"www.twitch.tv", "m.twitch.tv"}, []string{"twitch.tv"}},
}

// hostsOfSite returns the hosts of the platform of a site.
func hostsOfSite(site string) (aliasHosts, bool) {
	for _, hosts := range platformHosts {
		if slices.Contains(hosts.sites, site) {
			return hosts, true
		}
	}
	return aliasHosts{}, false
}

// mayHaveAliases reports whether links with the host can have aliases or name an account.
func mayHaveAliases(host string) bool {
	if _, ok := platformAt(host); ok {
		return true
	}
	prefix, site := cutSite(host)
	switch site {
	case "youtu.be", "youtube-nocookie.com":
		return isCommon(prefix)
	case "ig.me":
		return prefix == "" || prefix == "www."
	case "twitch.tv":
		return prefix == "player."
	case "youtube.com":
		return prefix == "music."
	case "github.com", "githubusercontent.com":
		return prefix == "api." || prefix == "raw." || prefix == "gist." || prefix == "codeload."
	}
	return false
}

// mainLink returns the alias of a link on the main host of its platform.
func mainLink(l link) (link, bool) {
	if id, ok := videoID(l); ok && (l.path != "/watch" || !strings.HasSuffix(l.host.text, "youtube.com")) {
		return newAlias("youtube.com", "/watch", "?v="+id), true
	}
	prefix, site := cutSite(l.host.text)
	hosts, ok := hostsOfSite(site)
	if !ok {
		return mainOfShortHost(l, site)
	}
	if prefix == "music." && site == "youtube.com" {
		return l.on(hosts.main), true
	}
	platform, ok := platformAt(l.host.text)
	if !ok {
		return link{}, false
	}
	if isCommon(prefix) || site != hosts.main || platform.kind != asset.TypeTelegram && platform.kind != asset.TypeMedium {
		return l.on(hosts.main), true
	}
	// https://core.telegram.org/api/links: name.t.me/path is t.me/name/path. Medium shows the
	// posts of medium.com/@name on name.medium.com, too.
	t := target{name: strings.TrimSuffix(prefix, ".")}
	if _, ok := platform.identify(t); !ok {
		return link{}, false
	}
	first := "/" + t.name
	if platform.kind == asset.TypeMedium {
		first = "/@" + t.name
	}
	alias := l.on(hosts.main)
	alias.path = first
	if l.path != "/" {
		alias.path += l.path
	}
	return alias, true
}

// mainOfShortHost returns the main host of a platform for a link to the bare host that the
// platform has for its short links or for embedding.
func mainOfShortHost(l link, site string) (link, bool) {
	if l.path != "/" {
		return link{}, false
	}
	switch site {
	case "youtu.be", "youtube-nocookie.com":
		return l.on("youtube.com"), true
	case "discord.gg":
		return l.on("discord.com"), true
	}
	return link{}, false
}

// maxOtherLinks is the maximum number of links that appendOtherLinks appends.
const maxOtherLinks = maxAliasHosts + maxVideoHosts + maxVideoLinks + 1

// appendOtherLinks appends the other aliases of a link, of which main is that on the main host of its
// platform.
func appendOtherLinks(links []link, l, main link) []link {
	hosts, ok := hostsOfSite(main.host.text)
	if !ok {
		return links
	}
	for _, other := range hosts.others {
		links = append(links, main.on(other))
	}
	// The main link of a video has another path, and nothing else of the query.
	if _, site := cutSite(l.host.text); site == hosts.main && l.path != main.path {
		if _, ok := videoID(l); ok {
			links = append(links, l.on(hosts.main))
			for _, other := range hosts.others {
				links = append(links, l.on(other))
			}
		}
	}
	if id, ok := videoID(main); ok {
		links = appendVideoLinks(links, id)
	}
	segment, rest, _ := strings.Cut(main.path[1:], "/")
	named := link{host: host{text: main.host.text}, path: "/" + segment}
	if kind, canonical, ok := identify(named); ok && rest != "" {
		name := ""
		switch kind {
		case asset.TypeMedium:
			name, _, _ = strings.Cut(siblingOf(asset.Identity{Type: kind, Canonical: canonical}).Canonical, ".medium.com")
		case asset.TypeTelegram:
			name = strings.TrimPrefix(canonical, "t.me/")
		default:
		}
		onOwn := link{host: host{text: name + "." + main.host.text}, path: "/" + rest, query: main.query, route: main.route}
		if _, _, ok := identify(link{host: onOwn.host, path: "/"}); ok {
			links = append(links, onOwn)
		}
	}
	return links
}

// opens reports whether two links have the same text after the scheme.
func (l link) opens(other link) bool {
	return l.host.text == other.host.text && l.port == other.port && l.path == other.path && l.query == other.query && l.route == other.route
}

// on returns the link on another host.
func (l link) on(name string) link {
	l.scheme, l.host = "", host{text: name, kind: hostDomain}
	return l
}

func newAlias(name, path, query string) link {
	return link{host: host{text: name, kind: hostDomain}, path: path, query: query}
}

// videoID returns the ID of the YouTube video that a link opens, whatever else its query
// has. A link that names several has none: see videosOf.
func videoID(l link) (string, bool) {
	t, ok := targetOf(l)
	if !ok {
		return "", false
	}
	prefix, site := cutSite(l.host.text)
	id := ""
	switch {
	case !isCommon(prefix) && prefix != "music.":
	case site == "youtu.be":
		id, _ = t.segment()
	case site != "youtube.com" && site != "youtube-nocookie.com":
	case len(t.path()) == 1 && t.path()[0] == "watch":
		if ids := queryValues(l.query, "v"); len(ids) == 1 {
			id = ids[0]
		}
	default:
		for _, word := range [...]string{"shorts", "live", "embed", "v", "e"} {
			if after, ok := t.after(word); ok {
				id = after
			}
		}
	}
	return id, len(id) == 11 && isASCIIName(id, "-_")
}

const (
	// maxVideoLinks is the number of links that appendVideoLinks appends.
	maxVideoLinks = 13
	// maxVideoHosts is the number of hosts on which a link to a video is its own alias.
	maxVideoHosts = 3
)

// appendVideoLinks appends links to a video. "Embed videos & playlists" in YouTube's help and
// the IFrame Player API describe /embed/ and youtu.be. The share button makes the others.
func appendVideoLinks(links []link, id string) []link {
	query, shorts, live, embed := "?v="+id, "/shorts/"+id, "/live/"+id, "/embed/"+id
	for _, host := range [...]string{"youtube.com", "www.youtube.com", "m.youtube.com"} {
		links = append(links, newAlias(host, "/watch", query), newAlias(host, shorts, ""), newAlias(host, live, ""), newAlias(host, embed, ""))
	}
	return append(links, newAlias("youtu.be", "/"+id, ""))
}

// videosOf returns links to the videos that a link may open, because its query names several.
// Only the first and the last count, as parsers of queries take one of them.
func videosOf(l link) []link {
	t, ok := targetOf(l)
	_, site := cutSite(l.host.text)
	if !ok || len(t.path()) != 1 || t.path()[0] != "watch" || site != "youtube.com" && site != "youtube-nocookie.com" {
		return nil
	}
	ids := queryValues(l.query, "v")
	if len(ids) < 2 {
		return nil
	}
	var links []link
	for _, id := range [...]string{ids[0], ids[len(ids)-1]} {
		if id, ok := videoID(newAlias("youtu.be", "/"+id, "")); ok {
			links = append(links, newAlias("youtu.be", "/"+id, ""),
				newAlias("youtube.com", "/watch", "?v="+id), newAlias("www.youtube.com", "/watch", "?v="+id))
		}
	}
	return links
}

// queryValues returns the decoded values of a parameter of a query.
func queryValues(query, name string) []string {
	var values []string
	for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
		key, value, _ := strings.Cut(pair, "=")
		if key == name {
			values = append(values, percentDecode(value, func(byte) bool { return true }))
		}
	}
	return values
}

// accountsOfQuery returns the accounts that a parameter of a query names. If it names several, the
// first and the last count, as parsers of queries take one of them, and sure is false.
func accountsOfQuery(l link, parameter string, kind asset.Type, identify func(name string) (string, bool)) (accounts []asset.Identity, sure bool) {
	names := queryValues(l.query, parameter)
	sure = len(names) == 1
	if len(names) > 2 {
		names = []string{names[0], names[len(names)-1]}
	}
	for _, name := range names {
		if canonical, ok := identify(name); ok {
			accounts = append(accounts, asset.Identity{Type: kind, Canonical: canonical})
		}
	}
	return accounts, sure
}

// siblingOf returns the other canonical form of the name of a Medium user, or the zero
// Identity.
func siblingOf(identity asset.Identity) asset.Identity {
	if identity.Type != asset.TypeMedium {
		return asset.Identity{}
	}
	var (
		canonical string
		ok        bool
	)
	if user, isUser := strings.CutPrefix(identity.Canonical, "medium.com/@"); isUser {
		if !isCommon(user + ".") {
			canonical, ok = identifyMediumHost(target{name: user})
		}
	} else if name, isHost := strings.CutSuffix(identity.Canonical, ".medium.com"); isHost {
		canonical, ok = identifyMedium(pathTarget("@" + name))
	}
	if !ok {
		return asset.Identity{}
	}
	return asset.Identity{Type: asset.TypeMedium, Canonical: canonical}
}

// namedAccounts returns the platform identifiers that a link may name in another way than identify
// recognizes, and reports whether it is sure to name them.
func namedAccounts(l link, at *place) (accounts []asset.Identity, sure bool) {
	if !at.onPlatform {
		at.target, at.readable = targetOf(l)
	}
	if !at.readable {
		return nil, true
	}
	t, platform := at.target, at.platform
	if l.host.text == "player.twitch.tv" {
		// https://dev.twitch.tv/docs/embed/video-and-clips: the player of a channel.
		return accountsOfQuery(l, "channel", asset.TypeTwitch, func(name string) (string, bool) { return identifyTwitch(pathTarget(name)) })
	}
	switch {
	case platform.kind == asset.TypeTwitter && isIntent(t):
		// https://developer.x.com/en/docs/x-for-websites: web intents of a profile and of following.
		accounts, sure := accountsOfQuery(l, "screen_name", asset.TypeTwitter, func(name string) (string, bool) { return identifyTwitter(pathTarget(name)) })
		return accounts, sure && len(queryValues(l.query, "user_id")) == 0
	case platform.kind == asset.TypeYouTube && isLiveStream(t):
		// https://support.google.com/youtube/answer/2474026: the live stream of a channel.
		return accountsOfQuery(l, "channel", asset.TypeYouTube, func(id string) (string, bool) { return identifyYouTube(pathTarget("channel", id)) })
	case platform.kind == asset.TypeLinkedIn && len(t.path()) == 2 && strings.EqualFold(t.path()[0], "posts"):
		return accountsOfPost(t.path()[1]), false
	}
	if account, ok := namedAccount(l, at); ok {
		return []asset.Identity{account}, true
	}
	return nil, true
}

// findsPostsByID reports whether a platform opens a post by the ID in a link, also if the link has the name of
// somebody else. Those that are left out answer that there is no such post.
func findsPostsByID(kind asset.Type) bool {
	switch kind {
	case asset.TypeInstagram, asset.TypeMedium, asset.TypeTikTok, asset.TypeTwitch, asset.TypeTwitter:
		return true
	default:
		return false
	}
}

// accountsOfPost returns the person and the company that a post on LinkedIn may be of. The
// name of one of them is before the first underscore.
func accountsOfPost(post string) []asset.Identity {
	name, _, ok := strings.Cut(post, "_")
	if !ok {
		return nil
	}
	var accounts []asset.Identity
	for _, word := range [...]string{"in", "company", "showcase", "school"} {
		if canonical, ok := linkedInSlug(word, name); ok {
			accounts = append(accounts, asset.Identity{Type: asset.TypeLinkedIn, Canonical: canonical})
		}
	}
	return accounts
}

// isLiveStream reports whether a link to YouTube opens the live stream of a channel.
func isLiveStream(t target) bool {
	after, ok := t.after("embed")
	return ok && after == "live_stream"
}

// isIntent reports whether a link to x.com is a web intent of a profile or of following.
func isIntent(t target) bool {
	return len(t.path()) == 2 && strings.EqualFold(t.path()[0], "intent") &&
		(strings.EqualFold(t.path()[1], "user") || strings.EqualFold(t.path()[1], "follow"))
}

// namedAccount returns the platform identifier that the path of a link names in another way
// than identify recognizes.
func namedAccount(l link, at *place) (asset.Identity, bool) {
	t, platform := at.target, at.platform
	if len(t.path()) == 0 {
		return asset.Identity{}, false
	}
	if len(t.path()) > 1 {
		// The platforms accept their fixed words in any letter case.
		t.path()[0] = strings.ToLower(t.path()[0])
	}
	if !at.onPlatform {
		return namedByOtherHost(l.host.text, t)
	}
	canonical, named := "", false
	switch platform.kind {
	case asset.TypeInstagram:
		// The paths that Instagram's applications share for stories and profiles.
		canonical, named = identifyAfter(t, identifyInstagram, "stories", "_u")
	case asset.TypeTwitch:
		// https://dev.twitch.tv/docs/embed/chat describes /embed/, and the chat's menu makes the others.
		canonical, named = identifyAfter(t, identifyTwitch, "popout", "embed", "moderator")
	case asset.TypeLinkedIn:
		// The paths of LinkedIn's light pages for telephones, and of the links in its mails.
		if len(t.path()) == 3 && (t.path()[0] == "mwlite" || t.path()[0] == "comm") {
			canonical, named = identifyLinkedIn(pathTarget(strings.ToLower(t.path()[1]), t.path()[2]))
		}
	case asset.TypeGitHub:
		// https://docs.github.com: the page of an organization, and that of its sponsors.
		canonical, named = identifyAfter(t, identifyGitHub, "orgs", "sponsors")
	default:
	}
	if !named && len(t.path()) > 1 {
		canonical, named = platform.identify(t)
	}
	return asset.Identity{Type: platform.kind, Canonical: canonical}, named
}

// namedByOtherHost returns the identifier that a link to a host of a platform names that has no
// identifiers of its own.
func namedByOtherHost(host string, t target) (asset.Identity, bool) {
	var (
		kind      = asset.TypeGitHub
		canonical string
		ok        bool
	)
	switch host {
	case "raw.githubusercontent.com", "codeload.github.com":
		// https://docs.github.com/en/repositories: raw files and archives of /owner/repository.
		canonical, ok = identifyGitHub(t)
	case "gist.github.com", "gist.githubusercontent.com":
		// https://docs.github.com/en/get-started/writing-on-github: gists of /owner.
		if len(t.path()) == 1 {
			canonical, ok = identifyGitHub(t)
		}
	case "api.github.com":
		// https://docs.github.com/en/rest: /repos/owner/repository, /users/owner and /orgs/owner.
		if len(t.path()) > 1 && t.path()[0] == "repos" {
			canonical, ok = identifyGitHub(pathTarget(t.path()[1:]...))
		} else {
			canonical, ok = identifyAfter(t, identifyGitHub, "users", "orgs")
		}
	case "music.youtube.com":
		kind = asset.TypeYouTube
		canonical, ok = identifyYouTube(t)
	case "ig.me", "www.ig.me":
		// https://developers.facebook.com/docs/messenger-platform/instagram: a chat with a name.
		kind = asset.TypeInstagram
		canonical, ok = identifyAfter(t, identifyInstagram, "m")
	}
	return asset.Identity{Type: kind, Canonical: canonical}, ok
}

// identifyAfter identifies the name in a path of two segments that begins with one of the
// words.
func identifyAfter(t target, identify func(target) (string, bool), words ...string) (string, bool) {
	for _, word := range words {
		if name, ok := t.after(word); ok {
			return identify(pathTarget(name))
		}
	}
	return "", false
}

// accountOfPages returns the GitHub account whose site a host is or is below of
// (https://docs.github.com/en/pages).
func accountOfPages(host string) (asset.Identity, bool) {
	owner, ok := strings.CutSuffix(host, ".github.io")
	if !ok {
		return asset.Identity{}, false
	}
	canonical, ok := identifyGitHub(pathTarget(owner[strings.LastIndexByte(owner, '.')+1:]))
	return asset.Identity{Type: asset.TypeGitHub, Canonical: canonical}, ok
}
