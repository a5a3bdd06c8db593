package httpapi

import (
	"net/http"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

// NewOperator returns the API for operators: disputes, reports and assets with the data of all
// organizations, and their names. It is separate from the API of [New]. Mount it at a base of
// its own, and only where operators can reach it. Both have the same checks, limits and errors.
// The specification does not define it; GET /openapi.json describes it.
//
// Callers need [account.ScopeOperatorRead] to read and [account.ScopeOperatorWrite] to write.
// A caller who writes must have a user, who becomes the actor of the change.
//
// NewOperator ignores Options.MaxBatchBody and Options.DeprecatedReportsPath. It returns an
// error that matches [ErrOptions] in the same cases as New.
func NewOperator(guard *apguard.Guard, authenticator Authenticator, opts Options) (*API, error) {
	opts = opts.withDefaults()
	opts.MaxBatchBody, opts.DeprecatedReportsPath = maxBody, DefaultDeprecatedReportsPath
	return newAPI(guard, operator{guard}.operations(), newOperatorDocument(opts), authenticator, opts)
}

// operator has the operations for operators.
type operator struct {
	guard *apguard.Guard
}

func (o operator) operations() []operation {
	return []operation{
		operatorRead("/asset/explain", o.explainAsset),
		operatorRead("/asset/history", o.listAssetChanges),
		operatorWrite("/asset/setStatus", o.setAssetStatus),
		operatorRead("/dispute/list", o.listDisputes),
		costlyRead("/dispute/get", o.getDispute),
		operatorWrite("/dispute/startReview", o.startDisputeReview),
		operatorWrite("/dispute/release", o.releaseDispute),
		operatorWrite("/dispute/resolve", o.resolveDispute),
		operatorWrite("/dispute/withdraw", o.withdrawDispute),
		operatorWrite("/dispute/reopen", o.reopenDispute),
		operatorWrite("/dispute/addNote", o.addDisputeNote),
		costlyRead("/report/list", o.listReports),
		costlyRead("/report/get", o.getReport),
		costlyRead("/report/reviews", o.listReviews),
		operatorWrite("/report/review", o.reviewProposal),
		operatorWrite("/report/withdraw", o.withdrawReview),
		operatorWrite("/report/escalate", o.escalateReport),
		operatorRead("/organization/get", o.getOrganization),
	}
}

// operatorRead returns an operation that changes nothing.
func operatorRead(path string, handle func(*responseWriter, call) error) operation {
	return operation{
		methods:   []string{http.MethodGet, http.MethodHead},
		path:      path,
		scope:     account.ScopeOperatorRead,
		noAccess:  http.StatusForbidden,
		errorBody: standardBody,
		handle:    handle,
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
		methods:   []string{http.MethodPost},
		path:      path,
		scope:     account.ScopeOperatorWrite,
		user:      true,
		noAccess:  http.StatusForbidden,
		maxBody:   maxBody,
		errorBody: standardBody,
		handle:    handle,
	}
}
