package classify

import (
	"strings"
	"unicode/utf8"
)

// youTubeSigns are the signs that names may contain, besides letters and digits. The
// last is the middle dot.
const youTubeSigns = "_-.\u00b7"

func identifyYouTube(t target) (string, bool) {
	if id, ok := t.after("channel"); ok {
		if len(id) != 24 || !strings.HasPrefix(id, "UC") || !isASCIIName(id, "_-") {
			return "", false
		}
		return "youtube.com/channel/" + id, true
	}
	for _, word := range [...]string{"c", "user"} {
		if segment, ok := t.after(word); ok {
			name, ok := foldName(segment)
			if !ok || !isName(name, 1, 100, youTubeSigns) {
				return "", false
			}
			return "youtube.com/" + word + "/" + encodeNonASCII(name), true
		}
	}
	segment, _ := t.segment()
	handle, ok := strings.CutPrefix(segment, "@")
	if !ok {
		return "", false
	}
	handle, ok = foldName(handle)
	shortest := 3
	if utf8.RuneCountInString(handle) < len(handle) { // names in other scripts may be shorter
		shortest = 1
	}
	if !ok || !isName(handle, shortest, 30, youTubeSigns) {
		return "", false
	}
	return "youtube.com/@" + encodeNonASCII(handle), true
}
