package classify

import "fmt"

// CoverEffect says which statuses of a [Cover] count.
type CoverEffect uint8

// The effects of covers.
const (
	// CoverDecides is the usual effect: a cover decides if it is ALLOWED or BLOCKED.
	CoverDecides CoverEffect = iota
	// CoverBlocks covers decide only if they are BLOCKED.
	CoverBlocks
	// CoverWithholds covers never decide. If one is BLOCKED, ALLOWED covers of its step do
	// not decide.
	CoverWithholds
)

var coverEffects = [...]string{CoverDecides: "", CoverBlocks: "BLOCKS", CoverWithholds: "WITHHOLDS"}

// String returns "BLOCKS", "WITHHOLDS", or "" for CoverDecides.
func (e CoverEffect) String() string {
	if int(e) < len(coverEffects) {
		return coverEffects[e]
	}
	return fmt.Sprintf("CoverEffect(%d)", uint8(e))
}

// MarshalText returns the text of e. It never fails.
func (e CoverEffect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads a text that MarshalText returned for one of the effects.
func (e *CoverEffect) UnmarshalText(text []byte) error {
	for effect, name := range coverEffects {
		if name == string(text) {
			*e = CoverEffect(effect)
			return nil
		}
	}
	return fmt.Errorf("unknown effect %q", text)
}
