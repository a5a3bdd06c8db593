package allowlist

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
)

// RemoveCommand is what [Store.RemoveFromAllowlist] executes.
type RemoveCommand struct {
	OrganizationID int64
	// AssetIDs are ascending and without duplicates.
	AssetIDs []int64
	// Places has the place of each asset of the request in AssetIDs, for Record.
	Places []asset.Place
	At     time.Time
	Origin asset.Origin
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
	// DryRun makes the store return what it would remove and store nothing.
	DryRun bool
	// Audit is the entry of the command, or zero; see Entry.
	Audit audit.Entry
}

// RemovedEntry is an entry that a [RemoveCommand] has removed.
type RemovedEntry struct {
	AssetID int64
	// From is the status that the asset had with the entry, and To the one that it has without.
	From, To asset.Status
}

// Entry returns the entry to record with the removals, which is zero if there are none. Stores call it.
func (cmd RemoveCommand) Entry(removed []RemovedEntry) audit.Entry {
	if len(removed) == 0 {
		return audit.Entry{}
	}
	return cmd.Audit
}

// setAssets sets AssetIDs and Places. There is one ID and one reason for each asset of the
// request. A reason that is not nil refuses the asset.
func (cmd *RemoveCommand) setAssets(ids []int64, reasons []error) {
	for i, id := range ids {
		if reasons[i] == nil {
			cmd.AssetIDs = append(cmd.AssetIDs, id)
		}
	}
	slices.Sort(cmd.AssetIDs)
	cmd.AssetIDs = slices.Compact(cmd.AssetIDs)
	seen := make([]bool, len(cmd.AssetIDs))
	cmd.Places = make([]asset.Place, len(ids))
	for i, id := range ids {
		if reasons[i] != nil {
			cmd.Places[i].Err = reasons[i]
			continue
		}
		index, _ := slices.BinarySearch(cmd.AssetIDs, id)
		cmd.Places[i] = asset.Place{Index: index, Duplicate: seen[index]}
		seen[index] = true
	}
}

// Outcomes returns the outcomes of the assets of the request after the entries, in the order of the IDs of
// their assets, were removed.
func (cmd RemoveCommand) Outcomes(removed []RemovedEntry) []Outcome {
	outcomes := make([]Outcome, len(cmd.Places))
	for i, place := range cmd.Places {
		if place.Err != nil {
			outcomes[i].Err = place.Err
			continue
		}
		id := cmd.AssetIDs[place.Index]
		_, found := slices.BinarySearchFunc(removed, id, func(e RemovedEntry, id int64) int { return cmp.Compare(e.AssetID, id) })
		if !found || place.Duplicate {
			outcomes[i].Err = ErrNotListed
			continue
		}
		outcomes[i].AssetID = id
	}
	return outcomes
}

// Record returns the record that the store keeps with the removals if cmd.Claim is not zero. Its
// argument has the entries that were removed, in the order of the IDs of their assets.
func (cmd RemoveCommand) Record(removed []RemovedEntry) idempotency.Record {
	return cmd.Claim.Record(newAnswer(cmd.Outcomes(removed)))
}

// fields returns the assets of the request for a fingerprint.
func (req RemoveRequest) fields() []string {
	fields := make([]string, 0, 1+len(req.AssetIDs)+len(req.Contents))
	fields = append(fields, strconv.Itoa(len(req.AssetIDs)))
	for _, id := range req.AssetIDs {
		fields = append(fields, strconv.FormatInt(id, 10))
	}
	return append(fields, req.Contents...)
}

// find returns the ID of each asset, or why it has none. An asset is never removed, so it still
// has the ID when the command is executed.
func (s *Service) find(ctx context.Context, contents []string) (ids []int64, reasons []error, err error) {
	ids, reasons = make([]int64, len(contents)), make([]error, len(contents))
	identities := make([]asset.Identity, len(contents))
	var recognized []asset.Identity
	for i, content := range contents {
		result, err := classify.Classify(content)
		if err != nil {
			reasons[i] = err
			continue
		}
		identities[i] = result.Identity
		recognized = append(recognized, result.Identity)
	}
	if len(recognized) == 0 {
		return ids, reasons, nil
	}
	found, err := s.store.AssetsByIdentity(ctx, recognized)
	if err != nil {
		return nil, nil, err
	}
	known := make(map[asset.Identity]int64, len(found))
	for _, one := range found {
		known[one.Identity] = one.ID
	}
	for i, identity := range identities {
		if ids[i] = known[identity]; ids[i] == 0 && reasons[i] == nil {
			reasons[i] = ErrNotListed
		}
	}
	return ids, reasons, nil
}
