package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/webhook"
)

// operatorError returns the response to an error that only operations for operators have.
func operatorError(err error) (apiError, bool) {
	var (
		transition *dispute.TransitionError
		escalation *account.EscalationError
		stopped    *stoppedSyncError
		unreceived *lists.FetchError
		decided    *pending.DecidedError
	)
	notFound := func(message string) (apiError, bool) {
		return apiError{status: http.StatusNotFound, message: message}, true
	}
	conflict := func(message string) (apiError, bool) {
		return apiError{status: http.StatusConflict, message: message}, true
	}
	switch {
	case errors.Is(err, asset.ErrNoDecision):
		return notFound("Operators hold no decision on the asset")
	case errors.Is(err, pending.ErrNotFound):
		return notFound("Pending act not found")
	case errors.As(err, &decided):
		return conflict(fmt.Sprintf("The act is already %s", decided.State))
	case errors.Is(err, pending.ErrExpired):
		return conflict("The act has expired; ask for it again")
	case errors.Is(err, pending.ErrSameOperator):
		return conflict("Another operator must approve the act")
	case errors.Is(err, pending.ErrSyncAgain):
		return conflict("To approve the sync, sync the list with the same file and confirm")
	case errors.Is(err, pending.ErrEffectChanged):
		return conflict("What the act would do has changed; ask for it again")
	case errors.Is(err, asset.ErrChanged):
		return conflict("Changed in the meantime")
	case errors.Is(err, account.ErrOrganizationNotFound):
		return notFound("Organization not found")
	case errors.Is(err, account.ErrUserNotFound):
		return notFound("User not found")
	case errors.Is(err, account.ErrSlugTaken):
		return conflict("Slug belongs to another organization")
	case errors.Is(err, account.ErrUnknownKey):
		return notFound("Key not found")
	case errors.Is(err, account.ErrAmbiguousKey):
		return conflict("Several keys have this fingerprint")
	case errors.Is(err, account.ErrRevokedKey):
		return conflict("Key is revoked")
	case errors.Is(err, account.ErrExpiredKey):
		return conflict("Key has expired")
	case errors.As(err, &escalation):
		return apiError{status: http.StatusForbidden, message: "Your key lacks scopes of this key: " + escalation.List()}, true
	case errors.Is(err, dispute.ErrNotFound):
		return notFound("Dispute not found")
	case errors.As(err, &transition):
		return conflict(fmt.Sprintf("A dispute that is %s cannot become %s", transition.From, transition.To))
	case errors.Is(err, dispute.ErrTooManyNotes):
		return conflict(fmt.Sprintf("Dispute would exceed the maximum of %d notes or %d bytes in them", dispute.MaxNotes, dispute.MaxTotalNoteBytes))
	case errors.Is(err, lists.ErrNotFound):
		return notFound("List not found")
	case errors.Is(err, lists.ErrNameTaken):
		return conflict("Another list has this name")
	case errors.Is(err, lists.ErrTooMany):
		return conflict(fmt.Sprintf("There are %d lists already; remove one first", lists.MaxLists))
	case errors.Is(err, lists.ErrSuperseded):
		return conflict("Another sync of the list has begun, whose file counts, or the list was changed; then sync it again")
	case errors.Is(err, lists.ErrNoURL):
		return conflict("The list has no URL; sync it with a file")
	case errors.As(err, &unreceived):
		return conflict("The file was not received: " + unreceived.Reason)
	case errors.As(err, &stopped):
		return conflict(stopped.advice())
	case errors.Is(err, webhook.ErrNotFound):
		return notFound("Webhook not found")
	case errors.Is(err, report.ErrNotFound):
		return notFound("Report not found")
	case errors.Is(err, report.ErrProposalNotFound):
		return notFound("Proposal not found")
	case errors.Is(err, report.ErrReviewNotFound):
		return notFound("Review not found")
	case errors.Is(err, report.ErrNotDecision):
		return conflict("Only an APPROVE or a REJECT can be withdrawn")
	case errors.Is(err, report.ErrWithdrawn):
		return conflict("Review is already withdrawn")
	case errors.Is(err, report.ErrTooManyReviews):
		return conflict(fmt.Sprintf("Proposal would exceed the maximum of %d reviews, or %d before a SKIP or an ESCALATE, or of %d bytes in them",
			report.MaxReviews, report.MaxReviews/2, report.MaxTotalReviewBytes))
	case errors.Is(err, report.ErrDecided):
		return conflict("Report has no undecided proposal")
	default:
		return apiError{}, false
	}
}
