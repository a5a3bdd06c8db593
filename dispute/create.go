package dispute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/step"
)

// MaxDescription is the maximum length of a dispute's description in bytes.
const MaxDescription = 10_000

// CreateRequest is the request of [Service.Create].
type CreateRequest struct {
	// Content names the asset, in any spelling that is recognized.
	Content string
	// Email is the contact address. If it is blank, AccountEmail is used.
	Email string
	// AccountEmail is the address of the caller's user account. It may be blank. An
	// invalid one is ignored.
	AccountEmail string
	// Description may be empty. It has at most [MaxDescription] bytes.
	Description string
	// ViaAPI adds a system note that the dispute was created through the HTTP API.
	ViaAPI bool
	// OrganizationID and Actor are the caller and the caller's user, or 0 if unknown. They
	// own the key, and may read the dispute; see [Service.Get].
	OrganizationID int64
	Actor          int64
	// Idempotency is the key with which the request can be sent again; see package
	// idempotency. The zero key is none.
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil. It does
// not look up the asset.
func (req CreateRequest) Validate() error {
	var issues asset.Issues
	email := req.contact()
	issues.Check(strings.TrimSpace(req.Content) != "", "content", "is required")
	issues.CheckText("content", req.Content)
	if email == "" {
		issues.Add("email", "is required, as the account has no e-mail address")
	} else {
		issues.Check(account.ValidEmail(email), "email", "must be an e-mail address")
	}
	issues.CheckTextLength("description", req.Description, MaxDescription)
	issues.CheckOptionalID("organizationId", req.OrganizationID)
	issues.CheckUser("actor", req.Actor)
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

// contact returns the contact address: Email, else a valid AccountEmail.
func (req CreateRequest) contact() string {
	email := strings.TrimSpace(req.Email)
	if own := strings.TrimSpace(req.AccountEmail); email == "" && account.ValidEmail(own) {
		return own
	}
	return email
}

// Created is the result of [Service.Create].
type Created struct {
	Dispute Dispute
	// Message tells the caller that only an external list blocks the asset. It is empty
	// otherwise.
	Message string
	// ListsFailed has the external lists that did not answer. Such a failure does not prevent
	// the dispute. It may also be set when Create returns an error.
	ListsFailed check.ListFailures
	// Replayed reports whether the request was executed before, with the same key. The
	// dispute and the message are as the first time.
	Replayed bool
}

// Create creates a dispute. The asset may have any status. If the asset does not exist
// but an external list blocks it, it is first registered as UNKNOWN.
//
// If the request is a retry of one that succeeded with the same key, Create stores nothing. It
// returns the dispute as it was created, even if it has changed since.
//
// The error is an [*asset.InputError] if the request is invalid, or [ErrExists] if the
// e-mail address already has a dispute of the asset. It is [asset.ErrNotFound] if the
// content is not recognized, or if the asset does not exist and no external list blocks
// it. It is [idempotency.ErrReused] if the key was used for another request, or
// [idempotency.ErrInProgress].
func (s *Service) Create(ctx context.Context, req CreateRequest) (Created, error) {
	if err := req.Validate(); err != nil {
		return Created{}, err
	}
	result, err := classify.Classify(req.Content)
	if err != nil {
		return Created{}, fmt.Errorf("%w: %w", asset.ErrNotFound, err)
	}
	email, at := req.contact(), s.clock()
	cmd := CreateCommand{
		Identity:       result.Identity,
		Content:        result.Content,
		Email:          email,
		EmailKey:       account.EmailKey(email),
		Description:    req.Description,
		OrganizationID: req.OrganizationID,
		CreatedBy:      req.Actor,
		At:             at,
		Claim:          req.Idempotency.Claim("dispute.create", req.OrganizationID, req.Actor, at, req.fields),
	}
	verdicts, failed := s.lists.Verdicts(ctx, result.Identity)
	cmd.Notes, cmd.Register = systemNotes(req.ViaAPI, verdicts)
	created, err := s.store.CreateDispute(ctx, cmd)
	var replay *idempotency.ReplayError
	replayed := errors.As(err, &replay)
	if replayed {
		created, err = cmd.replay(replay.Answer)
	}
	if err != nil {
		return Created{ListsFailed: failed}, err
	}
	return Created{Dispute: created, Message: externalListMessage(created.Notes), ListsFailed: failed, Replayed: replayed}, nil
}

// CreateCommand creates a dispute.
type CreateCommand struct {
	Identity asset.Identity
	Content  string
	// Register makes the store register an asset that does not exist, as UNKNOWN.
	Register bool
	Email    string
	// EmailKey is the form in which addresses are compared; see [account.EmailKey].
	EmailKey    string
	Description string
	// OrganizationID and CreatedBy are 0 if unknown.
	OrganizationID int64
	CreatedBy      int64
	// Notes are the system notes. Apply sets their time, and omits those of kind
	// EXTERNAL_LIST if the asset is BLOCKED.
	Notes []Note
	At    time.Time
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
}

// Apply returns the new dispute of the asset, with the given ID.
func (cmd CreateCommand) Apply(id int64, disputed asset.Asset) Dispute {
	at := step.TruncateTime(cmd.At)
	return Dispute{
		ID:             id,
		AssetID:        disputed.ID,
		Content:        cmd.Content,
		Email:          cmd.Email,
		Description:    cmd.Description,
		OrganizationID: cmd.OrganizationID,
		CreatedBy:      cmd.CreatedBy,
		State:          StateOpen,
		Notes:          cmd.notesOf(disputed, at),
		CreatedAt:      at,
		UpdatedAt:      at,
	}
}
