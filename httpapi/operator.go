package httpapi

import (
	"net/http"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi/request"
)

// NewOperator returns the API for operators: disputes, reports and assets with the data of all
// organizations, their names, and webhooks. It is separate from the API of [New]. Mount it at a base of
// its own, and only where operators can reach it. Both have the same checks, limits and errors.
// The specification does not define it; GET /openapi.json describes it.
//
// Callers need [account.ScopeOperatorRead] to read and [account.ScopeOperatorWrite] to write.
// A caller who writes must have a user, who becomes the actor of the change.
//
// Options.TestWebhook adds an operation. NewOperator ignores Options.MaxBatchBody and
// Options.DeprecatedReportsPath. It returns an error that matches [ErrOptions] in the same cases as
// New.
func NewOperator(guard *apguard.Guard, authenticator Authenticator, opts Options) (*API, error) {
	opts = opts.withDefaults()
	opts.MaxBatchBody, opts.DeprecatedReportsPath = maxBody, DefaultDeprecatedReportsPath
	return newAPI(guard, operator{guard}.operations, newOperatorDocument(opts), authenticator, opts)
}

// operator has the operations for operators.
type operator struct {
	guard *apguard.Guard
}

func (o operator) operations(opts Options) []operation {
	disputes, reviews := o.guard.DisputeQueue, o.guard.Reviews
	return append([]operation{
		operatorRead("/asset/explain", o.explainAsset),
		operatorRead("/asset/history", answerJSON(request.Call.ListAssetChanges, o.guard.Assets.ListChanges, newAssetChangesResponse)),
		operatorWrite("/asset/setStatus", answerUpdate(request.Call.SetAssetStatus, o.setStatus, updatedStatus)),
		operatorRead("/dispute/list", answerJSON(request.Call.ListDisputes, disputes.List, newDisputesResponse)),
		costlyRead("/dispute/get", answerJSON(request.Call.GetDispute, disputes.Get, newDisputeDetail)),
		operatorWrite("/dispute/startReview", answerUpdate(request.Call.TransitionDispute, disputes.StartReview, updatedDispute)),
		operatorWrite("/dispute/release", answerUpdate(request.Call.TransitionDispute, disputes.Release, updatedDispute)),
		operatorWrite("/dispute/resolve", answerUpdate(request.Call.ResolveDispute, disputes.Resolve, updatedDispute)),
		operatorWrite("/dispute/withdraw", answerUpdate(request.Call.TransitionDispute, disputes.Withdraw, updatedDispute)),
		operatorWrite("/dispute/reopen", answerUpdate(request.Call.TransitionDispute, disputes.Reopen, updatedDispute)),
		operatorWrite("/dispute/addNote", answerUpdate(request.Call.AddDisputeNote, disputes.AddNote, updatedDispute)),
		costlyRead("/report/list", answerJSON(request.Call.ListAllReports, o.guard.Reports.List, reportsOf(newOperatorReport))),
		costlyRead("/report/get", answerJSON(request.Call.GetReport, o.report, newOperatorReport)),
		costlyRead("/report/reviews", answerJSON(request.Call.ListReviews, o.reviews, newReviewsResponse)),
		operatorWrite("/report/review", o.review),
		operatorWrite("/report/withdraw", answerUpdate(request.Call.WithdrawReview, reviews.Withdraw, updatedReport)),
		operatorWrite("/report/escalate", answerUpdate(request.Call.EscalateReport, reviews.Escalate, updatedReport)),
		operatorRead("/organization/get", answerJSON(request.Call.GetOrganization, o.guard.Accounts.Organization, newOrganizationResponse)),
	}, o.webhookOperations(opts.TestWebhook)...)
}

// operatorRead returns an operation that changes nothing.
func operatorRead(path string, handle func(*responseWriter, call) error) operation {
	return operation{
		methods: []string{http.MethodGet, http.MethodHead},
		path:    path,
		scope:   account.ScopeOperatorRead,
		handle:  handle,
	}
}

// costlyRead returns an operation that changes nothing. Its reply may take long, or have more
// than a megabyte.
func costlyRead(path string, handle func(*responseWriter, call) error) operation {
	op := operatorRead(path, handle)
	op.costly = true
	return op
}

// operatorWrite returns an operation that the caller's user is responsible for.
func operatorWrite(path string, handle func(*responseWriter, call) error) operation {
	return operation{
		methods: []string{http.MethodPost},
		path:    path,
		scope:   account.ScopeOperatorWrite,
		user:    true,
		maxBody: maxBody,
		handle:  handle,
	}
}

// costlyWrite returns an operation that the caller's user is responsible for, and that may take
// long.
func costlyWrite(path string, handle func(*responseWriter, call) error) operation {
	op := operatorWrite(path, handle)
	op.costly = true
	return op
}
