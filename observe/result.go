package observe

import (
	"context"
	"errors"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// Result is the result of an operation.
type Result string

// The results.
const (
	// ResultOK is a success. It includes the repetition of a request with an idempotency key.
	ResultOK Result = "OK"
	// ResultRefused is the result of input or of a request that the service refuses, such as for a
	// record that does not exist. It is no failure of the service.
	ResultRefused Result = "REFUSED"
	// ResultCanceled means that the caller canceled the context.
	ResultCanceled Result = "CANCELED"
	// ResultTimeout means that the deadline of the context has passed.
	ResultTimeout Result = "TIMEOUT"
	// ResultUnavailable means that the store cannot work now; see [asset.ErrUnavailable].
	ResultUnavailable Result = "UNAVAILABLE"
	// ResultUnknown means that the operation may have been executed; see [asset.ErrOutcomeUnknown].
	ResultUnknown Result = "UNKNOWN"
	// ResultFailed is any other error, or a panic.
	ResultFailed Result = "FAILED"
)

// Results returns every result, in the order of the constants.
func Results() []Result {
	return []Result{ResultOK, ResultRefused, ResultCanceled, ResultTimeout, ResultUnavailable, ResultUnknown, ResultFailed}
}

// Failure reports whether the result is a failure of the service. A cancellation is none.
func (r Result) Failure() bool {
	return r != ResultOK && r != ResultRefused && r != ResultCanceled
}

// refusals are the errors of the domain that are no failures.
var refusals = [...]error{
	asset.ErrInvalid, asset.ErrNotFound, asset.ErrChanged, asset.ErrReadOnly,
	asset.ErrMalformedCursor, asset.ErrForeignCursor, asset.ErrFutureCursor, asset.ErrPrunedCursor,
	account.ErrOrganizationNotFound, account.ErrUserNotFound, account.ErrGroupNotFound, account.ErrSlugTaken,
	account.ErrGroupTaken, account.ErrUnknownKey, account.ErrRevokedKey, account.ErrExpiredKey, account.ErrAmbiguousKey,
	account.ErrEscalation,
	allowlist.ErrNotListed,
	dispute.ErrExists, dispute.ErrNotFound, dispute.ErrTooManyNotes, dispute.ErrInvalidTransition,
	idempotency.ErrReused, idempotency.ErrInProgress,
	lists.ErrNotFound, lists.ErrNameTaken, lists.ErrTooMany, lists.ErrSuperseded,
	pending.ErrNotFound, pending.ErrDecided, pending.ErrExpired, pending.ErrSameOperator, pending.ErrSyncAgain,
	report.ErrNotFound, report.ErrProposalNotFound, report.ErrReviewNotFound, report.ErrNotDecision,
	report.ErrWithdrawn, report.ErrTooManyReviews, report.ErrDecided,
	storage.ErrNotEmpty,
	webhook.ErrNotFound, webhook.ErrNotDue, webhook.ErrLeaseLost,
}

func resultOf(err error) Result {
	switch {
	case err == nil, errors.As(err, new(*idempotency.ReplayError)):
		return ResultOK
	case errors.Is(err, asset.ErrOutcomeUnknown):
		return ResultUnknown
	case errors.Is(err, context.Canceled):
		return ResultCanceled
	case errors.Is(err, context.DeadlineExceeded):
		return ResultTimeout
	case errors.Is(err, asset.ErrUnavailable):
		return ResultUnavailable
	}
	for _, refusal := range refusals {
		if errors.Is(err, refusal) {
			return ResultRefused
		}
	}
	return ResultFailed
}
