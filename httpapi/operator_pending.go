package httpapi

import (
	"errors"
	"net/http"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/step"
)

type pendingResponse struct {
	Pending actResponse `json:"pending"`
}

type actsResponse struct {
	Acts       []actResponse `json:"acts"`
	NextCursor *int64        `json:"nextCursor"`
}

type actResponse struct {
	// ID is null in a dry run.
	ID    *int64        `json:"id"`
	Kind  pending.Kind  `json:"kind"`
	State pending.State `json:"state"`
	// Assets are those that the act blocks.
	Assets []actAsset `json:"assets"`
	// Review and List are null for another kind.
	Review    *actReview `json:"review"`
	List      *actList   `json:"list"`
	Reason    *string    `json:"reason"`
	Note      *string    `json:"note"`
	Reference *string    `json:"reference"`
	ReviewAt  *string    `json:"reviewAt"`
	Actor     *namedUser `json:"actor"`
	CreatedAt string     `json:"createdAt"`
	ExpiresAt string     `json:"expiresAt"`
	// DecidedBy, DecidedAt and Comment are null until the act is decided.
	DecidedBy *namedUser `json:"decidedBy"`
	DecidedAt *string    `json:"decidedAt"`
	Comment   *string    `json:"comment"`
}

// actAsset is an asset with its status before the act and after it.
type actAsset struct {
	Type       asset.Type         `json:"type"`
	Content    string             `json:"content"`
	FromStatus asset.Status       `json:"fromStatus"`
	ToStatus   asset.Status       `json:"toStatus"`
	ExpiresAt  *string            `json:"expiresAt"`
	Protection protectionResponse `json:"protection"`
}

type actReview struct {
	ProposalID int64  `json:"proposalId"`
	Comment    string `json:"comment"`
}

type actList struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	Added     int    `json:"added"`
	Withdrawn int    `json:"withdrawn"`
	Kept      int    `json:"kept"`
}

// pendingOperations returns the operations on acts that wait for a second operator.
func (o operator) pendingOperations(fetch fetchList) []operation {
	return []operation{
		operatorRead("/pending/list", answerNamed(o, request.Call.ListActs, o.guard.Pending.List, unreplayed(newActsResponse))),
		costlyWrite("/pending/approve", o.approveAct(fetch)),
		operatorWrite("/pending/reject", answerNamed(o, request.Call.DecideAct, o.guard.Pending.Reject, decidedAct)),
	}
}

// approveAct approves an act. A sync of a list with a URL is approved by fetching its file again.
func (o operator) approveAct(fetch fetchList) func(*responseWriter, call) error {
	return func(w *responseWriter, c call) error {
		req, err := c.request().DecideAct()
		if err != nil {
			return err
		}
		decided, err := o.guard.Pending.Approve(c.Context(), req)
		if errors.Is(err, pending.ErrSyncAgain) && fetch != nil {
			decided.Act, err = o.approveSync(fetch, c, req)
		}
		if err != nil {
			return err
		}
		announceReplay(w.Header(), decided.Replayed)
		response, _ := decidedAct(decided)
		o.setNames(w, c, response)
		return w.writeJSON(response)
	}
}

func (o operator) approveSync(fetch fetchList, c call, req pending.DecideRequest) (pending.Act, error) {
	act, err := o.guard.Pending.Get(c.Context(), req.ID)
	if err != nil {
		return pending.Act{}, err
	}
	c.work.Extend(fetchTime)
	_, err = fetch(c.Context(), lists.SyncRequest{
		Name: act.List.Name, Actor: req.Actor, Approves: lists.Approval{ActID: act.ID, Comment: req.Comment}, Progress: c.work.Resume,
	})
	switch {
	case errors.Is(err, lists.ErrNoURL):
		return pending.Act{}, pending.ErrSyncAgain
	case err != nil:
		return pending.Act{}, fetchError(err)
	}
	return o.guard.Pending.Get(c.Context(), req.ID)
}

// orPending returns the handle of an operation whose request can become a pending act. The response then has the status 202.
func (o operator) orPending(op operation) operation {
	handle := op.handle
	op.handle = func(w *responseWriter, c call) error {
		err := handle(w, c)
		var held *pending.Error
		if !errors.As(err, &held) {
			return err
		}
		response := pendingResponse{newActResponse(held.Act)}
		o.setNames(w, c, response)
		announceReplay(w.Header(), held.Replayed)
		return w.writeJSONWith(http.StatusAccepted, response)
	}
	return op
}

func newActsResponse(page step.Page[pending.Act]) actsResponse {
	response := actsResponse{Acts: mapped(page.Items, newActResponse)}
	if page.More {
		response.NextCursor = known(page.Last().ID)
	}
	return response
}

func decidedAct(d pending.Decided) (pendingResponse, bool) {
	return pendingResponse{newActResponse(d.Act)}, d.Replayed
}

func newActResponse(a pending.Act) actResponse {
	response := actResponse{
		ID:        known(a.ID),
		Kind:      a.Kind,
		State:     a.State,
		Assets:    mapped(a.Assets, newActAsset),
		Reason:    known(string(a.Reason)),
		Note:      known(a.Note),
		Reference: known(a.Origin.Reference),
		ReviewAt:  knownTime(a.ReviewAt),
		Actor:     newNamedUser(a.Actor),
		CreatedAt: timestamp(a.CreatedAt),
		ExpiresAt: timestamp(a.ExpiresAt),
		DecidedBy: newNamedUser(a.DecidedBy),
		DecidedAt: knownTime(a.DecidedAt),
		Comment:   known(a.Comment),
	}
	if r := a.Review; r != nil {
		response.Review = &actReview{r.ProposalID, r.Comment}
	}
	if l := a.List; l != nil {
		response.List = &actList{l.ID, l.Name, l.Added, l.Withdrawn, l.Kept}
	}
	return response
}

// heldAct returns the act that a request became, or nil for another error.
func heldAct(err error) *actResponse {
	var held *pending.Error
	if !errors.As(err, &held) {
		return nil
	}
	act := newActResponse(held.Act)
	return &act
}

// id returns the ID of an act that may be nil.
func (r *actResponse) id() *int64 {
	if r == nil {
		return nil
	}
	return r.ID
}

func newActAsset(a pending.Asset) actAsset {
	return actAsset{
		a.Identity.Type, a.Identity.Canonical, a.Status, asset.StatusBlocked, knownTime(a.ExpiresAt),
		protectionResponse{a.Protection.Reason, a.Protection.By},
	}
}

func (r pendingResponse) addTo(n *names) { r.Pending.addTo(n) }

func (r actResponse) addTo(n *names) { n.addUsers(r.Actor, r.DecidedBy) }

func (r actsResponse) addTo(n *names) {
	for _, act := range r.Acts {
		act.addTo(n)
	}
}
