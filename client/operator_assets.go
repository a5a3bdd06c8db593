package client

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// assetBody is an [asset.Asset] in a response.
type assetBody struct {
	// ID is null for an asset that does not exist.
	ID   int64      `json:"id"`
	Type asset.Type `json:"type"`
	// Content is the canonical form.
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
}

func (b assetBody) value() asset.Asset {
	return asset.Asset{ID: b.ID, Identity: asset.Identity{Type: b.Type, Canonical: b.Content}, Status: b.Status}
}

// validate returns an error unless b is an asset, which may not exist.
func (b assetBody) validate() error { return validateAsset(b.value()) }

// validateAsset returns an error unless a is an asset, which may not exist.
func validateAsset(a asset.Asset) error {
	if a.Type == "" || a.Canonical == "" || !a.Status.Valid() {
		return responseError("an asset is incomplete")
	}
	return nil
}

// Decision is the status that the operators hold on an asset; see [asset.Decision].
type Decision struct {
	Status asset.Status `json:"status"`
	Reason asset.Reason `json:"reason"`
	Note   string       `json:"note"`
	// Reference names the record behind the decision, such as "report/12". It may be empty.
	Reference string `json:"reference"`
	// Actor is who decided. It is zero if that is unknown.
	Actor NamedUser `json:"actor"`
	Since time.Time `json:"since"`
	// ExpiresAt is when the decision ends, and ReviewAt when operators want to look at it again. Each is zero for never.
	ExpiresAt time.Time `json:"expiresAt"`
	ReviewAt  time.Time `json:"reviewAt"`
}

func validateDecision(d *Decision) error {
	if d != nil && (!d.Status.Valid() || d.Since.IsZero()) {
		return responseError("a decision is incomplete")
	}
	return nil
}

// Exceptions are the assets that stay ALLOWED below an asset that is BLOCKED, such as a subdomain.
type Exceptions struct {
	// Assets are the first ones, in the order of their IDs.
	Assets []asset.Asset
	// More reports whether there may be more.
	More bool
}

// exceptionsBody is [Exceptions] in a response.
type exceptionsBody struct {
	Exceptions     []assetBody `json:"exceptions"`
	MoreExceptions bool        `json:"moreExceptions"`
}

func (b exceptionsBody) value() Exceptions {
	return Exceptions{mapped(b.Exceptions, assetBody.value), b.MoreExceptions}
}

func (b exceptionsBody) validate() error { return validateAll(b.Exceptions, assetBody.validate) }

// DueRequest selects decisions that are due for review.
type DueRequest struct {
	// Before selects the decisions whose ReviewAt is not after it. Zero means the present time.
	Before time.Time
	// Limit is the largest number of assets in a page, from 1 to [asset.MaxLimit]. Zero means [asset.DefaultLimit].
	Limit int
}

// DueAsset is an asset with a decision of the operators that is due for review.
type DueAsset struct {
	asset.Asset
	Decision Decision
}

// dueBody is a [DueAsset] in a response.
type dueBody struct {
	assetBody
	Decision Decision `json:"decision"`
}

func (b dueBody) value() DueAsset { return DueAsset{b.assetBody.value(), b.Decision} }

func (b dueBody) validate() error {
	return errors.Join(validateID(b.ID), b.assetBody.validate(), validateDecision(&b.Decision))
}

type duePage struct {
	Assets     []dueBody `json:"assets"`
	NextCursor string    `json:"nextCursor"`
}

func (p *duePage) validate() error {
	return validatePage(p.Assets, dueBody.validate, 0)
}

// Due yields the assets with a decision of the operators that is due for review, earliest first, page by page.
func (o *Operator) Due(ctx context.Context, req DueRequest) iter.Seq2[DueAsset, error] {
	const path = "/asset/due"
	return pages("GET "+path, "", func(cursor string) ([]DueAsset, string, error) {
		query := pageQuery(cursor, req.Limit)
		setTime(query, "before", req.Before)
		page, err := getPage[duePage](ctx, o.sender, path, query)
		return mapped(page.Assets, dueBody.value), page.NextCursor, err
	})
}

// SetStatusRequest makes a status the operators' decision on an asset; see [asset.Service.SetStatus].
type SetStatusRequest struct {
	// Content is the asset, in any spelling.
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
	// Reason and Note say why, for everybody who may see the status.
	Reason asset.Reason `json:"reason,omitzero"`
	Note   string       `json:"note,omitzero"`
	// Reference names the record behind the decision, for operators.
	Reference string `json:"reference,omitzero"`
	// ExpiresAt is when the decision ends, and ReviewAt when operators want to look at it again. Each is in the
	// future, or zero for never.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	ReviewAt  time.Time `json:"reviewAt,omitzero"`
	// ConfirmProtected confirms that a protected asset is to be BLOCKED; see [asset.Protection].
	ConfirmProtected bool `json:"confirmProtected,omitzero"`
	// IfStatus, unless empty, is the status that the caller saw. If the asset has another one, nothing is stored.
	IfStatus asset.Status `json:"ifStatus,omitzero"`
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its own.
	IdempotencyKey string `json:"-"`
}

// UpdatedAsset is an asset after the operators have decided.
type UpdatedAsset struct {
	// Asset is the asset with its new status.
	asset.Asset
	// Decision is what the operators hold on the asset now, and Previous what they held before. Each is nil for
	// nothing. They are equal if nothing was stored.
	Decision, Previous *Decision
	// Exceptions are those that stay ALLOWED below the asset, if it was BLOCKED.
	Exceptions Exceptions
	// Replayed reports whether the request was executed before, with the same key. The decisions are as they were then.
	Replayed bool
}

type updatedAsset struct {
	assetBody
	Decision *Decision `json:"decision"`
	Previous *Decision `json:"previous"`
	exceptionsBody
	replayed bool
}

func (u *updatedAsset) validate() error {
	return errors.Join(
		validateID(u.ID), u.assetBody.validate(), validateDecision(u.Decision), validateDecision(u.Previous), u.exceptionsBody.validate(),
	)
}

// SetStatus makes a status the operators' decision on an asset. The error matches [asset.ErrProtected] if the
// request blocks a protected asset without confirming it, and [asset.ErrChanged] if the asset does not have the status
// IfStatus.
func (o *Operator) SetStatus(ctx context.Context, req SetStatusRequest) (UpdatedAsset, error) {
	return o.updateAsset(ctx, "/asset/setStatus", req.IdempotencyKey, req)
}

// WithdrawRequest takes back what the operators hold on an asset.
type WithdrawRequest struct {
	// Content is the asset, in any spelling.
	Content string `json:"content"`
	// Reference, IfStatus and IdempotencyKey are as in [SetStatusRequest].
	Reference      string       `json:"reference,omitzero"`
	IfStatus       asset.Status `json:"ifStatus,omitzero"`
	IdempotencyKey string       `json:"-"`
}

// Withdraw takes back what the operators hold on an asset. What else is held on it then gives it its status. The error
// matches [asset.ErrNoDecision] if they hold nothing, and [asset.ErrChanged] if the asset does not have the status
// IfStatus.
func (o *Operator) Withdraw(ctx context.Context, req WithdrawRequest) (UpdatedAsset, error) {
	return o.updateAsset(ctx, "/asset/withdraw", req.IdempotencyKey, req)
}

func (o *Operator) updateAsset(ctx context.Context, path, key string, body any) (UpdatedAsset, error) {
	answer, err := update(ctx, o, path, key, body, func(r *response) updatedAsset { return updatedAsset{replayed: isReplay(r)} })
	if err != nil {
		return UpdatedAsset{}, err
	}
	return UpdatedAsset{
		Asset: answer.assetBody.value(), Decision: answer.Decision, Previous: answer.Previous,
		Exceptions: answer.exceptionsBody.value(), Replayed: answer.replayed,
	}, nil
}

// SetStatusesRequest sets the statuses of several assets.
type SetStatusesRequest struct {
	// Items are 1 to [asset.MaxItems] items.
	Items []StatusItem `json:"items"`
	// Reason, Note, Reference and ConfirmProtected are as in [SetStatusRequest].
	Reason           asset.Reason `json:"reason,omitzero"`
	Note             string       `json:"note,omitzero"`
	Reference        string       `json:"reference,omitzero"`
	ConfirmProtected bool         `json:"confirmProtected,omitzero"`
	// DryRun asks for the results without storing anything.
	DryRun bool `json:"dryRun,omitzero"`
}

// StatusItem is an asset and the status that it gets.
type StatusItem struct {
	// Content is the asset, in any spelling.
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
	// ExpiresAt is when the status ends, or zero for never.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// StatusResult is the result of an item.
type StatusResult struct {
	// Content is that of the item.
	Content string
	// Asset is the asset with its new status. In a dry run, its ID is 0 if it does not exist.
	Asset asset.Asset
	// From is the status that the asset had before.
	From asset.Status
	// Previous is what the operators held before, so that the act can be undone. It is nil for nothing, and in a dry
	// run.
	Previous *Decision
	// Err says why the item was refused. It is a [*classify.Error] if the content is not recognized, and otherwise an
	// [*ItemError]. The other fields but Content are then zero.
	Err error
}

// Changed reports whether the item changes the status of its asset.
func (r StatusResult) Changed() bool { return r.Err == nil && r.From != r.Asset.Status }

// ItemError says why an item was refused whose content is recognized. It matches [ErrInvalid], and
// [asset.ErrProtected] or [asset.ErrContradiction] if that is the reason.
type ItemError struct {
	Message string
}

// Error returns the message.
func (e *ItemError) Error() string { return printable(e.Message) }

// Is reports whether the error matches a sentinel error.
func (e *ItemError) Is(target error) bool {
	switch target {
	case ErrInvalid:
		return true
	case asset.ErrProtected:
		return strings.Contains(e.Message, protectedIssue)
	case asset.ErrContradiction:
		return e.Message == "Contradicts an earlier status of the same asset"
	default:
		return false
	}
}

type statusesSet struct {
	Results []struct {
		Content   string          `json:"content"`
		ID        int64           `json:"id"`
		Type      asset.Type      `json:"type"`
		Canonical string          `json:"canonical"`
		From      asset.Status    `json:"from"`
		Status    asset.Status    `json:"status"`
		Previous  *Decision       `json:"previous"`
		Error     string          `json:"error"`
		Reason    classify.Reason `json:"reason"`
	} `json:"results"`
	Changed   int  `json:"changed"`
	Unchanged int  `json:"unchanged"`
	Refused   int  `json:"refused"`
	DryRun    bool `json:"dryRun"`

	request *SetStatusesRequest
}

func (s *statusesSet) validate() error {
	if err := validateResults(len(s.Results), len(s.request.Items)); err != nil {
		return err
	}
	if s.DryRun != s.request.DryRun {
		return responseError("a dry run was asked for, or was not, and the response says the opposite")
	}
	results := s.values()
	var changed, refused int
	for i, result := range results {
		switch {
		case result.Content != utf8Text(s.request.Items[i].Content):
			return responseError("a result is that of another item")
		case result.Err != nil:
			refused++
			continue
		case result.Changed():
			changed++
		}
		if !s.DryRun && !asset.ValidID(result.Asset.ID) || !result.From.Valid() {
			return responseError("a result is incomplete")
		}
		if err := errors.Join(validateAsset(result.Asset), validateDecision(result.Previous)); err != nil {
			return err
		}
	}
	if changed != s.Changed || refused != s.Refused || len(results)-changed-refused != s.Unchanged {
		return responseError("the counts are not those of the results")
	}
	return nil
}

func (s *statusesSet) values() []StatusResult {
	results := make([]StatusResult, len(s.Results))
	for i, r := range s.Results {
		results[i].Content = r.Content
		switch {
		case r.Reason != "":
			results[i].Err = &classify.Error{Reason: r.Reason}
		case r.Error != "":
			results[i].Err = &ItemError{r.Error}
		default:
			results[i].Asset = asset.Asset{ID: r.ID, Identity: asset.Identity{Type: r.Type, Canonical: r.Canonical}, Status: r.Status}
			results[i].From, results[i].Previous = r.From, r.Previous
		}
	}
	return results
}

// SetStatuses sets the statuses of several assets in one step, and returns the results of the items, in their order. An
// item that is refused does not affect the others. A request that is repeated changes nothing, so none needs an
// idempotency key, but its results then say what the first one has made.
func (o *Operator) SetStatuses(ctx context.Context, req SetStatusesRequest) ([]StatusResult, error) {
	call, err := writeOnce("/asset/setStatuses", req)
	if err != nil {
		return nil, err
	}
	answer, err := fetch(ctx, o.sender, call, func(*response) statusesSet { return statusesSet{request: &req} })
	if err != nil {
		return nil, err
	}
	return answer.values(), nil
}

// AssetChange is a change of the status of an asset with its origin, which only operators see.
type AssetChange struct {
	ID   int64        `json:"id"`
	From asset.Status `json:"fromStatus"`
	To   asset.Status `json:"toStatus"`
	At   time.Time    `json:"updatedAt"`
	// Cause is the kind of operation that changed the status.
	Cause asset.Cause `json:"cause"`
	// Actor is zero if it is unknown.
	Actor NamedUser `json:"actor"`
	// Reference names the record behind the change. It may be empty.
	Reference string `json:"reference"`
}

func validateChange(change AssetChange) error {
	if !asset.ValidID(change.ID) || !change.From.Valid() || !change.To.Valid() || change.At.IsZero() || change.Cause == "" {
		return responseError("a change is incomplete")
	}
	return nil
}

// NamedChange is a change with its asset.
type NamedChange struct {
	AssetChange
	AssetID int64      `json:"assetId"`
	Type    asset.Type `json:"type"`
	// Content is the canonical form of the asset.
	Content string `json:"content"`
}

// Identity returns the identity of the changed asset.
func (c NamedChange) Identity() asset.Identity {
	return asset.Identity{Type: c.Type, Canonical: c.Content}
}

func validateNamedChange(change NamedChange) error {
	if !asset.ValidID(change.AssetID) || change.Type == "" || change.Content == "" {
		return responseError("a change is incomplete")
	}
	return validateChange(change.AssetChange)
}

// ErrPartial reports that changes may be missing in a list, because there are too many assets.
var ErrPartial = errors.New("changes may be missing")

// ChangesRequest selects the changes of an asset and of all that it covers.
type ChangesRequest struct {
	// Under is the asset, in any spelling, such as a domain. It need not exist.
	Under string
	// Limit is the largest number of changes in a page, from 1 to [asset.MaxLimit]. Zero means [asset.DefaultLimit].
	Limit int
}

type changesPage struct {
	namedChangesPage
	Partial bool `json:"partial"`
}

// Changes yields the changes of an asset and of all that it covers, such as the URLs and the subdomains of a domain,
// newest first, page by page. If the server did not look at all of these assets, an error that matches [ErrPartial]
// comes after the last change.
func (o *Operator) Changes(ctx context.Context, req ChangesRequest) iter.Seq2[NamedChange, error] {
	const path = "/asset/changes"
	return func(yield func(NamedChange, error) bool) {
		partial := false
		for change, err := range pages("GET "+path, "", func(cursor string) ([]NamedChange, string, error) {
			query := pageQuery(cursor, req.Limit)
			setText(query, "under", req.Under)
			page, err := getPage[changesPage](ctx, o.sender, path, query)
			partial = partial || page.Partial
			return page.Changes, page.NextCursor, err
		}) {
			if !yield(change, err) || err != nil {
				return
			}
		}
		if partial {
			yield(NamedChange{}, &Error{Operation: "GET " + path, Err: ErrPartial})
		}
	}
}

// HistoryRequest selects the changes of one asset.
type HistoryRequest struct {
	// Content is the asset, in any spelling.
	Content string
	// Limit is as in [ChangesRequest].
	Limit int
}

type historyPage struct {
	Changes    []AssetChange `json:"changes"`
	NextCursor string        `json:"nextCursor"`
}

func (p *historyPage) validate() error { return validatePage(p.Changes, validateChange, 0) }

// History yields the changes of one asset, newest first, page by page.
func (o *Operator) History(ctx context.Context, req HistoryRequest) iter.Seq2[AssetChange, error] {
	const path = "/asset/history"
	return pages("GET "+path, "", func(cursor string) ([]AssetChange, string, error) {
		query := pageQuery(cursor, req.Limit)
		setText(query, "content", req.Content)
		page, err := getPage[historyPage](ctx, o.sender, path, query)
		return page.Changes, page.NextCursor, err
	})
}

// DecisionsRequest selects the changes that a user has decided.
type DecisionsRequest struct {
	UserID int64
	// Limit is as in [ChangesRequest].
	Limit int
}

type namedChangesPage struct {
	Changes    []NamedChange `json:"changes"`
	NextCursor string        `json:"nextCursor"`
}

func (p *namedChangesPage) validate() error { return validatePage(p.Changes, validateNamedChange, 0) }

// Decisions yields the changes that a user has decided, newest first, page by page: statuses set or taken back,
// disputes accepted, and reviews. Decisions that left a status as it was are not among them.
func (o *Operator) Decisions(ctx context.Context, req DecisionsRequest) iter.Seq2[NamedChange, error] {
	const path = "/decision/list"
	return pages("GET "+path, "", func(cursor string) ([]NamedChange, string, error) {
		query := pageQuery(cursor, req.Limit)
		setNumber(query, "userId", req.UserID)
		page, err := getPage[namedChangesPage](ctx, o.sender, path, query)
		return page.Changes, page.NextCursor, err
	})
}

// contentQuery returns a query with an asset in any spelling.
func contentQuery(content string) url.Values {
	query := make(url.Values)
	setText(query, "content", content)
	return query
}
