package rules

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/lists"
)

// Request is a request of one of the HTTP APIs.
type Request struct {
	// Operation is the path of the operation, relative to the base of its API, such as
	// "/dispute/create". The deprecated listing of reports has the path of its default, and the
	// listing of an allowlist is "GET /organization/assets". Operations on webhooks are unknown here:
	// whether a URL is valid depends on the options of the server. So are those of administrators,
	// on lists and on the audit trail, which few pages need: they would make the WebAssembly 90 kB larger.
	Operation string `json:"operation"`
	// Body is the body of the request, or empty.
	Body string `json:"body"`
	// Query is the query without the question mark, or empty.
	Query string `json:"query"`
	// IdempotencyKey is the value of the header, or empty for none.
	IdempotencyKey string `json:"idempotencyKey"`
	// AccountEmail is the e-mail address of the user who sends the request, or empty for none.
	// A dispute without an address needs it.
	AccountEmail string `json:"accountEmail"`
}

// Validity says whether the server accepts a request as valid. If it does not, Message and
// Issues are those of its response with the status 400.
type Validity struct {
	Valid   bool     `json:"valid"`
	Message string   `json:"message,omitempty"`
	Issues  []string `json:"issues"`
}

// unknownOperation is the answer about an operation that does not exist.
const unknownOperation = "No such operation"

// validate returns what the server refuses about a request, regardless of the caller and of what
// is stored.
func (r Request) validate() Validity {
	decode := r.decoder()
	if decode == nil {
		return Validity{Message: unknownOperation, Issues: []string{}}
	}
	return validity(decode(r.call()))
}

// validity returns the answer for the error of a decoder.
func validity(err error) Validity {
	if err == nil {
		return Validity{Valid: true, Issues: []string{}}
	}
	message, issues, _ := request.Refusal(err)
	return Validity{Message: message, Issues: request.IssueTexts(issues, asset.Issue.String)}
}

// call returns the request as the server gets it from some caller of an organization.
func (r Request) call() request.Call {
	call := request.Call{
		Body:   []byte(r.Body),
		Query:  r.Query,
		Caller: account.Principal{OrganizationID: 1, UserID: 1, Email: r.AccountEmail},
	}
	if r.IdempotencyKey != "" {
		call.IdempotencyKeys = []string{r.IdempotencyKey}
	}
	return call
}

// decoder decodes a call and returns only the error.
type decoder func(request.Call) error

// errorOf returns the decoder for a method of [request.Call].
func errorOf[T any](decode func(request.Call) (T, error)) decoder {
	return func(c request.Call) error {
		_, err := decode(c)
		return err
	}
}

// decoders has the decoder of each operation by its path, except for the exports.
var decoders = map[string]decoder{
	"/asset/changelog":               errorOf(request.Call.Changelog),
	"/asset/check":                   validateCheck,
	"/asset/check/batch":             errorOf(request.Call.CheckBatch),
	"/asset/feed":                    errorOf(request.Call.Feed),
	"/asset/hashes":                  errorOf(request.Call.Hashes),
	"/asset/list":                    errorOf(request.Call.ListAssets),
	"/dispute/create":                errorOf(request.Call.CreateDispute),
	"/organization/assets":           errorOf(request.Call.AddToAllowlist),
	"GET /organization/assets":       errorOf(request.Call.ListAllowlist),
	"/organization/assets/remove":    errorOf(request.Call.RemoveFromAllowlist),
	"/organization/reports":          errorOf(request.Call.ListReports),
	"/public/getOrganizationReports": func(c request.Call) error { _, _, err := c.ListReportsOfSlug(); return err },
	"/asset/changes":                 errorOf(request.Call.ListChangesUnder),
	"/asset/due":                     errorOf(request.Call.ListDueAssets),
	"/asset/explain":                 errorOf(request.Call.ExplainAsset),
	"/asset/history":                 errorOf(request.Call.ListAssetChanges),
	"/asset/preview":                 errorOf(request.Call.PreviewAssetStatus),
	"/asset/setStatus":               errorOf(request.Call.SetAssetStatus),
	"/asset/setStatuses":             func(c request.Call) error { _, _, err := c.SetAssetStatuses(); return err },
	"/asset/undo":                    func(c request.Call) error { _, _, err := c.UndoAssetDecisions(); return err },
	"/asset/withdraw":                errorOf(request.Call.WithdrawAssetDecision),
	"/decision/list":                 errorOf(request.Call.ListDecisions),
	"/dispute/backlog":               errorOf(request.Call.DisputeBacklog),
	"/dispute/list":                  errorOf(request.Call.ListDisputes),
	"/dispute/get":                   errorOf(request.Call.GetDispute), // also that of creators
	"/dispute/startReview":           errorOf(request.Call.AssignDispute),
	"/dispute/release":               errorOf(request.Call.TransitionDispute),
	"/dispute/withdraw":              errorOf(request.Call.TransitionDispute),
	"/dispute/reopen":                errorOf(request.Call.TransitionDispute),
	"/dispute/resolve":               errorOf(request.Call.ResolveDispute),
	"/dispute/addNote":               errorOf(request.Call.AddDisputeNote),
	"/figures":                       errorOf(request.Call.Figures),
	"/queues":                        errorOf(request.Call.Queues),
	"/report/list":                   errorOf(request.Call.ListAllReports),
	"/report/backlog":                errorOf(request.Call.ReportBacklog),
	"/report/get":                    errorOf(request.Call.GetReport),
	"/report/reviews":                errorOf(request.Call.ListReviews),
	"/report/review":                 errorOf(request.Call.ReviewProposal),
	"/report/withdraw":               errorOf(request.Call.WithdrawReview),
	"/report/escalate":               errorOf(request.Call.EscalateReport),
	"/report/create":                 errorOf(request.Call.FileReport),
	"/allowlist/list":                errorOf(request.Call.ListAllowlistOf),
	"/allowlist/clear":               errorOf(request.Call.ClearAllowlist),
	"/organization/get":              errorOf(request.Call.GetOrganization),
	"/pending/list":                  errorOf(request.Call.ListActs),
	"/pending/approve":               errorOf(request.Call.DecideAct),
	"/pending/reject":                errorOf(request.Call.DecideAct),
}

// decoder returns the decoder of the operation, or nil if there is no such operation.
func (r Request) decoder() decoder {
	format, isExport := strings.CutPrefix(r.Operation, "/asset/export/")
	if !isExport {
		return decoders[r.Operation]
	}
	if !slices.Contains(lists.Writable(), lists.Format(format)) {
		return nil
	}
	return errorOf(func(c request.Call) ([]asset.Status, error) { return c.ExportAssets(lists.Format(format)) })
}

// validateCheck also says whether the content is recognized, as the service does.
func validateCheck(c request.Call) error {
	content, err := c.Check()
	if err != nil {
		return err
	}
	_, err = check.Covers(content)
	return check.ContentError(err)
}
