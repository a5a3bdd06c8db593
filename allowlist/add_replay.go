package allowlist

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

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

// terms returns the group, and the end of an item that has one.
func (item Item) terms() string {
	group := strconv.FormatInt(item.GroupID, 10)
	if item.ExpiresAt.IsZero() {
		return group
	}
	return group + " " + item.ExpiresAt.UTC().Format(time.RFC3339Nano)
}

// answer is what a record keeps of the results. A retry gets them even if a newer version of
// the program would recognize other assets in its items.
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
}

// Record returns the record that the store keeps with the additions if cmd.Claim is not
// zero. Its argument has the outcome of each entry.
func (cmd AddCommand) Record(outcomes []Outcome) idempotency.Record {
	var (
		a       answer
		letters strings.Builder
	)
	for _, place := range cmd.Places {
		outcome := outcomeAt(place, outcomes)
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
	return cmd.Claim.Record(text)
}

// replay returns the results of the first request. The error of an item has the details that
// its content has now, if it is still refused for the same reason.
func (req AddRequest) replay(cmd AddCommand, recorded []byte) (Added, error) {
	var a answer
	if json.Unmarshal(recorded, &a) != nil || len(a.Outcomes) != len(req.Items) {
		return Added{}, idempotency.ErrMalformedRecord
	}
	results := make([]Result, len(req.Items))
	for i, item := range req.Items {
		outcome, err := a.take(i)
		if err != nil {
			return Added{}, err
		}
		if reason := cmd.Places[i].Err; errors.Is(reason, outcome.Err) {
			outcome.Err = reason
		}
		results[i] = Result{Content: item.Content, Outcome: outcome}
	}
	return Added{Results: results, Replayed: true}, nil
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
