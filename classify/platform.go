package classify

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// platform is a platform and the function that finds its identifiers.
type platform struct {
	kind asset.Type
	// identify returns the canonical form of the identifier in a link to the platform.
	identify func(t target) (canonical string, ok bool)
}

// platformAt returns the platform of a host.
func platformAt(host string) (platform, bool) {
	prefix, site := cutSite(host)
	switch site {
	case "x.com", "twitter.com":
		return platform{asset.TypeTwitter, identifyTwitter}, isCommon(prefix)
	case "instagram.com", "instagr.am":
		return platform{asset.TypeInstagram, identifyInstagram}, isCommon(prefix)
	case "tiktok.com":
		return platform{asset.TypeTikTok, identifyTikTok}, isCommon(prefix)
	case "telegram.me", "telegram.dog":
		return platform{asset.TypeTelegram, identifyTelegram}, isCommon(prefix)
	case "t.me":
		if isCommon(prefix) {
			return platform{asset.TypeTelegram, identifyTelegram}, true
		}
		return platform{asset.TypeTelegram, identifyTelegramHost}, isLabel(prefix)
	case "discord.gg":
		return platform{asset.TypeDiscord, identifyDiscordGG}, isCommon(prefix)
	case "discord.com", "discordapp.com":
		return platform{asset.TypeDiscord, identifyDiscord}, isCommon(cutDiscordRelease(prefix))
	case "medium.com":
		if isCommon(prefix) {
			return platform{asset.TypeMedium, identifyMedium}, true
		}
		return platform{asset.TypeMedium, identifyMediumHost}, isLabel(prefix)
	case "github.com":
		return platform{asset.TypeGitHub, identifyGitHub}, isCommon(prefix)
	case "youtube.com":
		return platform{asset.TypeYouTube, identifyYouTube}, isCommon(prefix)
	case "linkedin.com":
		return platform{asset.TypeLinkedIn, identifyLinkedIn}, isCommon(cutLinkedInCountry(prefix))
	case "twitch.tv":
		return platform{asset.TypeTwitch, identifyTwitch}, isCommon(prefix)
	}
	return platform{}, false
}

// cutSite splits a host before its last two labels. The dot belongs to the prefix.
func cutSite(host string) (prefix, site string) {
	last := max(0, strings.LastIndexByte(host, '.'))
	site = host[strings.LastIndexByte(host[:last], '.')+1:]
	return host[:len(host)-len(site)], site
}

// commonPrefixes may precede the host of every platform.
var commonPrefixes = [...]string{"www.", "m.", "mobile."}

// isCommon reports whether a prefix is empty or one of commonPrefixes.
func isCommon(prefix string) bool {
	return prefix == "" || slices.Contains(commonPrefixes[:], prefix)
}

// isLabel reports whether a prefix is one label.
func isLabel(prefix string) bool {
	return strings.IndexByte(prefix, '.') == len(prefix)-1 && prefix != "" && prefix != "."
}

// target is the part of a link to a platform that may hold an identifier.
type target struct {
	// name is the first label of the host.
	name string
	// segments has the first n segments of the path, decoded, without the empty one after
	// a trailing slash. The last one has the rest of a longer path.
	segments [maxSegments]string
	n        int
}

// maxSegments exceeds the number of segments of any identifier.
const maxSegments = 4

// pathTarget returns a target with a path of at most maxSegments.
func pathTarget(segments ...string) target {
	var t target
	t.n = copy(t.segments[:], segments)
	return t
}

// path returns the segments of the path.
func (t *target) path() []string { return t.segments[:t.n] }

// place is what a link opens on a platform.
type place struct {
	platform   platform
	onPlatform bool
	target     target
	// readable reports whether the link is one in which a platform has identifiers.
	readable bool
}

// placeOf returns the place that a link opens. Without a platform, it is the zero place.
func placeOf(l link) place {
	platform, ok := platformAt(l.host.text)
	if !ok {
		return place{}
	}
	p := place{platform: platform, onPlatform: true}
	p.target, p.readable = targetOf(l)
	return p
}

// identify returns the type and canonical form of the platform identifier in a link. It
// reports false if there is none.
func identify(l link) (kind asset.Type, canonical string, ok bool) {
	p := placeOf(l)
	return p.identify()
}

func (p *place) identify() (kind asset.Type, canonical string, ok bool) {
	if !p.readable {
		return "", "", false
	}
	canonical, ok = p.platform.identify(p.target)
	return p.platform.kind, canonical, ok
}

// targetOf returns the target of a link. It reports false if no platform has identifiers
// in such links.
func targetOf(l link) (target, bool) {
	if l.port != "" || strings.Contains(l.path, "//") {
		return target{}, false
	}
	name, _, _ := strings.Cut(l.host.text, ".")
	t := target{name: name}
	path := strings.Trim(l.path, "/")
	if path == "" {
		return t, true
	}
	path = percentDecode(path, isDecodedInPath)
	more := true
	for ; more && t.n < maxSegments-1; t.n++ {
		t.segments[t.n], path, more = strings.Cut(path, "/")
	}
	if more {
		t.segments[t.n] = path
		t.n++
	}
	return t, true
}

// isDecodedInPath reports whether c means the same with and without
// percent-encoding in a platform's path: an unreserved character, a sign that can stand in
// a path, such as the @ before a name, and any character outside ASCII.
func isDecodedInPath(c byte) bool { return isUnreserved(c) || isPathSign(c) || isNonASCII(c) }

// segment returns the segment of a path of one.
func (t *target) segment() (string, bool) {
	if len(t.path()) != 1 {
		return "", false
	}
	return t.path()[0], true
}

// after returns the second segment of a path of two that begins with the word.
func (t *target) after(word string) (string, bool) {
	if len(t.path()) != 2 || t.path()[0] != word {
		return "", false
	}
	return t.path()[1], true
}
