package lists

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// SyncRequest is the request of [Service.Sync].
type SyncRequest struct {
	// Name is the name of the list.
	Name string
	// File is a file of the format of the list. Sync reads it from its start, and twice if entries are new.
	File io.ReadSeeker
	// Known, unless nil, is the list as it was before the file was fetched. The sync then goes on only if no other one has
	// begun since and the list was not updated, so that a slow fetch undoes nothing.
	Known *List
	// Scheduled says that a fetcher syncs the list by itself. If that fails, the next fetch is later than usual.
	Scheduled bool
	// ETag and LastModified are those of the file, if it was fetched and the server has sent them. They are kept with the
	// list, unless they are too long.
	ETag, LastModified string
	// Actor is the ID of the operator for the changelog, or 0.
	Actor int64
	// Confirm lets the sync do what [ErrUnconfirmed] stops.
	Confirm bool
	// Approves, unless zero, is the pending act that the sync approves. The sync is stopped unless it would do what the act
	// says.
	Approves Approval
	// DryRun makes Sync count what it would do, with [SyncExamples], and store nothing.
	DryRun bool
	// Refused, unless nil, receives each entry that is refused or protected, with its Err.
	Refused func(Entry)
	// Progress, unless nil, is called before each part of the work: an entry of the file, or a step of the store.
	Progress func()
}

// SyncResult counts the entries of a sync.
type SyncResult struct {
	// Added entries are new, or have another status than before. The latter are also among the withdrawn ones.
	Added int `json:"added"`
	// Withdrawn entries are not in the file any more.
	Withdrawn int `json:"withdrawn"`
	// Kept entries have the same status as before.
	Kept int `json:"kept"`
	// Refused entries of the file cannot be held.
	Refused int `json:"refused"`
	// Overruled counts the added and kept entries whose asset has another status, because operators, an
	// organization or another list decide otherwise. A dry run counts only kept ones.
	Overruled int `json:"overruled"`
	// Protected entries of the file would block what many people use; see package protect.
	Protected int `json:"protected"`
	// Examples is nil unless it was a dry run.
	Examples *SyncExamples `json:"examples"`
}

// MaxExamples is the maximum number of assets of each kind in [SyncExamples].
const MaxExamples = 10

// SyncExamples has the canonical forms of the first assets that a dry run has counted. Those of the file are in its order,
// and the withdrawn and overruled ones in that of the list.
type SyncExamples struct {
	Added     []string `json:"added"`
	Withdrawn []string `json:"withdrawn"`
	Overruled []string `json:"overruled"`
	Protected []string `json:"protected"`
	// Refused has what cannot be held and why.
	Refused []RefusedExample `json:"refused"`
}

// RefusedExample is an entry of a file that a list cannot hold.
type RefusedExample struct {
	// Line is the number of its line, from 1.
	Line int `json:"line"`
	// Text is its text as [Entry] has it, in valid UTF-8, and may be empty.
	Text string `json:"text"`
	// Error says why, to be read after the text.
	Error string `json:"error"`
}

// exampleOf returns a refused entry as an example.
func exampleOf(entry Entry, reason error) RefusedExample {
	return RefusedExample{
		Line: entry.Line, Text: strings.ToValidUTF8(cmp.Or(entry.Text, entry.Identity.Canonical), "\uFFFD"), Error: reason.Error(),
	}
}

// example adds an asset to examples, unless they are full.
func example(examples *[]string, identity asset.Identity) {
	if len(*examples) < MaxExamples {
		*examples = append(*examples, identity.Canonical)
	}
}

// The brakes of a sync. A list that was never synced may become larger at once.
const (
	// maxWithdrawn is the number of entries that a sync may withdraw, unless a tenth of the list is more.
	maxWithdrawn = 100
	// maxAdded is the number of entries that a sync may add, unless the list is a tenth of that or more.
	maxAdded = 10_000
)

// Errors of a sync that has changed nothing, for errors.Is.
var (
	// ErrUnconfirmed reports that a sync would withdraw more than a tenth of the list and more than 100 entries, those
	// counted that would end earlier than they do, or add more than ten times as many as it has and more than 10,000, or
	// that the file has no entries. It goes on with Confirm of the [SyncRequest].
	ErrUnconfirmed = errors.New("sync must be confirmed")
	// ErrMostlyRefused reports that more than half of the entries of a file were refused. It is probably
	// of another format.
	ErrMostlyRefused = errors.New("more than half of the entries were refused")
)

// Sync makes the list hold what the file has, and nothing else: it decides new entries, withdraws those
// that are gone, and leaves the others untouched. An entry of the file that has ended is as if it were not
// there. Those that end later are withdrawn then; see [asset.Service.ExpireDecisions]. A sync can be repeated
// at any time. If it is interrupted, the next one completes it. It works in steps of [asset.MaxItems] entries,
// and keeps fewer than 64 bytes for each entry in memory.
//
// The error is [ErrNotFound] if there is no list with the name, and [ErrUnconfirmed] or [ErrMostlyRefused]
// if the sync was stopped before any change; the result then has what it would have done. With a [Brake], a confirmed sync
// is stopped, too, and the error is that of a pending act. It is [ErrSuperseded] if another sync of the list has begun in the
// meantime, or [Service.Update] has changed the list. Other errors are those of [Read], of the file and of the store. The error is kept with the list until a sync is completed.
func (s *Service) Sync(ctx context.Context, req SyncRequest) (SyncResult, error) {
	if req.Progress == nil {
		req.Progress = func() {}
	}
	req.Progress()
	if req.DryRun {
		list, err := s.Get(ctx, req.Name)
		if err == nil && list.Removing {
			err = ErrNotFound
		}
		if err != nil {
			return SyncResult{}, err
		}
		return s.newSync(list, req).plan(ctx)
	}
	list, err := s.begin(ctx, req)
	if err != nil {
		return SyncResult{}, err
	}
	result, err := s.newSync(list, req).run(ctx)
	if err != nil {
		return result, s.fail(ctx, list, err, req.Scheduled)
	}
	req.Progress()
	return result, s.complete(ctx, list, req, result)
}

// begin records that a sync begins. From now on, the list may hold parts of two files.
func (s *Service) begin(ctx context.Context, req SyncRequest) (List, error) {
	at := step.TruncateTime(s.clock())
	return s.change(ctx, req.Name, func(list List) (List, audit.Entry, error) {
		if req.Known != nil {
			if err := list.continues(*req.Known); err != nil {
				return List{}, audit.Entry{}, err
			}
		}
		list.Begun++
		list.ETag, list.LastModified = "", ""
		return list.claimed(at), audit.Entry{}, nil
	})
}

// complete records that the sync is done.
func (s *Service) complete(ctx context.Context, list List, req SyncRequest, result SyncResult) error {
	at := step.TruncateTime(s.clock())
	_, err := s.change(ctx, list.Name, func(now List) (List, audit.Entry, error) {
		if err := now.continues(list); err != nil {
			return List{}, audit.Entry{}, err
		}
		first := now.SyncedAt.IsZero()
		now = now.synced(at)
		now.Entries = int64(result.Added + result.Kept)
		now.ETag, now.LastModified = validator(req.ETag), validator(req.LastModified)
		if !first && result.Added+result.Withdrawn == 0 {
			return now, audit.Entry{}, nil
		}
		entry := audit.New(ctx, at, audit.KindList, audit.ActionSynced).On(list.ID)
		entry.Detail = fmt.Sprintf("name=%s,added=%d,withdrawn=%d", list.Name, result.Added, result.Withdrawn)
		return now, entry, nil
	})
	return err
}

// listSync is a running sync.
type listSync struct {
	service *Service
	list    List
	req     SyncRequest
	at      time.Time
	wanted  wantedEntries
	result  SyncResult
	// digest is that of the taken entries, if a second operator may have to approve the sync.
	digest hash.Hash
	// taken counts the entries of the file that the list can hold, and held those that it holds.
	taken, held int
	// examples is what a dry run names.
	examples SyncExamples
	// ending counts the kept entries that would end, or end earlier than they do.
	ending int
	// gone are the IDs of the assets to withdraw.
	gone []int64
}

func (s *Service) newSync(list List, req SyncRequest) *listSync {
	return &listSync{
		service: s, list: list, req: req, at: s.clock(), wanted: newWantedEntries(), digest: sha256.New(),
		examples: SyncExamples{
			Added: []string{}, Withdrawn: []string{}, Overruled: []string{}, Protected: []string{}, Refused: []RefusedExample{},
		},
	}
}

// run executes the sync.
func (s *listSync) run(ctx context.Context) (SyncResult, error) {
	if result, err := s.plan(ctx); err != nil {
		return result, err
	}
	if err := s.decide(ctx); err != nil {
		return s.result, err
	}
	return s.result, s.withdraw(ctx)
}

// plan compares the file with what the list holds.
func (s *listSync) plan(ctx context.Context) (SyncResult, error) {
	for entry, err := range s.entries(ctx) {
		if err != nil {
			return s.result, err
		}
		s.req.Progress()
		s.take(entry)
	}
	if s.result.Refused > s.taken {
		return s.result, ErrMostlyRefused
	}
	for held, err := range s.service.heldEntries(ctx, s.list.ID, s.req.Progress) {
		if err != nil {
			return s.result, err
		}
		s.compare(held)
	}
	s.result.Added += s.wanted.missing()
	if s.req.DryRun {
		if err := s.nameAdded(ctx); err != nil {
			return s.result, err
		}
		s.result.Examples = &s.examples
	}
	return s.result, s.hold(ctx, s.brake())
}

// entries yields the entries of the file from its start.
func (s *listSync) entries(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if _, err := s.req.File.Seek(0, io.SeekStart); err != nil {
			yield(Entry{}, err)
			return
		}
		for entry, err := range Read(s.req.File, s.list.Format, ReadOptions{Status: s.list.Status, At: s.at}) {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

// heldEntries yields what a list holds.
func (s *Service) heldEntries(ctx context.Context, listID int64, progress func()) iter.Seq2[HeldEntry, error] {
	return step.Pages(0, func(e HeldEntry) int64 { return e.ID }, func(after int64, limit int) (step.Page[HeldEntry], error) {
		progress()
		return s.store.ListEntries(ctx, listID, after, limit)
	})
}

// take counts an entry of the file, and remembers that it is wanted.
func (s *listSync) take(entry Entry) {
	err := s.check(entry)
	if err == nil && !s.wanted.add(entry.StatusItem) {
		err = ErrContradiction
	}
	var left *NotTakenError
	switch {
	case err == nil:
		s.taken++
		s.addToDigest(entry.StatusItem)
		return
	case errors.As(err, &left):
		return
	case errors.Is(err, asset.ErrProtected):
		s.result.Protected++
		example(&s.examples.Protected, entry.Identity)
	default:
		s.result.Refused++
		if len(s.examples.Refused) < MaxExamples {
			s.examples.Refused = append(s.examples.Refused, exampleOf(entry, err))
		}
	}
	if s.req.Refused != nil {
		entry.Err = err
		s.req.Refused(entry)
	}
}

// errListStatus reports that an entry has a status that no list holds.
var errListStatus = fmt.Errorf("%w, and not UNKNOWN in a list that is synced", ErrStatus)

// check returns why the list cannot hold an entry.
func (s *listSync) check(entry Entry) error {
	switch {
	case entry.Err != nil:
		return entry.Err
	case entry.Status == asset.StatusUnknown:
		return errListStatus
	case entry.Status == asset.StatusBlocked:
		if why, protected := s.service.protected.Why(entry.Identity); protected {
			return &asset.ProtectedError{Protection: why}
		}
	}
	return asset.SetStatusRequest{Identity: entry.Identity, Status: entry.Status}.Validate()
}

// compare compares an entry that the list holds with the file.
func (s *listSync) compare(held HeldEntry) {
	s.held++
	entry := s.wanted.of(held.Identity)
	if entry.Status == "" {
		s.result.Withdrawn++
		example(&s.examples.Withdrawn, held.Identity)
		s.gone = append(s.gone, held.ID)
		return
	}
	if entry.Status != held.Decision.Status {
		s.result.Withdrawn++
		example(&s.examples.Withdrawn, held.Identity)
		s.result.Added++
		s.wanted.find(held.Identity, false)
		return
	}
	s.result.Kept++
	decision := s.list.decision(entry)
	if ends := decision.ExpiresAt; !ends.IsZero() && (held.Decision.ExpiresAt.IsZero() || ends.Before(held.Decision.ExpiresAt)) {
		s.ending++
	}
	unchanged := decision.Reason == held.Decision.Reason && decision.ExpiresAt.Equal(held.Decision.ExpiresAt)
	s.wanted.find(held.Identity, unchanged || s.req.DryRun) // a dry run only names what is added
	if unchanged && held.Status != entry.Status {
		s.result.Overruled++
		example(&s.examples.Overruled, held.Identity)
	}
}

// nameAdded reads the file again until it has found enough entries that are new, or have another status.
func (s *listSync) nameAdded(ctx context.Context) error {
	wanted := min(s.result.Added, MaxExamples)
	if wanted == 0 {
		return nil
	}
	for entry, err := range s.entries(ctx) {
		if err != nil {
			return err
		}
		s.req.Progress()
		if s.check(entry) == nil && s.wanted.next(entry.Identity) {
			example(&s.examples.Added, entry.Identity)
		}
		if len(s.examples.Added) == wanted {
			break
		}
	}
	return nil
}

// brake returns an error if the sync must be confirmed.
func (s *listSync) brake() error {
	synced := !s.list.SyncedAt.IsZero()
	added, withdrawn := s.result.Added, s.result.Withdrawn+s.ending
	switch {
	case s.taken == 0:
		return fmt.Errorf("%w: the file has no entries", ErrUnconfirmed)
	case synced && withdrawn > maxWithdrawn && 10*withdrawn > s.held:
		return fmt.Errorf("%w: it would withdraw, or end earlier, %d of %d entries", ErrUnconfirmed, withdrawn, s.held)
	case synced && added > maxAdded && added > 10*s.held:
		return fmt.Errorf("%w: it would add %d entries to %d", ErrUnconfirmed, added, s.held)
	}
	return nil
}

// decide decides the wanted entries that the list does not hold.
func (s *listSync) decide(ctx context.Context) error {
	cmd := DecideCommand{ListID: s.list.ID, Begun: s.list.Begun, Origin: origin(s.list, s.req.Actor)}
	send := func() error {
		if len(cmd.Entries) == 0 {
			return nil
		}
		cmd.At = s.service.clock()
		assets, err := s.service.store.DecideEntries(ctx, cmd)
		for i, one := range assets {
			if one.Status != cmd.Entries[i].Decision.Status {
				s.result.Overruled++
			}
		}
		cmd.Entries = cmd.Entries[:0]
		return err
	}
	if !s.wanted.open() {
		return nil
	}
	for entry, err := range readAhead(s.entries(ctx)) {
		if err != nil {
			return err
		}
		s.req.Progress()
		if s.check(entry) != nil || !s.wanted.next(entry.Identity) {
			continue
		}
		cmd.Entries = append(cmd.Entries, DecidedEntry{Identity: entry.Identity, Decision: s.list.decision(entry.StatusItem)})
		if !s.wanted.open() {
			break
		}
		if len(cmd.Entries) == asset.MaxItems {
			if err := send(); err != nil {
				return err
			}
		}
	}
	return send()
}

// withdraw withdraws the entries that are gone.
func (s *listSync) withdraw(ctx context.Context) error {
	cmd := WithdrawCommand{ListID: s.list.ID, Begun: s.list.Begun, Origin: origin(s.list, s.req.Actor)}
	for ids := range slices.Chunk(s.gone, asset.MaxItems) {
		s.req.Progress()
		cmd.AssetIDs, cmd.At = ids, s.service.clock()
		if err := s.service.store.WithdrawEntries(ctx, cmd); err != nil {
			return err
		}
	}
	return nil
}
