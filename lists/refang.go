package lists

import "strings"

// refanged replaces defanging marks such as [.] in contents.
var refanged = strings.NewReplacer(
	"[.]", ".", "(.)", ".", "{.}", ".",
	"[dot]", ".", "(dot)", ".", "{dot}", ".",
	"[DOT]", ".", "(DOT)", ".", "{DOT}", ".",
	"[:]", ":", "[://]", "://", "[/]", "/",
	"[@]", "@", "(@)", "@", "[at]", "@", "(at)", "@", "[AT]", "@", "(AT)", "@",
)

// refang restores a content. It changes no text without such marks.
func refang(content string) string {
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
