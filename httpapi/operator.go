package httpapi

import (
	"net/http"
	"slices"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/presence"
	"github.com/apguard/apguard/internal/request"
)

// NewOperator returns the API for operators: disputes, reports and assets with the data of all
// organizations, organizations, groups, users, API keys, lists, webhooks, figures, and the audit trail. It is separate from the API of [New]. Mount it at a base of
// its own, and only where operators can reach it. Both have the same checks, limits and errors.
// The specification does not define it; GET /openapi.json describes it.
//
// Callers need [account.ScopeOperatorRead] to read, [account.ScopeOperatorWrite] to write, and
// [account.ScopeOperatorAdmin] to administer organizations, groups, users and API keys, to erase persons
// and to prune old records. Every
// caller may ask who it is, with GET /caller/get. A
// caller who writes must have a user, who becomes the actor of the change and, with the key, of its
// entry in the audit trail.
//
// Options.TestWebhook adds an operation, and Options.FetchList lets another one work. NewOperator ignores Options.MaxBatchBody and
// Options.DeprecatedReportsPath. It returns an error that matches [ErrOptions] in the same cases as
// New.
func NewOperator(guard *apguard.Guard, authenticator Authenticator, opts Options) (*API, error) {
	opts = opts.withDefaults()
	opts.MaxBatchBody, opts.DeprecatedReportsPath = maxBody, DefaultDeprecatedReportsPath
	return newAPI(guard, operator{guard, presence.NewBoard[request.Record]()}.operations, newOperatorDocument(opts), authenticator, opts)
}

// operator has the operations for operators.
type operator struct {
	guard *apguard.Guard
	// present knows who has which record open.
	present *presence.Board[request.Record]
}

func (o operator) operations(opts Options) []operation {
	disputes, reviews := o.guard.DisputeQueue, o.guard.Reviews
	return slices.Concat([]operation{
		costlyRead("/asset/changes", answerNamed(o, request.Call.ListChangesUnder, o.changesUnder, unreplayed(newChangesUnder))),
		operatorRead("/asset/due", answerNamed(o, request.Call.ListDueAssets, o.guard.Assets.Due, unreplayed(newDueAssetsResponse))),
		operatorRead("/asset/explain", o.explainAsset),
		operatorRead("/asset/history", answerNamed(o, request.Call.ListAssetChanges, o.guard.Assets.ListChanges, unreplayed(newAssetChangesResponse))),
		costlyRead("/asset/preview", answerJSON(request.Call.PreviewAssetStatus, o.preview, newPreviewResponse)).withBody(),
		o.orPending(operatorWrite("/asset/setStatus", answerNamed(o, request.Call.SetAssetStatus, o.setStatus, updatedStatus))),
		operatorBatch("/asset/setStatuses", o.setStatuses),
		operatorBatch("/asset/undo", o.undo),
		operatorWrite("/asset/withdraw", answerNamed(o, request.Call.WithdrawAssetDecision, o.guard.Assets.Withdraw, withdrawnDecision)),
		operatorRead("/decision/list", answerNamed(o, request.Call.ListDecisions, o.guard.Assets.ListChanges, unreplayed(newNamedChanges))),
		operatorRead("/dispute/list", answerNamed(o, request.Call.ListDisputes, disputes.List, unreplayed(newDisputesResponse))),
		operatorRead("/dispute/backlog", answerJSON(request.Call.DisputeBacklog, o.backlog, newDisputeBacklog)),
		operatorRead("/dispute/get", answerNamed(o, request.Call.GetDispute, disputes.Get, unreplayed(newDisputeDetail))),
		operatorWrite("/dispute/startReview", answerNamed(o, request.Call.AssignDispute, disputes.Assign, updatedDispute)),
		operatorWrite("/dispute/release", answerNamed(o, request.Call.TransitionDispute, disputes.Release, updatedDispute)),
		operatorWrite("/dispute/resolve", answerNamed(o, request.Call.ResolveDispute, disputes.Resolve, updatedDispute)),
		operatorWrite("/dispute/withdraw", answerNamed(o, request.Call.TransitionDispute, disputes.Withdraw, updatedDispute)),
		operatorWrite("/dispute/reopen", answerNamed(o, request.Call.TransitionDispute, disputes.Reopen, updatedDispute)),
		operatorWrite("/dispute/addNote", answerNamed(o, request.Call.AddDisputeNote, disputes.AddNote, updatedDispute)),
		costlyRead("/report/list", answerNamed(o, request.Call.ListAllReports, o.guard.Reports.List, unreplayed(newOperatorReports))),
		operatorRead("/report/backlog", answerJSON(request.Call.ReportBacklog, reviews.Backlog, newReportBacklog)),
		operatorRead("/report/get", answerNamed(o, request.Call.GetReport, o.report, unreplayed(newOperatorReport))),
		operatorRead("/report/reviews", answerNamed(o, request.Call.ListReviews, o.reviews, unreplayed(newReviewsResponse))),
		o.orPending(operatorWrite("/report/review", o.review)),
		operatorWrite("/report/withdraw", answerNamed(o, request.Call.WithdrawReview, reviews.Withdraw, updatedReport)),
		operatorWrite("/report/escalate", answerNamed(o, request.Call.EscalateReport, reviews.Escalate, updatedReport)),
		operatorRead("/queues", o.readQueues),
		costlyRead("/figures", answerJSON(request.Call.Figures, o.figures, newFiguresResponse)),
		operatorRead("/audit/list", answerNamed(o, request.Call.ListAudit, o.guard.Audit.List, unreplayed(newAuditResponse))),
		getCaller(o.guard),
	}, o.allowlistOperations(), o.accountOperations(), o.keyOperations(), o.removalOperations(), o.listOperations(opts.FetchList), o.pendingOperations(opts.FetchList), o.webhookOperations(opts.TestWebhook))
}

// operatorRead returns an operation that changes nothing, with a bounded reply. A page has at most
// step.MaxPageBytes of text. The limits of proposals, reviews and notes bound a single record.
func operatorRead(path string, handle func(*responseWriter, call) error) operation {
	return operation{
		methods: []string{http.MethodGet, http.MethodHead},
		path:    path,
		scope:   account.ScopeOperatorRead,
		handle:  handle,
	}
}

// withBody returns the operation with a body in place of a query.
func (op operation) withBody() operation {
	op.methods, op.maxBody = []string{http.MethodPost}, maxBody
	return op
}

// costlyRead returns an operation that changes nothing and may take long: it reads many records for its
// reply.
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

// operatorAdmin returns an operation of an administrator, who is responsible for it.
func operatorAdmin(path string, handle func(*responseWriter, call) error) operation {
	op := operatorWrite(path, handle)
	op.scope = account.ScopeOperatorAdmin
	return op
}

// operatorBatch returns an operation on several records that the caller's user is responsible for.
func operatorBatch(path string, handle func(*responseWriter, call) error) operation {
	op := operatorWrite(path, handle)
	op.maxBody, op.maxCheapBody = DefaultMaxBatchBody, maxCheapBatch
	return op
}

// costlyAdmin returns an operation of an administrator that may take long.
func costlyAdmin(path string, handle func(*responseWriter, call) error) operation {
	op := operatorAdmin(path, handle)
	op.costly = true
	return op
}

// costlyWrite returns an operation that the caller's user is responsible for, and that may take
// long.
func costlyWrite(path string, handle func(*responseWriter, call) error) operation {
	op := operatorWrite(path, handle)
	op.costly = true
	return op
}
