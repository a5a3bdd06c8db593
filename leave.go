package apguard

import (
	"context"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
)

// DeactivateUser deactivates a user, as [account.Service.DeactivateUser] does, and then releases the disputes that the
// user has under review, so that somebody else takes them up. If it fails, another call does the rest.
func (g *Guard) DeactivateUser(ctx context.Context, id int64) (account.User, error) {
	user, err := g.Accounts.DeactivateUser(ctx, id)
	if err != nil {
		return account.User{}, err
	}
	return user, g.releaseAll(ctx, id, "The reviewer was deactivated")
}

// RemoveUser releases the disputes that a user has under review, so that somebody else takes them up, and then removes
// the user, as [account.Service.RemoveUser] does. If it fails, another call does the rest.
func (g *Guard) RemoveUser(ctx context.Context, id int64) error {
	if err := g.releaseAll(ctx, id, "The reviewer was removed"); err != nil {
		return err
	}
	return g.Accounts.RemoveUser(ctx, id)
}

// releaseAll releases the disputes of a user who leaves. A store without disputes has none.
func (g *Guard) releaseAll(ctx context.Context, user int64, reason string) error {
	if !asset.ValidID(user) {
		return nil // nobody has it
	}
	_, err := ifImplemented(g.DisputeQueue.ReleaseAll(ctx, dispute.ReleaseAllRequest{
		Assignee: user, Actor: audit.ActorOf(ctx).UserID, Reason: reason,
	}))
	return err
}
