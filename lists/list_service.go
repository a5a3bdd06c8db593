package lists

import (
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/step"
)

// Options are the optional settings of a [Service]. The zero value is valid.
type Options struct {
	// Clock returns the time of what the service does. Nil means time.Now.
	Clock func() time.Time
	// AllowPrivate allows lists whose URL has http or an address that is not public, for servers in the own network.
	// Those who may add lists can then reach every address that the server can.
	AllowPrivate bool
	// Protected says which hosts no list blocks. The zero value protects public suffixes, platforms and popular
	// hosts. Allowlists do not protect from lists.
	Protected protect.Rule
	// Brake, unless nil, holds back syncs and removals that a second operator must approve.
	Brake Brake
}

// Service keeps lists in sync with files. It is for operators, and safe for concurrent use if its store
// is.
type Service struct {
	store        Store
	clock        func() time.Time
	allowPrivate bool
	protected    protect.Rule
	brake        Brake
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, clock: opts.Clock, allowPrivate: opts.AllowPrivate, protected: opts.Protected, brake: opts.Brake}
}

// Add adds a list that holds nothing yet. It uses the Name, Format, Status, Reason, URL and Every of the
// list, and returns the list that it has stored. A list with a URL is fetched at once.
//
// The error is an [*asset.InputError] if one of them is invalid, which matches [ErrNotPublic] if the host of the URL is
// not public. It is [ErrNameTaken] if there is a list with the name, or [ErrTooMany].
func (s *Service) Add(ctx context.Context, list List) (List, error) {
	if err := list.Validate(s.allowPrivate); err != nil {
		return List{}, err
	}
	at := step.TruncateTime(s.clock())
	list = List{
		Name: list.Name, Format: list.Format, Status: list.Status, Reason: list.Reason,
		URL: list.URL, Every: list.Every.Truncate(time.Second), CreatedAt: at,
	}.withDefaults().next(at)
	entry := audit.New(ctx, at, audit.KindList, audit.ActionCreated)
	entry.Detail = "name=" + list.Name
	return s.store.PutList(ctx, list.Name, func(old List, lists int) (List, audit.Entry, error) {
		switch {
		case old.ID != 0:
			return List{}, audit.Entry{}, ErrNameTaken
		case lists >= MaxLists:
			return List{}, audit.Entry{}, ErrTooMany
		}
		return list, entry, nil
	})
}

// Get returns the list with the name, or [ErrNotFound].
func (s *Service) Get(ctx context.Context, name string) (List, error) {
	all, err := s.store.Lists(ctx)
	if err != nil {
		return List{}, err
	}
	i := slices.IndexFunc(all, func(l List) bool { return l.Name == name })
	if i < 0 {
		return List{}, ErrNotFound
	}
	return all[i], nil
}

// List returns all lists, ordered by name.
func (s *Service) List(ctx context.Context) ([]List, error) {
	return s.store.Lists(ctx)
}

// Remove withdraws what the list holds, in steps of [asset.MaxItems] entries, and then removes the list. A sync of it
// cannot go on. After an error, call Remove again to remove the rest. The actor is the ID of the operator
// for the changelog, or 0.
//
// The error is [ErrNotFound] if there is no list with the name. With a [Brake], it is that of a pending act, unless the
// removal has begun.
func (s *Service) Remove(ctx context.Context, name string, actor int64) error {
	if err := s.holdRemoval(ctx, name, actor); err != nil {
		return err
	}
	list, err := s.store.PutList(ctx, name, func(old List, _ int) (List, audit.Entry, error) {
		if old.ID == 0 {
			return List{}, audit.Entry{}, ErrNotFound
		}
		old.Removing = true
		return old, audit.Entry{}, nil
	})
	if err != nil {
		return err
	}
	cmd := WithdrawCommand{ListID: list.ID, At: s.clock(), Origin: origin(list, actor)}
	for {
		page, err := s.store.ListEntries(ctx, list.ID, 0, asset.MaxItems)
		if err != nil {
			return err
		}
		if len(page.Items) == 0 {
			break
		}
		cmd.AssetIDs = cmd.AssetIDs[:0]
		for _, entry := range page.Items {
			cmd.AssetIDs = append(cmd.AssetIDs, entry.ID)
		}
		if err := s.store.WithdrawEntries(ctx, cmd); err != nil {
			return err
		}
	}
	entry := audit.New(ctx, step.TruncateTime(s.clock()), audit.KindList, audit.ActionRemoved).On(list.ID)
	entry.Detail = "name=" + list.Name
	return s.store.RemoveList(ctx, list.ID, entry)
}

// change changes a list that is not being removed.
func (s *Service) change(ctx context.Context, name string, change func(List) (List, audit.Entry, error)) (List, error) {
	return s.store.PutList(ctx, name, func(old List, _ int) (List, audit.Entry, error) {
		if old.ID == 0 || old.Removing {
			return List{}, audit.Entry{}, ErrNotFound
		}
		return change(old)
	})
}

// origin returns the origin of the changes of a list.
func origin(list List, actor int64) asset.Origin {
	return asset.Origin{Cause: asset.CauseList, Actor: actor, Reference: list.Name}
}
