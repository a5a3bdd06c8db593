package classify

import "strings"

// refanged replaces the signs that disarm a content for display, such as [.].
var refanged = strings.NewReplacer(
	"[.]", ".", "(.)", ".", "{.}", ".",
	"[dot]", ".", "(dot)", ".", "{dot}", ".",
	"[DOT]", ".", "(DOT)", ".", "{DOT}", ".",
	"[:]", ":", "[://]", "://", "[/]", "/",
	"[@]", "@", "(@)", "@", "[at]", "@", "(at)", "@", "[AT]", "@", "(AT)", "@",
)

// Refang restores a content that is disarmed for display, such as hxxps://evil[.]com, and
// removes spaces around it. It changes no other content that has none of these signs.
// [Classify] and a check never call it, but refuse such a content ([ReasonDefanged]):
// whether somebody means the asset is for the caller to know. The result may be refused, too.
func Refang(content string) string {
	content = strings.TrimSpace(refanged.Replace(content))
	const defanged = "hxxp"
	if len(content) >= len(defanged) && strings.EqualFold(content[:len(defanged)], defanged) {
		rest := content[len(defanged):]
		if strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "s:") || strings.HasPrefix(rest, "S:") {
			return "http" + rest
		}
	}
	return content
}
