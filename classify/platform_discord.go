package classify

import "strings"

func identifyDiscordGG(p place) (string, bool) {
	if code, ok := p.only(); ok {
		return discordInvite(code)
	}
	return discordInviteAfterWord(p)
}

func identifyDiscord(p place) (string, bool) {
	if len(p.path) < 2 || len(p.path) > 3 || p.path[0] != "channels" {
		return discordInviteAfterWord(p)
	}
	for _, id := range p.path[1:] {
		if !hasLength(id, 17, 20) || !isDigits(id) {
			return "", false
		}
	}
	return "discord.com/" + strings.Join(p.path, "/"), true
}

func discordInviteAfterWord(p place) (string, bool) {
	code, ok := p.after("invite")
	if !ok {
		return "", false
	}
	return discordInvite(code)
}

// discordInvite returns the canonical form of an invitation. The letter case of
// a code counts.
func discordInvite(code string) (string, bool) {
	switch code {
	case "invite", "channels":
		return "", false
	}
	if !hasLength(code, 2, 32) || !isASCIIName(code, "-") {
		return "", false
	}
	return "discord.gg/" + code, true
}

// cutDiscordRelease drops the label of Discord's early releases from the prefix
// of a site.
func cutDiscordRelease(prefix string) string {
	for _, label := range [...]string{"ptb.", "canary."} {
		if before, ok := strings.CutSuffix(prefix, label); ok {
			return before
		}
	}
	return prefix
}
