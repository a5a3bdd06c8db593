package classify

import "strings"

func identifyTelegram(t target) (string, bool) {
	if code, ok := t.after("joinchat"); ok {
		return telegramInvite(code)
	}
	if name, ok := t.after("s"); ok {
		return telegramName(name)
	}
	segment, ok := t.segment()
	if !ok {
		return "", false
	}
	code, ok := strings.CutPrefix(segment, "+")
	if !ok {
		return telegramName(segment)
	}
	if isTelephone(code) {
		return "t.me/+" + code, true
	}
	return telegramInvite(code)
}

// identifyTelegramHost identifies the name in a host such as durov.t.me.
func identifyTelegramHost(t target) (string, bool) {
	switch t.name {
	case "www", "web":
		return "", false
	}
	if len(t.path()) > 0 {
		return "", false
	}
	return telegramName(t.name)
}

// isTelephone reports whether the text after a + is a telephone number.
func isTelephone(code string) bool { return hasLength(code, 5, 15) && isDigits(code) }

// telegramInvite rejects a code whose canonical form would be a telephone number.
func telegramInvite(code string) (string, bool) {
	if !hasLength(code, 10, 40) || !isASCIIName(code, "_-") || isTelephone(code) {
		return "", false
	}
	return "t.me/+" + code, true
}

func telegramName(name string) (string, bool) {
	if !hasLength(name, 3, 32) || !isASCIIName(name, "_") || !isLetter(name[0]) ||
		strings.HasSuffix(name, "_") || strings.Contains(name, "__") {
		return "", false
	}
	name = strings.ToLower(name)
	switch name {
	case "share", "joinchat", "addstickers", "addemoji", "addlist", "addtheme", "boost",
		"confirmphone", "contact", "giftcode", "invoice", "login", "message", "nft", "proxy",
		"setlanguage", "socks", "auth":
		return "", false
	}
	return "t.me/" + name, true
}
