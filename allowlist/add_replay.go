package allowlist

import (
	"strconv"
	"time"

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
