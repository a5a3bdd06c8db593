package classifytest

import (
	"strings"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Twitter draws handles on Twitter, now X.
func Twitter() *rapid.Generator[Case] {
	return identifiers(asset.TypeTwitter, func(t *rapid.T) string {
		return "x.com/" + drawName(t, "_", 1, 15)
	})
}

// Instagram draws names on Instagram.
func Instagram() *rapid.Generator[Case] {
	return identifiers(asset.TypeInstagram, func(t *rapid.T) string {
		return "instagram.com/" + drawInstagramName(t)
	})
}

// TikTok draws names on TikTok.
func TikTok() *rapid.Generator[Case] {
	return identifiers(asset.TypeTikTok, func(t *rapid.T) string {
		return "tiktok.com/@" + drawName(t, "_.", 2, 24)
	})
}

// Telegram draws names, invitations and telephone numbers on Telegram.
func Telegram() *rapid.Generator[Case] {
	return identifiers(asset.TypeTelegram, func(t *rapid.T) string {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return "t.me/+" + drawText(t, letters+capital+digits+"_-", 10, 40)
		case 1:
			return "t.me/+" + drawText(t, digits, 5, 15)
		default:
			start := drawText(t, letters, 1, 1)
			return "t.me/" + start + strings.ReplaceAll(drawName(t, "_", 2, 31), "__", "_0")
		}
	})
}

// Discord draws invitations to servers on Discord, servers, and their channels.
func Discord() *rapid.Generator[Case] {
	return identifiers(asset.TypeDiscord, func(t *rapid.T) string {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return "discord.com/channels/" + drawText(t, digits, 17, 20)
		case 1:
			return "discord.com/channels/" + drawText(t, digits, 17, 20) + "/" + drawText(t, digits, 17, 20)
		default:
			return "discord.gg/" + drawText(t, letters+capital+digits+"-", 1, 31) + drawText(t, digits, 1, 1)
		}
	})
}

// Medium draws users and publications on Medium.
func Medium() *rapid.Generator[Case] {
	return identifiers(asset.TypeMedium, func(t *rapid.T) string {
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			return "medium.com/@" + drawText(t, letters+digits+"_.-", 1, 30)
		case 1:
			return "medium.com/" + drawText(t, letters+digits, 1, 1) + drawName(t, "-", 2, 99)
		default:
			return drawText(t, letters, 1, 1) + drawName(t, "-", 1, 61) + ".medium.com"
		}
	})
}

// GitHub draws owners and repositories on GitHub.
func GitHub() *rapid.Generator[Case] {
	return identifiers(asset.TypeGitHub, func(t *rapid.T) string {
		owner := "github.com/" + drawText(t, letters+digits+"_", 1, 1) + drawName(t, "-_", 1, 38)
		if rapid.Bool().Draw(t, "the owner alone") {
			return owner
		}
		repository := drawText(t, letters+digits+"._-", 0, 97)
		if strings.HasSuffix(repository, ".git") {
			repository += "-"
		}
		if strings.Trim(repository, ".") == "" {
			repository += "a"
		}
		return owner + "/" + repository
	})
}

// YouTube draws handles, channels and names on YouTube.
func YouTube() *rapid.Generator[Case] {
	return identifiers(asset.TypeYouTube, func(t *rapid.T) string {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return "youtube.com/channel/UC" + drawText(t, letters+capital+digits+"_-", 22, 22)
		case 1:
			return "youtube.com/" + drawOne(t, "c", "user") + "/" + drawText(t, letters+digits+"_-", 1, 95) + drawWord(t)
		default:
			return "youtube.com/@" + drawText(t, letters+digits+"_-.", 3, 22) + drawWord(t)
		}
	})
}

// LinkedIn draws people, companies and schools on LinkedIn.
func LinkedIn() *rapid.Generator[Case] {
	return identifiers(asset.TypeLinkedIn, func(t *rapid.T) string {
		if drawChance(t, "a member") {
			return "linkedin.com/in/" + drawOne(t, "ACoAA", "ACwAA") + drawText(t, letters+capital+digits+"_-", 5, 40)
		}
		word := drawOne(t, "in", "company", "school", "showcase")
		return "linkedin.com/" + word + "/" + drawText(t, letters+digits+"-", 2, 90) + drawWord(t)
	})
}

// Twitch draws names on Twitch.
func Twitch() *rapid.Generator[Case] {
	return identifiers(asset.TypeTwitch, func(t *rapid.T) string {
		return "twitch.tv/" + drawText(t, letters+digits, 1, 1) + drawName(t, "_", 2, 24)
	})
}

func identifiers(kind asset.Type, canonical func(t *rapid.T) string) *rapid.Generator[Case] {
	return written(rapid.Custom(func(t *rapid.T) classify.Result {
		return result(kind, canonical(t))
	}))
}

// drawName draws a name of min to max characters. It ends in a digit, so that no
// platform reserves it.
func drawName(t *rapid.T, signs string, min, max int) string {
	return drawText(t, letters+digits+signs, min-1, max-1) + drawText(t, digits, 1, 1)
}

// drawInstagramName draws a name that may contain a dot.
func drawInstagramName(t *rapid.T) string {
	name := drawText(t, letters+digits+"_", 1, 15)
	if rapid.Bool().Draw(t, "with a dot") {
		name += "." + drawText(t, letters+digits+"_", 1, 10)
	}
	return name + drawText(t, digits, 1, 4)
}

// drawWord draws a few letters of any script in canonical form, or "".
func drawWord(t *rapid.T) string {
	return drawOne(t, "", "%C3%BC", "%C3%A9t%C3%A9", "%E4%BE%8B", "%D0%BC%D0%B8%D1%80", "%D7%90", "%E0%A4%B9%E0%A4%BF")
}

// spelling is a notation of an identifier without the other parts of a link.
type spelling struct {
	// hosts are its possible hosts.
	hosts []string
	// path begins with a slash or is empty.
	path string
}

// writeIdentifier draws a notation of a platform identifier.
func writeIdentifier(t *rapid.T, of classify.Result) string {
	if names := bareNames(of); len(names) > 0 && drawChance(t, "as a handle") {
		return drawCase(t, drawOne(t, names...))
	}
	s := rapid.SampledFrom(spellings(of)).Draw(t, "spelling")
	host := writeDomain(t, drawOne(t, s.hosts...))
	end := writeName(t, s.path, of) + drawOne(t, "", "", "/") +
		drawOne(t, "", "", "?lang=en", "?", "?a=/b?c") + drawOne(t, "", "", "#", "#top", "#/route")
	switch rapid.IntRange(0, 2).Draw(t, "scheme") {
	case 0:
		return host + drawOne(t, "", "", ":", ":443") + end
	case 1:
		return drawCase(t, "https") + drawOne(t, "://", ":\\\\", ":/") + drawUser(t) + host + drawOne(t, "", ":443") + end
	default:
		return drawCase(t, "http") + "://" + drawUser(t) + host + drawOne(t, "", ":", ":80", ":0080") + end
	}
}

// spellings returns the notations of an identifier.
func spellings(of classify.Result) []spelling {
	host, path, _ := strings.Cut(of.Canonical, "/")
	name := "/" + path
	switch of.Type {
	case asset.TypeTwitter:
		return []spelling{{prefixed("x.com", "twitter.com"), name}, {prefixed("x.com", "twitter.com"), "/@" + path}}
	case asset.TypeInstagram:
		return []spelling{{prefixed("instagram.com", "instagr.am"), name}}
	case asset.TypeTelegram:
		return telegramSpellings(path)
	case asset.TypeDiscord:
		sites := prefixed("discord.com", "discordapp.com", "ptb.discord.com", "canary.discordapp.com")
		if host == "discord.com" {
			return []spelling{{sites, name}}
		}
		return []spelling{
			{prefixed("discord.gg"), name},
			{prefixed("discord.gg"), "/invite" + name},
			{sites, "/invite" + name},
		}
	case asset.TypeMedium:
		if path == "" {
			return []spelling{{[]string{host}, ""}}
		}
		return []spelling{{prefixed(host), name}}
	case asset.TypeGitHub:
		if strings.Contains(path, "/") {
			return []spelling{{prefixed(host), name}, {prefixed(host), name + ".git"}}
		}
		return []spelling{{prefixed(host), name}}
	case asset.TypeLinkedIn:
		return []spelling{{prefixed(host, "de."+host, "uk."+host), name}}
	default:
		return []spelling{{prefixed(host), name}}
	}
}

func telegramSpellings(path string) []spelling {
	hosts := prefixed("t.me", "telegram.me", "telegram.dog")
	all := []spelling{{hosts, "/" + path}}
	invitation, ok := strings.CutPrefix(path, "+")
	switch {
	case !ok:
		all = append(all, spelling{hosts, "/s/" + path})
		if path != "web" && path != "www" && path != "mobile" { // hosts of Telegram itself
			all = append(all, spelling{[]string{path + ".t.me"}, ""})
		}
	case strings.Trim(invitation, digits) != "": // not a telephone number
		all = append(all, spelling{hosts, "/joinchat/" + invitation})
	}
	return all
}

// prefixed returns each host with and without the common prefixes.
func prefixed(hosts ...string) []string {
	all := make([]string, 0, 4*len(hosts))
	for _, host := range hosts {
		all = append(all, host, "www."+host, "m."+host, "mobile."+host)
	}
	return all
}

// writeName draws a notation of the path of an identifier. Names on most platforms
// ignore letter case, other words do not.
func writeName(t *rapid.T, path string, of classify.Result) string {
	from := strings.LastIndexByte(path, '/') + 1
	switch {
	case path == "":
		return drawOne(t, "", "/.")
	case isCaseKept(of):
	case of.Type == asset.TypeGitHub:
		path = drawCase(t, strings.TrimSuffix(path, ".git")) + path[len(strings.TrimSuffix(path, ".git")):]
	default:
		path = path[:from] + writeScripts(t, path[from:])
	}
	return drawOne(t, "", "", "/.") + drawPercent(t, path, letters+"@")
}

// writeScripts draws a notation of a name in any script.
func writeScripts(t *rapid.T, name string) string {
	if !strings.Contains(name, "%") {
		return drawCase(t, name)
	}
	switch rapid.IntRange(0, 3).Draw(t, "script") {
	case 0:
		return decodeScripts(name)
	case 1:
		return norm.NFD.String(decodeScripts(name))
	case 2:
		return strings.ToLower(name)
	default:
		return name
	}
}

// isCaseKept reports whether the identifier is case-sensitive.
func isCaseKept(of classify.Result) bool {
	host, path, _ := strings.Cut(of.Canonical, "/")
	switch of.Type {
	case asset.TypeDiscord:
		return true
	case asset.TypeTelegram:
		return strings.HasPrefix(path, "+")
	case asset.TypeYouTube:
		return strings.HasPrefix(path, "channel/")
	case asset.TypeLinkedIn:
		return host == "linkedin.com" && (strings.HasPrefix(path, "in/ACoAA") || strings.HasPrefix(path, "in/ACwAA"))
	default:
		return false
	}
}
