package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// tryHandle takes bare handles, with or without an @. A word without one needs a
// letter or an underscore, since a bare number is nobody's handle, and must have
// no dots, since it would be a domain. The length alone tells the two platforms
// apart, unless there is a dot.
func tryHandle(s *subject) verdict {
	name, at := strings.CutPrefix(s.text, "@")
	switch {
	case !at && isDigits(name):
		return notMine(ReasonUnrecognised)
	case isTwitterHandle(name):
		canonical, ok := twitterCanonical(name)
		if !ok {
			return refused(ReasonReservedWord)
		}
		return mine(asset.TypeTwitter, canonical)
	case isInstagramName(name) && (at || !strings.Contains(name, ".")):
		canonical, ok := instagramCanonical(name)
		if !ok {
			return refused(ReasonReservedWord)
		}
		return mine(asset.TypeInstagram, canonical)
	case at:
		return notMine(ReasonInvalidHandle)
	}
	return notMine(ReasonUnrecognised)
}
