package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// platform is one kind of place where a platform's identifiers are found.
type platform struct {
	kind asset.Type
	// isHost reports whether links to the host are the platform's.
	isHost func(host string) bool
	// identify returns the canonical form of the identifier that a link to the
	// platform is, or false when it is none.
	identify func(p place) (canonical string, ok bool)
}

// platforms holds every platform. The first that has the host decides.
var platforms = [...]platform{
	{asset.TypeTwitter, oneOf("x.com", "twitter.com"), identifyTwitter},
	{asset.TypeInstagram, oneOf("instagram.com", "instagr.am"), identifyInstagram},
	{asset.TypeTikTok, oneOf("tiktok.com"), identifyTikTok},
	{asset.TypeTelegram, oneOf("t.me", "telegram.me", "telegram.dog"), identifyTelegram},
	{asset.TypeTelegram, under("t.me"), identifyTelegramHost},
	{asset.TypeDiscord, oneOf("discord.gg"), identifyDiscordGG},
	{asset.TypeDiscord, oneOf(
		"discord.com", "ptb.discord.com", "canary.discord.com",
		"discordapp.com", "ptb.discordapp.com", "canary.discordapp.com",
	), identifyDiscord},
	{asset.TypeMedium, oneOf("medium.com"), identifyMedium},
	{asset.TypeMedium, under("medium.com"), identifyMediumHost},
	{asset.TypeGitHub, oneOf("github.com"), identifyGitHub},
	{asset.TypeYouTube, oneOf("youtube.com"), identifyYouTube},
	{asset.TypeLinkedIn, isLinkedIn, identifyLinkedIn},
	{asset.TypeTwitch, oneOf("twitch.tv"), identifyTwitch},
}

// place is where a link to a platform leads.
type place struct {
	// name is what stands before the platform's domain, for a platform whose
	// identifiers stand there.
	name string
	// path is the segments of the path, decoded, without the empty one that
	// stands for a trailing slash.
	path []string
}

// maxSegments is more segments than any identifier has.
const maxSegments = 4

// identify returns the type and canonical form of the platform identifier that
// the link is. It reports false when it is none.
func identify(l link) (kind asset.Type, canonical string, ok bool) {
	for _, platform := range platforms {
		if platform.isHost(l.host.text) {
			p, ok := placeOf(l)
			if !ok {
				return "", "", false
			}
			canonical, ok := platform.identify(p)
			return platform.kind, canonical, ok
		}
	}
	return "", "", false
}

// placeOf returns where the link leads, or false for a link that leads to no
// identifier on any platform.
func placeOf(l link) (place, bool) {
	if l.port != "" || strings.Contains(l.path, "//") {
		return place{}, false
	}
	name, _, _ := strings.Cut(l.host.text, ".")
	p := place{name: name}
	if path := strings.Trim(l.path, "/"); path != "" {
		p.path = strings.SplitN(percentDecode(path, isDecodedInPath), "/", maxSegments)
	}
	return p, true
}

// isDecodedInPath reports whether c means the same with and without
// percent-encoding in a platform's path: the unreserved characters (RFC 3986,
// section 2.3), the @ that many platforms put before a name, and other scripts.
func isDecodedInPath(c byte) bool {
	return isLetter(c) || isDigit(c) || strings.IndexByte("-._~@", c) >= 0 || c >= 0x80
}

// only returns the one segment of the path. It reports false for any other
// number of segments.
func (p place) only() (string, bool) {
	if len(p.path) != 1 {
		return "", false
	}
	return p.path[0], true
}

// after returns the one segment that follows the given word in a path of two.
func (p place) after(word string) (string, bool) {
	if len(p.path) != 2 || p.path[0] != word {
		return "", false
	}
	return p.path[1], true
}

// oneOf matches the given hosts, each with or without one of www., m. and
// mobile. before it.
func oneOf(hosts ...string) func(string) bool {
	return func(host string) bool {
		for _, h := range hosts {
			if prefix, ok := strings.CutSuffix(host, h); ok {
				switch prefix {
				case "", "www.", "m.", "mobile.":
					return true
				}
			}
		}
		return false
	}
}

// under matches the hosts with one label before the given domain.
func under(domain string) func(string) bool {
	return func(host string) bool {
		label, parent, ok := strings.Cut(host, ".")
		return ok && label != "" && parent == domain
	}
}
