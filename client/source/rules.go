package source

import (
	"fmt"

	"github.com/apguard/apguard/classify"
)

// RulesError reports that the canonical forms of a server are those of other rules than those of this program. A copy
// of them would not find the assets of the same contents. A [feed.Replica] keeps the copy that it has, and tries again.
type RulesError struct {
	// Have is the version of the rules of the server, 0 if it does not say it.
	Have int
	// Want is classify.Version.
	Want int
}

// Error returns the versions and the remedy.
func (e *RulesError) Error() string {
	remedy := "upgrade the server"
	if e.Have > e.Want {
		remedy = "use a newer program"
	}
	return fmt.Sprintf("server has rules version %d, this program has %d: %s", e.Have, e.Want, remedy)
}

// checkRules returns a [*RulesError] unless the version is that of this program.
func checkRules(version int) error {
	if version == classify.Version {
		return nil
	}
	return &RulesError{Have: version, Want: classify.Version}
}
