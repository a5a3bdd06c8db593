package dispute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// noteViaAPI marks a dispute that came in through the HTTP API.
const noteViaAPI = "This dispute was created through the API."

// Options are the optional parts of a [Service]. The zero value works.
type Options struct {
	// ExternalLists are asked in this order whether they block a disputed asset.
	ExternalLists []ExternalList
	// Clock tells the time at which a dispute is created, moved or noted on. Nil means
	// time.Now.
	Clock func() time.Time
}

// Service takes disputes, and lists, moves and notes on them. It is safe for
// concurrent use when its store is.
type Service struct {
	store Store
	lists []ExternalList
	clock func() time.Time
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, lists: slices.Clone(opts.ExternalLists), clock: opts.Clock}
}

// Create takes a dispute. An asset of any status may be disputed. One that only
// an external list knows is registered as UNKNOWN.
//
// The error is an [*asset.InputError] when the request is wrong, which includes
// having no e-mail address at all; [asset.ErrNotFound] when the content is no
// asset that the service or a list knows; or [ErrExists].
func (s *Service) Create(ctx context.Context, req CreateRequest) (Created, error) {
	if err := req.Validate(); err != nil {
		return Created{}, err
	}
	email := req.contact()
	result, err := classify.Classify(req.Content)
	if err != nil {
		return Created{}, fmt.Errorf("%w: %w", asset.ErrNotFound, err)
	}
	opinion, blocked, listErr := blockedBy(ctx, s.lists, result.Identity)
	draft := CreateCommand{
		Identity:    result.Identity,
		Content:     strings.TrimSpace(req.Content),
		Register:    blocked,
		Email:       email,
		EmailKey:    EmailKey(email),
		Description: req.Description,
		At:          asset.TruncateTime(s.clock()),
	}
	if req.ViaAPI {
		draft.Notes = append(draft.Notes, noteViaAPI)
	}
	if blocked {
		draft.NoteUnlessBlocked = externalOnly(opinion.List)
	}
	dispute, err := s.store.CreateDispute(ctx, draft)
	if err != nil {
		return Created{ListErr: listErr}, err
	}
	return Created{Dispute: dispute, Message: draft.message(dispute), ListErr: listErr}, nil
}

// Get returns the dispute with that ID, or [ErrNotFound].
func (s *Service) Get(ctx context.Context, id int64) (Dispute, error) {
	return s.store.DisputeByID(ctx, id)
}

// contact returns the address to take: the request's own, else the account's. An
// account's address that is none does not count, as it is not the caller's doing.
func (req CreateRequest) contact() string {
	email := strings.TrimSpace(req.Email)
	account := strings.TrimSpace(req.AccountEmail)
	if email == "" && validEmail(account) {
		return account
	}
	return email
}

// Validate returns an [*asset.InputError] that names every wrong field. It says
// nothing of whether there is such an asset.
func (req CreateRequest) Validate() error {
	var issues asset.Issues
	email := req.contact()
	issues.Check(strings.TrimSpace(req.Content) != "", "content", "is required")
	issues.CheckText("content", req.Content)
	if email == "" {
		issues.Add("email", "is required, as the account has no e-mail address")
	} else {
		issues.Check(validEmail(email), "email", "must be an e-mail address")
	}
	issues.CheckText("description", req.Description)
	return issues.Err()
}

// externalOnly is the note on an asset that only the named list blocks. The name may
// be empty.
func externalOnly(list string) string {
	if list == "" {
		return "This asset is not blocked here. It is blocked in an external list."
	}
	return fmt.Sprintf("This asset is not blocked here. It is blocked in the external list %s.", list)
}

// message returns what to tell the person who disputes: the note on the external
// list, if the store found it to be true.
func (d CreateCommand) message(created Dispute) string {
	last := len(created.Notes) - 1
	if d.NoteUnlessBlocked == "" || last < 0 || created.Notes[last].Text != d.NoteUnlessBlocked {
		return ""
	}
	return d.NoteUnlessBlocked
}
