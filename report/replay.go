package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// Updated is the result of [ReviewService.Review], [ReviewService.Withdraw] and
// [ReviewService.Escalate].
type Updated struct {
	// Report is the report after the update.
	Report
	// Replayed reports whether the request was executed before, with the same key. The report
	// is as it was then, apart from the names and texts that it shows.
	Replayed bool
}

// claim returns the claim of a request with the key.
func claim(key idempotency.Key, operation string, scope Scope, actor int64, at time.Time, fields func() []string) idempotency.Claim {
	organizationID, _ := scope.OrganizationID()
	return key.Claim(operation, organizationID, actor, at, fields)
}

// answer is what a record keeps of a new or updated report. It has no texts, so that it contains
// nothing that an erasure must find.
type answer struct {
	ReportID  int64      `json:"reportId"`
	Status    Status     `json:"status"`
	UpdatedAt time.Time  `json:"updatedAt"`
	Proposals []answered `json:"proposals"`
}

// answered is what a record keeps of a proposal.
type answered struct {
	AssetStatus  asset.Status `json:"assetStatus"`
	ReviewID     int64        `json:"reviewId,omitzero"`
	ReviewStatus ReviewStatus `json:"reviewStatus,omitzero"`
	ReviewedBy   int64        `json:"reviewedBy,omitzero"`
	ReviewedAt   time.Time    `json:"reviewedAt,omitzero"`
}

// record returns the record of a claim.
func record(claim idempotency.Claim, r Report) idempotency.Record {
	a := answer{r.ID, r.Status, r.UpdatedAt, make([]answered, len(r.Proposals))}
	for i, p := range r.Proposals {
		a.Proposals[i] = answered{p.Asset.Status, p.ReviewID, p.ReviewStatus, p.ReviewedBy, p.ReviewedAt}
	}
	text, _ := json.Marshal(a) // fails for invalid times only
	return claim.Record(text)
}

// updated returns the result of an update.
func (s *ReviewService) updated(ctx context.Context, scope Scope, r Report, err error) (Updated, error) {
	r, replayed, err := orReplay(ctx, s.store, s.brake, scope, r, err)
	return Updated{Report: r, Replayed: replayed}, err
}

// orReplay returns the report and the error that a store has returned. If the error is that of a
// retry, it returns the report of the first time.
func orReplay(ctx context.Context, store Store, brake asset.Brake, scope Scope, r Report, err error) (_ Report, replayed bool, _ error) {
	var replay *idempotency.ReplayError
	if !errors.As(err, &replay) {
		return r, false, err
	}
	var a answer
	if err := json.Unmarshal(replay.Answer, &a); err != nil {
		return Report{}, false, fmt.Errorf("%w: %w", idempotency.ErrMalformedRecord, err)
	}
	if a.ReportID == 0 {
		return Report{}, false, asset.Replayed(ctx, brake, replay)
	}
	r, err = store.ReportByID(ctx, scope, a.ReportID)
	if err != nil {
		return Report{}, false, err
	}
	if len(r.Proposals) != len(a.Proposals) {
		return Report{}, false, idempotency.ErrMalformedRecord
	}
	r.Status, r.UpdatedAt = a.Status, a.UpdatedAt
	for i, then := range a.Proposals {
		p := &r.Proposals[i]
		p.Asset.Status = then.AssetStatus
		p.ReviewID, p.ReviewStatus, p.ReviewedBy, p.ReviewedAt = then.ReviewID, then.ReviewStatus, then.ReviewedBy, then.ReviewedAt
	}
	return r, true, nil
}
