package allowlist

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
)

// fields returns the fields of the items for a fingerprint.
func (req AddRequest) fields() []string {
	fields := make([]string, 0, 4*len(req.Items))
	for _, item := range req.Items {
		fields = append(fields, item.Content, item.Name, item.Description, item.terms())
	}
	return fields
}

// terms returns the group, the end of an item that has one, and the condition of one that has one.
func (item Item) terms() string {
	terms := strconv.FormatInt(item.GroupID, 10)
	if !item.ExpiresAt.IsZero() {
		terms += " " + item.ExpiresAt.UTC().Format(time.RFC3339Nano)
	}
	if item.RefuseBlocked {
		terms += " refuseBlocked"
	}
	return terms
}

// Record returns the record that the store keeps with the additions if cmd.Claim is not
// zero. Its argument has the outcome of each entry.
func (cmd AddCommand) Record(outcomes []Outcome) idempotency.Record {
	return cmd.Claim.Record(newAnswer(cmd.Outcomes(outcomes)))
}

// Outcomes returns the outcome of each item of the request. Its argument has the outcome of each
// entry.
func (cmd AddCommand) Outcomes(outcomes []Outcome) []Outcome {
	ofItems := make([]Outcome, len(cmd.Places))
	for i, place := range cmd.Places {
		ofItems[i] = outcomeAt(place, outcomes)
	}
	return ofItems
}

// replay returns the results of the first request.
func (req AddRequest) replay(cmd AddCommand, recorded []byte) (Added, error) {
	outcomes, err := recordedOutcomes(recorded, cmd.Places)
	if err != nil {
		return Added{}, err
	}
	results := make([]Result, len(outcomes))
	for i, outcome := range outcomes {
		results[i] = Result{Content: req.Items[i].Content, Outcome: outcome}
	}
	return Added{Results: results, Replayed: true}, nil
}

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
