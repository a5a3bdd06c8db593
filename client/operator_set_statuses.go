package client

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

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
	// Decision is what the operators hold on the asset now, and Previous what they held before; see [Operator.Undo].
	// Each is nil for nothing, and in a dry run of SetStatuses.
	Decision, Previous *Decision
	// Err says why the item was refused. It is a [*classify.Error] if the content is not recognized, and otherwise an
	// [*ItemError]. The other fields but Content are then zero.
	Err error
}

// Changed reports whether the item changes the status of its asset.
func (r StatusResult) Changed() bool { return r.Err == nil && r.From != r.Asset.Status }

// ItemError says why an item was refused whose content is recognized. It matches [ErrInvalid], and
// [asset.ErrProtected], [asset.ErrPending], [asset.ErrContradiction] or [asset.ErrChanged] if that is the reason.
type ItemError struct {
	Message string
	// Act is what the item waits for if another operator must approve it. It has all such items of the request.
	Act *Act
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
	case asset.ErrPending:
		return e.Act != nil
	case asset.ErrChanged:
		return e.Message == changedMessage
	case asset.ErrContradiction:
		return e.Message == "Contradicts an earlier status of the same asset"
	default:
		return false
	}
}

type statusesSet struct {
	Results []struct {
		Content   string       `json:"content"`
		ID        int64        `json:"id"`
		Type      asset.Type   `json:"type"`
		Canonical string       `json:"canonical"`
		From      asset.Status `json:"from"`
		Status    asset.Status `json:"status"`
		Decision  *Decision    `json:"decision"`
		Previous  *Decision    `json:"previous"`
		Error     string       `json:"error"`
		// Pending is the ID of the act that the item waits for. It is null in a dry run.
		Pending int64           `json:"pending"`
		Reason  classify.Reason `json:"reason"`
	} `json:"results"`
	Changed   int  `json:"changed"`
	Unchanged int  `json:"unchanged"`
	Refused   int  `json:"refused"`
	DryRun    bool `json:"dryRun"`
	Pending   *Act `json:"pending"`

	// contents and dryRun are those of the request.
	contents []string
	dryRun   bool
}

func (s *statusesSet) validate() error {
	if err := validateResults(len(s.Results), len(s.contents)); err != nil {
		return err
	}
	if s.DryRun != s.dryRun {
		return responseError("a dry run was asked for, or was not, and the response says the opposite")
	}
	if s.Pending != nil {
		if err := validateAct(*s.Pending); err != nil {
			return err
		}
	}
	for _, result := range s.Results {
		if act := s.actOf(result.Error); act != nil && act.ID != result.Pending {
			return responseError("an item waits for another act")
		}
	}
	results := s.values()
	var changed, refused int
	for i, result := range results {
		switch {
		case result.Content != utf8Text(s.contents[i]):
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
		if err := errors.Join(validateAsset(result.Asset), validateDecision(result.Decision), validateDecision(result.Previous)); err != nil {
			return err
		}
	}
	if changed != s.Changed || refused != s.Refused || len(results)-changed-refused != s.Unchanged {
		return responseError("the counts are not those of the results")
	}
	return nil
}

// actOf returns the act that the items with an error wait for, or nil.
func (s *statusesSet) actOf(text string) *Act {
	if text != pendingMessage {
		return nil
	}
	return s.Pending
}

func (s *statusesSet) values() []StatusResult {
	results := make([]StatusResult, len(s.Results))
	for i, r := range s.Results {
		results[i].Content = r.Content
		switch {
		case r.Reason != "":
			results[i].Err = &classify.Error{Reason: r.Reason}
		case r.Error != "":
			results[i].Err = &ItemError{r.Error, s.actOf(r.Error)}
		default:
			results[i].Asset = asset.Asset{ID: r.ID, Identity: asset.Identity{Type: r.Type, Canonical: r.Canonical}, Status: r.Status}
			results[i].From, results[i].Decision, results[i].Previous = r.From, r.Decision, r.Previous
		}
	}
	return results
}

// SetStatuses sets the statuses of several assets in one step, and returns the results of the items, in their order. An
// item that is refused does not affect the others. A request that is repeated changes nothing, so none needs an
// idempotency key, but its results then say what the first one has made.
func (o *Operator) SetStatuses(ctx context.Context, req SetStatusesRequest) ([]StatusResult, error) {
	contents := mapped(req.Items, func(item StatusItem) string { return item.Content })
	return o.setStatuses(ctx, "/asset/setStatuses", req, contents, req.DryRun)
}

// setStatuses sends a request with an item for each content.
func (o *Operator) setStatuses(ctx context.Context, path string, body any, contents []string, dryRun bool) ([]StatusResult, error) {
	call, err := writeOnce(path, body)
	if err != nil {
		return nil, err
	}
	answer, err := fetch(ctx, o.sender, call, func(*response) statusesSet { return statusesSet{contents: contents, dryRun: dryRun} })
	if err != nil {
		return nil, err
	}
	return answer.values(), nil
}
