package allowlist

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
)

// answer is what a record keeps of the results of an addition or removal. A retry gets them even
// if a newer version of the program would recognize other assets in its items.
type answer struct {
	// Outcomes has a letter for each item; see codes.
	Outcomes string `json:"outcomes"`
	// AssetIDs are the IDs of the items that have one, in their order.
	AssetIDs []int64 `json:"assetIds,omitempty"`
}

// code is the letter of an outcome.
type code struct {
	letter byte
	err    error
	// asset reports whether the outcome has an AssetID.
	asset bool
}

var codes = [...]code{
	{'A', nil, true},
	{'E', ErrExists, true},
	{'B', ErrBlocked, true},
	{'C', classify.ErrContentRequired, false},
	{'F', classify.ErrInvalidFormat, false},
	{'G', ErrInvalidGroupID, false},
	{'X', ErrInvalidExpiry, false},
	{'N', ErrNotListed, false},
}

// newAnswer returns the text of the answer with the outcomes of the items.
func newAnswer(outcomes []Outcome) []byte {
	var (
		a       answer
		letters strings.Builder
	)
	for _, outcome := range outcomes {
		for _, c := range codes {
			if !errors.Is(outcome.Err, c.err) {
				continue
			}
			letters.WriteByte(c.letter)
			if c.asset {
				a.AssetIDs = append(a.AssetIDs, outcome.AssetID)
			}
		}
	}
	a.Outcomes = letters.String()
	text, _ := json.Marshal(a) // never fails: it has only letters and numbers
	return text
}

// recordedOutcomes returns the outcomes of a recorded answer, one for each item with the places. The
// error of an outcome has the details of the item's present one, if it is for the same reason.
func recordedOutcomes(recorded []byte, places []asset.Place) ([]Outcome, error) {
	var a answer
	if json.Unmarshal(recorded, &a) != nil || len(a.Outcomes) != len(places) {
		return nil, idempotency.ErrMalformedRecord
	}
	outcomes := make([]Outcome, len(places))
	for i, place := range places {
		outcome, err := a.take(i)
		if err != nil {
			return nil, err
		}
		if errors.Is(place.Err, outcome.Err) {
			outcome.Err = place.Err
		}
		outcomes[i] = outcome
	}
	return outcomes, nil
}

// take returns the outcome of the item with that index, and removes its AssetID.
func (a *answer) take(i int) (Outcome, error) {
	for _, c := range codes {
		switch {
		case c.letter != a.Outcomes[i]:
			continue
		case !c.asset:
			return Outcome{Err: c.err}, nil
		case len(a.AssetIDs) > 0:
			id := a.AssetIDs[0]
			a.AssetIDs = a.AssetIDs[1:]
			return Outcome{AssetID: id, Err: c.err}, nil
		}
	}
	return Outcome{}, idempotency.ErrMalformedRecord
}
