package lists

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
)

// Brake holds back what a second operator must approve. Package pending has it. It must be safe for concurrent use.
type Brake interface {
	// HoldSync makes a sync a pending act, and returns the error that has the act. If such an act of another
	// operator is pending, the sync approves it: HoldSync returns the ID of that operator, and the sync goes on. The
	// error is an [*asset.InputError] if the sync has no actor.
	HoldSync(ctx context.Context, sync HeldSync) (actor int64, err error)
	// HoldRemoval makes the removal of a list with so many entries a pending act, and returns the error that has
	// the act. The error is an [*asset.InputError] if the actor is 0.
	HoldRemoval(ctx context.Context, list List, entries, actor int64) error
}

// HeldSync is a sync that a second operator must approve.
type HeldSync struct {
	List   List
	Result SyncResult
	// Digest is that of the entries of the file that the list can hold, in their order. Other parts of the file do
	// not count.
	Digest string
	// Actor is the operator, and Approves as in [SyncRequest].
	Actor    int64
	Approves Approval
}

// Approval is the approval of a pending act of another operator; see package pending.
type Approval struct {
	ActID int64
	// Comment may be empty.
	Comment string
}

// hold returns the error of a sync that the brakes have stopped, unless it is confirmed and, with a [Brake], approved.
func (s *listSync) hold(ctx context.Context, stopped error) error {
	approves := s.req.Approves.ActID != 0
	switch {
	case !approves && (stopped == nil || !s.req.Confirm):
		return stopped
	case approves && s.service.brake == nil:
		return ErrUnconfirmed
	case s.service.brake == nil, s.req.DryRun:
		return nil
	}
	actor, err := s.service.brake.HoldSync(ctx, HeldSync{
		List: s.list, Result: s.result, Digest: hex.EncodeToString(s.digest.Sum(nil)), Actor: s.req.Actor, Approves: s.req.Approves,
	})
	if err == nil {
		s.req.Actor = actor
	}
	return err
}

// addToDigest adds an entry to the digest.
func (s *listSync) addToDigest(item asset.StatusItem) {
	if s.service.brake == nil {
		return
	}
	_, _ = fmt.Fprintf(s.digest, "%q %q %q %s\n", item.Identity.Type, item.Identity.Canonical, item.Status,
		item.ExpiresAt.UTC().Format(time.RFC3339Nano)) // never fails
}

// CountEntries returns the list with the name and the number of its entries. The error is [ErrNotFound].
func (s *Service) CountEntries(ctx context.Context, name string) (list List, entries int64, err error) {
	list, err = s.Get(ctx, name)
	if err != nil {
		return List{}, 0, err
	}
	for _, err := range s.heldEntries(ctx, list.ID, func() {}) {
		if err != nil {
			return List{}, 0, err
		}
		entries++
	}
	return list, entries, nil
}

// holdRemoval holds the removal of a list back, unless it has begun.
func (s *Service) holdRemoval(ctx context.Context, name string, actor int64) error {
	if s.brake == nil {
		return nil
	}
	list, entries, err := s.CountEntries(ctx, name)
	if err != nil || list.Removing {
		return err
	}
	return s.brake.HoldRemoval(ctx, list, entries, actor)
}
