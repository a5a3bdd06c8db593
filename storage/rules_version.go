package storage

import (
	"context"
	"fmt"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// RulesError reports that the assets of a database have the canonical forms of other rules than
// those of this program. A database of older rules is reclassified with apguard.Reclassify.
type RulesError struct {
	// Have is the version of the rules of the database, 0 if it was made before versions.
	Have int
	// Want is classify.Version.
	Want int
}

// Error returns the versions and the remedy.
func (e *RulesError) Error() string {
	remedy := `run "apguard reclassify"`
	if e.Have > e.Want {
		remedy = "use a newer program"
	}
	return fmt.Sprintf("database has rules version %d, this program has %d: %s", e.Have, e.Want, remedy)
}

// CheckRules returns a [*RulesError] unless a database with the version of the rules can be used.
// One of older rules can be opened only to be reclassified.
func CheckRules(version int, reclassify bool) error {
	if version == classify.Version || reclassify && version < classify.Version {
		return nil
	}
	return &RulesError{Have: version, Want: classify.Version}
}

// Reclassifier is a store that keeps assets longer than a program. Its database can have older rules.
type Reclassifier interface {
	// Reclassify gives the next assets their new identities, in one step: those of
	// ReclassifyCommand.Reforms. A moved asset keeps its ID. All records of a merged one become those of
	// the other, with the status of asset.MergedStatus: an organization keeps its older entry, and
	// one of two disputes with one email is erased. The survivor gets a change with the cause
	// asset.CauseReclassification if its status differs, or if its last change leads to another status.
	// If any asset was moved or merged, all cursors of the feed become those of another store.
	Reclassify(ctx context.Context, cmd asset.ReclassifyCommand) (asset.ReclassifyStep, error)
}
