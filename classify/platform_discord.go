package classify

import "strings"

func identifyDiscordGG(t target) (string, bool) {
	if code, ok := t.segment(); ok {
		return discordInvite(code)
	}
	return discordInviteAfterWord(t)
}

func identifyDiscord(t target) (string, bool) {
	if len(t.path()) < 2 || len(t.path()) > 3 || t.path()[0] != "channels" {
		return discordInviteAfterWord(t)
	}
	for _, id := range t.path()[1:] {
		if !hasLength(id, 17, 20) || !isDigits(id) {
			return "", false
		}
	}
	return "discord.com/" + strings.Join(t.path(), "/"), true
}

func discordInviteAfterWord(t target) (string, bool) {
	code, ok := t.after("invite")
	if !ok {
		return "", false
	}
	return discordInvite(code)
}

// discordInvite returns the canonical form of an invitation. Codes are case-sensitive.
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

// cutDiscordRelease drops the label of Discord's test releases from a prefix.
func cutDiscordRelease(prefix string) string {
	for _, label := range [...]string{"ptb.", "canary."} {
		if before, ok := strings.CutSuffix(prefix, label); ok {
			return before
		}
	}
	return prefix
}
