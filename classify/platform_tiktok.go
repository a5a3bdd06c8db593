package classify

import "strings"

func identifyTikTok(p place) (string, bool) {
	segment, _ := p.only()
	name, ok := strings.CutPrefix(segment, "@")
	if !ok || !hasLength(name, 2, 24) || !isASCIIName(name, "_.") || strings.HasSuffix(name, ".") {
		return "", false
	}
	return "tiktok.com/@" + strings.ToLower(name), true
}
