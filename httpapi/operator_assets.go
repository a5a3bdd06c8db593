package httpapi

import (
	"context"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/request"
)

type explanationResponse struct {
	Asset explainedAsset `json:"asset"`
	// Match is null if no other asset decides.
	Match     *matchResponse         `json:"match"`
	Decisions []heldDecisionResponse `json:"decisions"`
	// Change is null if no change explains the status.
	Change  *assetChange  `json:"change"`
	Dissent []listOpinion `json:"dissent"`
	// ListsFailed has the names of the external lists that did not answer.
	ListsFailed []string `json:"listsFailed"`
	exceptionsResponse
	AllowedBy allowedByResponse `json:"allowedBy"`
	Disputes  disputesResponse  `json:"disputes"`
}

// exceptionsResponse has the assets that stay ALLOWED below a BLOCKED asset.
type exceptionsResponse struct {
	Exceptions     []assetResponse `json:"exceptions"`
	MoreExceptions bool            `json:"moreExceptions"`
}

type statusSetResponse struct {
	assetResponse
	decisionsResponse
	exceptionsResponse
}

type statusesSetResponse struct {
	// Results has a statusItemResponse or a refusedItem for each item.
	Results   []any `json:"results"`
	Changed   int   `json:"changed"`
	Unchanged int   `json:"unchanged"`
	Refused   int   `json:"refused"`
	DryRun    bool  `json:"dryRun"`
	// Pending is the act that protected assets among the items wait for, or null.
	Pending *actResponse `json:"pending"`
}

type statusItemResponse struct {
	Content string `json:"content"`
	// ID is null in a dry run for an asset that does not exist.
	ID        *int64       `json:"id"`
	Type      asset.Type   `json:"type"`
	Canonical string       `json:"canonical"`
	From      asset.Status `json:"from"`
	Status    asset.Status `json:"status"`
	// Both decisions are null in a dry run of setStatuses.
	decisionsResponse
}

type refusedItem struct {
	Content string `json:"content"`
	Error   string `json:"error"`
	// Reason is null if the content is recognized.
	Reason *classify.Reason `json:"reason"`
	// Pending is the ID of the act that the item waits for, or null. It is null in a dry run, too.
	Pending *int64 `json:"pending"`
}

type withdrawnResponse struct {
	assetResponse
	decisionsResponse
}

// decisionsResponse has what the operators hold on an asset and what they held before. Each is null for
// nothing.
type decisionsResponse struct {
	Decision *decisionResponse `json:"decision"`
	Previous *decisionResponse `json:"previous"`
}

// decisionResponse is a decision on an asset with its origin, which only operators see.
type decisionResponse struct {
	Status    asset.Status `json:"status"`
	Reason    *string      `json:"reason"`
	Note      *string      `json:"note"`
	Reference *string      `json:"reference"`
	Actor     *namedUser   `json:"actor"`
	Since     string       `json:"since"`
	// ExpiresAt and ReviewAt are null for never.
	ExpiresAt *string `json:"expiresAt"`
	ReviewAt  *string `json:"reviewAt"`
}

type dueAssetsResponse struct {
	Assets     []dueAsset `json:"assets"`
	NextCursor *string    `json:"nextCursor"`
}

// dueAsset is an asset with a decision of the operators that is due for review.
type dueAsset struct {
	assetResponse
	Decision *decisionResponse `json:"decision"`
}

type heldDecisionResponse struct {
	Source decisionSource `json:"source"`
	decisionResponse
	Counts bool `json:"counts"`
}

// decisionSource is who decided. The organization and the name of the list are null for another kind.
type decisionSource struct {
	Kind         asset.Source       `json:"kind"`
	Organization *namedOrganization `json:"organization"`
	List         *string            `json:"list"`
}

// statusSet is the result of setStatus.
type statusSet struct {
	asset.Updated
	exceptions apguard.Exceptions
}

type explainedAsset struct {
	// ID is null if the asset does not exist.
	ID      *int64       `json:"id"`
	Type    asset.Type   `json:"type"`
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
}

type allowedByResponse struct {
	Organizations []allowingOrganization `json:"organizations"`
	// More is true if there are more organizations.
	More bool `json:"more"`
}

type allowingOrganization struct {
	namedOrganization
	AddedAt string `json:"addedAt"`
}

type assetChangesResponse struct {
	Changes    []assetChange `json:"changes"`
	NextCursor *string       `json:"nextCursor"`
}

// assetChange is a change with its origin, which only operators see.
type assetChange struct {
	ID         int64        `json:"id"`
	FromStatus asset.Status `json:"fromStatus"`
	ToStatus   asset.Status `json:"toStatus"`
	UpdatedAt  string       `json:"updatedAt"`
	Cause      asset.Cause  `json:"cause"`
	Actor      *namedUser   `json:"actor"`
	Reference  *string      `json:"reference"`
}

type changesUnderResponse struct {
	namedChangesResponse
	Partial bool `json:"partial"`
}

// namedChangesResponse has changes of many assets.
type namedChangesResponse struct {
	Changes    []namedChange `json:"changes"`
	NextCursor *string       `json:"nextCursor"`
}

// namedChange is a change with its asset.
type namedChange struct {
	assetChange
	AssetID int64      `json:"assetId"`
	Type    asset.Type `json:"type"`
	Content string     `json:"content"`
}

func (o operator) changesUnder(ctx context.Context, under request.Under) (apguard.ChangesUnder, error) {
	return o.guard.ChangesUnder(ctx, apguard.UnderRequest(under))
}

// explainAsset answers why a check of a content answers as it does.
func (o operator) explainAsset(w *responseWriter, c call) error {
	content, err := c.request().ExplainAsset()
	if err != nil {
		return err
	}
	explanation, err := o.guard.Explain(c.Context(), content)
	if err != nil {
		return err
	}
	recordListsFailed(w, explanation.ListsFailed)
	response := newExplanationResponse(explanation)
	o.setNames(w, c, response)
	return w.writeJSON(response)
}

// setStatus sets the status of an asset. It looks for exceptions first, so that nothing is stored
// if that fails.
func (o operator) setStatus(ctx context.Context, req asset.SetStatusRequest) (set statusSet, err error) {
	if req.Status == asset.StatusBlocked {
		if set.exceptions, err = o.guard.Exceptions(ctx, req.Identity); err != nil {
			return statusSet{}, err
		}
	}
	set.Updated, err = o.guard.Assets.SetStatus(ctx, req)
	return set, err
}

func updatedStatus(set statusSet) (statusSetResponse, bool) {
	response := statusSetResponse{newAssetResponse(set.Asset), newDecisionsResponse(set.Updated), newExceptionsResponse(set.exceptions)}
	return response, set.Replayed
}

// setStatuses sets the statuses of several assets.
func (o operator) setStatuses(w *responseWriter, c call) error {
	req, contents, err := c.request().SetAssetStatuses()
	if err != nil {
		return err
	}
	results, err := o.guard.Assets.SetStatuses(c.Context(), req)
	return o.answerStatuses(w, c, contents, results, req.DryRun, err)
}

// undo undoes acts on several assets.
func (o operator) undo(w *responseWriter, c call) error {
	req, contents, err := c.request().UndoAssetDecisions()
	if err != nil {
		return err
	}
	results, err := o.guard.Assets.Undo(c.Context(), req)
	return o.answerStatuses(w, c, contents, results, req.DryRun, err)
}

// answerStatuses writes the results of the items with the contents, or returns the error.
func (o operator) answerStatuses(w *responseWriter, c call, contents []string, results []asset.StatusResult, dryRun bool, err error) error {
	if err != nil {
		return err
	}
	response, err := newStatusesSetResponse(contents, results)
	if err != nil {
		return err
	}
	response.DryRun = dryRun
	o.setNames(w, c, response)
	return w.writeJSON(response)
}

// newStatusesSetResponse returns the response body. It fails if a result has an unknown error.
func newStatusesSetResponse(contents []string, results []asset.StatusResult) (statusesSetResponse, error) {
	response := statusesSetResponse{Results: make([]any, len(results))}
	for i, result := range results {
		content := request.ReadableContent(contents[i])
		message, err := request.ItemMessage(result.Err)
		act := heldAct(result.Err)
		if act != nil {
			response.Pending = act
		}
		switch {
		case err != nil:
			return statusesSetResponse{}, err
		case result.Err != nil:
			response.Results[i] = refusedItem{content, message, known(reasonOf(result.Err)), act.id()}
			response.Refused++
			continue
		case result.Changed():
			response.Changed++
		default:
			response.Unchanged++
		}
		response.Results[i] = statusItemResponse{
			Content:   content,
			ID:        known(result.Asset.ID),
			Type:      result.Asset.Type,
			Canonical: result.Asset.Canonical,
			From:      result.From,
			Status:    result.Asset.Status,

			decisionsResponse: decisionsResponse{newDecisionResponse(result.Decision), newDecisionResponse(result.Previous)},
		}
	}
	return response, nil
}

func (r statusesSetResponse) addTo(n *names) {
	if r.Pending != nil {
		r.Pending.addTo(n)
	}
	for _, result := range r.Results {
		if item, done := result.(statusItemResponse); done {
			item.addTo(n)
		}
	}
}

func withdrawnDecision(updated asset.Updated) (withdrawnResponse, bool) {
	return withdrawnResponse{newAssetResponse(updated.Asset), newDecisionsResponse(updated)}, updated.Replayed
}

func newDecisionsResponse(updated asset.Updated) decisionsResponse {
	return decisionsResponse{newDecisionResponse(updated.Decision), newDecisionResponse(updated.Previous)}
}

func newDecisionResponse(d *asset.Decision) *decisionResponse {
	if d == nil {
		return nil
	}
	return &decisionResponse{
		Status:    d.Status,
		Reason:    known(string(d.Reason)),
		Note:      known(d.Note),
		Reference: known(d.Origin.Reference),
		Actor:     newNamedUser(d.Origin.Actor),
		Since:     timestamp(d.Since),
		ExpiresAt: knownTime(d.ExpiresAt),
		ReviewAt:  knownTime(d.ReviewAt),
	}
}

func newHeldDecision(d apguard.HeldDecision) heldDecisionResponse {
	source := decisionSource{Kind: d.Source, Organization: newNamedOrganization(d.OrganizationID), List: known(d.List)}
	return heldDecisionResponse{source, *newDecisionResponse(&d.Decision), d.Counts}
}

func (r decisionsResponse) addTo(n *names) {
	for _, decision := range []*decisionResponse{r.Decision, r.Previous} {
		if decision != nil {
			n.addUsers(decision.Actor)
		}
	}
}

func newDueAssetsResponse(page asset.DuePage) dueAssetsResponse {
	return dueAssetsResponse{
		Assets: mapped(page.Due, func(due asset.Due) dueAsset {
			return dueAsset{newAssetResponse(due.Asset), newDecisionResponse(&due.Decision)}
		}),
		NextCursor: known(request.TimeCursor(page.NextCursor).String()),
	}
}

func (r dueAssetsResponse) addTo(n *names) {
	for _, due := range r.Assets {
		n.addUsers(due.Decision.Actor)
	}
}

func newExceptionsResponse(e apguard.Exceptions) exceptionsResponse {
	return exceptionsResponse{mapped(e.Assets, newAssetResponse), e.More}
}

func newAssetChangesResponse(page asset.ChangePage) assetChangesResponse {
	return assetChangesResponse{
		Changes:    mapped(page.Changes, newAssetChange),
		NextCursor: known(request.TimeCursor(page.NextCursor).String()),
	}
}

func newChangesUnder(under apguard.ChangesUnder) changesUnderResponse {
	return changesUnderResponse{newNamedChanges(under.ChangePage), under.Partial}
}

func newNamedChanges(page asset.ChangePage) namedChangesResponse {
	return namedChangesResponse{
		Changes:    mapped(page.Changes, newNamedChange),
		NextCursor: known(request.TimeCursor(page.NextCursor).String()),
	}
}

func newNamedChange(change asset.Change) namedChange {
	return namedChange{newAssetChange(change), change.AssetID, change.Type, change.Content}
}

func (r namedChangesResponse) addTo(n *names) {
	for _, change := range r.Changes {
		n.addUsers(change.Actor)
	}
}

func (r assetChangesResponse) addTo(n *names) {
	for _, change := range r.Changes {
		n.addUsers(change.Actor)
	}
}

func (r explanationResponse) addTo(n *names) {
	r.Disputes.addTo(n)
	if r.Change != nil {
		n.addUsers(r.Change.Actor)
	}
	for _, decision := range r.Decisions {
		n.addUsers(decision.Actor)
		n.addOrganizations(decision.Source.Organization)
	}
	for i := range r.AllowedBy.Organizations {
		n.addOrganizations(&r.AllowedBy.Organizations[i].namedOrganization)
	}
}

func newExplanationResponse(e apguard.Explanation) explanationResponse {
	response := explanationResponse{
		Asset:   newExplainedAsset(e.Asset),
		Match:   newMatchResponse(e.Match),
		Dissent: mapped(e.Dissent, newListOpinion),

		Decisions:          mapped(e.Decisions, newHeldDecision),
		ListsFailed:        e.ListsFailed.Names(),
		exceptionsResponse: newExceptionsResponse(e.Exceptions),
		AllowedBy: allowedByResponse{
			Organizations: mapped(e.AllowedBy.Organizations, newAllowingOrganization),
			More:          e.AllowedBy.NextCursor != 0,
		},
		Disputes: newDisputesResponse(e.Disputes),
	}
	if e.Change != nil {
		change := newAssetChange(*e.Change)
		response.Change = &change
	}
	return response
}

func newExplainedAsset(a asset.Asset) explainedAsset {
	return explainedAsset{known(a.ID), a.Type, a.Canonical, a.Status}
}

func newAllowingOrganization(o allowlist.AllowingOrganization) allowingOrganization {
	return allowingOrganization{namedOrganization{ID: o.OrganizationID}, timestamp(o.AddedAt)}
}

func newAssetChange(change asset.Change) assetChange {
	return assetChange{
		ID:         change.ID,
		FromStatus: change.From,
		ToStatus:   change.To,
		UpdatedAt:  timestamp(change.At),
		Cause:      change.Origin.Cause,
		Actor:      newNamedUser(change.Origin.Actor),
		Reference:  known(change.Origin.Reference),
	}
}
