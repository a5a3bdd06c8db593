package classify

import "strings"

func identifyTikTok(t target) (string, bool) {
	segment, _ := t.segment()
	name, ok := strings.CutPrefix(segment, "@")
	if !ok || !hasLength(name, 2, 24) || !isASCIIName(name, "_.") || strings.HasSuffix(name, ".") {
		return "", false
	}
	return "tiktok.com/@" + strings.ToLower(name), true
}
