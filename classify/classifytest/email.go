package classifytest

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Email draws e-mail addresses.
func Email() *rapid.Generator[Case] {
	return written(rapid.Custom(func(t *rapid.T) classify.Result {
		return result(asset.TypeEmail, drawLocalPart(t)+"@"+drawDomain(t, "-"))
	}))
}

// drawLocalPart draws a dot-atom (RFC 5322, section 3.2.3). It omits the signs that end
// the host of a link, because the part before them may be a domain.
func drawLocalPart(t *rapid.T) string {
	const atom = letters + digits + "!$%&'*+-=^_`{|}~"
	local := drawText(t, atom, 1, 30)
	if rapid.Bool().Draw(t, "two atoms") {
		local += "." + drawText(t, atom, 1, 33)
	}
	return local
}

func writeEmail(t *rapid.T, canonical string) string {
	local, domain, _ := strings.Cut(canonical, "@")
	return drawCase(t, local) + "@" + writeDomain(t, domain)
}
