package allowlist

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// checkCovers sets CoverBlocks of the candidates.
func (s *Service) checkCovers(ctx context.Context, candidates []Candidate) error {
	if len(candidates) == 0 {
		return nil
	}
	contents := make([]string, len(candidates))
	for i, candidate := range candidates {
		contents[i] = candidate.Identity.Canonical
	}
	results, err := s.checks.CheckBatch(ctx, contents)
	if err != nil {
		return err
	}
	for i, result := range results {
		match := result.Match
		candidates[i].CoverBlocks = match != nil && match.Kind != classify.CoverExact && match.Status == asset.StatusBlocked
	}
	return nil
}
