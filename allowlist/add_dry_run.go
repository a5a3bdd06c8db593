package allowlist

import (
	"context"

	"github.com/apguard/apguard/asset"
)

// CandidateState is what a store has of the asset of a [Candidate]. It is zero if the asset
// does not exist.
type CandidateState struct {
	AssetID int64
	Status  asset.Status
	// Listed reports whether the organization's allowlist contains the asset.
	Listed bool
}

// preview returns the results of a dry run.
func (s *Service) preview(ctx context.Context, req AddRequest, cmd AddCommand) (Added, error) {
	states, err := s.store.CandidateStates(ctx, cmd)
	if err != nil {
		return Added{}, err
	}
	outcomes := make([]Outcome, len(states))
	for i, state := range states {
		outcomes[i] = Outcome{AssetID: state.AssetID, Err: cmd.Refusal(cmd.Candidates[i], state.Status, state.Listed)}
	}
	results := req.results(cmd, outcomes)
	for i, place := range cmd.Places {
		if place.Err == nil {
			results[i].Status = states[place.Candidate].Status
		}
	}
	return Added{Results: results}, nil
}
