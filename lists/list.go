package lists

import (
	"errors"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/outbound"
	"github.com/apguard/apguard/step"
)

// List is a list that holds statuses on assets, and is kept in sync with a file: after [Service.Sync],
// it holds those of the entries of the file and no others.
type List struct {
	ID int64
	// Name is the name of the list. It has from 1 to [MaxName] bytes: lower-case letters from a to z,
	// digits, and ".", "_" and "-" between them.
	Name string
	// Format is the format of the files, one of [Readable].
	Format Format
	// Status is the status of entries without one of their own, BLOCKED or ALLOWED. Empty means BLOCKED.
	Status asset.Status
	// Reason says why the entries have their status. Empty means [asset.ReasonOther] for BLOCKED ones.
	Reason asset.Reason
	// URL is where the files are fetched from, or empty if the list is synced by hand only. It starts with https:// and
	// has a host that is public, but no user name, password or fragment. It has at most [MaxURL] bytes.
	URL string
	// Every is the time between two fetches in whole seconds, from [MinEvery] to [MaxEvery]. Zero with a URL means [DefaultEvery].
	Every time.Duration
	// CreatedAt is when the list was added.
	CreatedAt time.Time
	// Begun is the number of the last sync that has begun, or of an update that ends it. An earlier one cannot go on.
	Begun int64
	// SyncedAt is when the last sync was completed, and Entries how many entries the list had then, of which some
	// may have ended since. Both are zero if none was.
	SyncedAt time.Time
	Entries  int64
	// FailedAt is when the last sync or fetch failed, and Error says why, for operators. Failures is how many have
	// failed one after another. All are zero once a later one was completed, or the URL was changed.
	FailedAt time.Time
	Error    string
	Failures int
	// NextAt is when the list is fetched next, or when a fetcher that has claimed it is given up. It is zero without
	// a URL.
	NextAt time.Time
	// ETag and LastModified are those of the file that the list holds, if it was fetched and the server has sent them.
	// They are empty from the beginning of a sync to its completion.
	ETag         string
	LastModified string
	// Removing reports whether the list is being removed. It then only withdraws what it holds.
	Removing bool
}

// MaxName is the maximum length of the name of a list in bytes.
const MaxName = 64

// maxError is the maximum length of the error of a list in bytes. Longer ones are cut.
const maxError = 1000

// MaxLists is the maximum number of lists.
const MaxLists = 1000

// Errors of lists, for errors.Is. Errors about invalid input are of type [*asset.InputError]. Any other error
// comes from the entries, the store or the context.
var (
	// ErrNotFound reports that there is no list with the name, or that it is being removed.
	ErrNotFound = errors.New("list not found")
	// ErrNameTaken reports that another list has the name.
	ErrNameTaken = errors.New("name of the list is taken")
	// ErrTooMany reports that there are [MaxLists] lists.
	ErrTooMany = errors.New("there are as many lists as are allowed")
	// ErrSuperseded reports that another sync of the list has begun, or that the list was changed by [Service.Update]. The
	// list holds parts of both files until a later sync is completed.
	ErrSuperseded = errors.New("another sync of the list has begun, or the list was changed")
	// ErrNotDue reports that a list is not to be fetched now. Another fetcher may have claimed it.
	ErrNotDue = errors.New("list is not due")
	// ErrNotFetched reports that a list does not hold a file that was fetched, so that it can hold no unchanged one.
	ErrNotFetched = errors.New("list does not hold a file that was fetched")
	// ErrNotPublic reports that the host of a URL is localhost, a name below it, or an address that is not public.
	ErrNotPublic = outbound.ErrNotPublic
)

// withDefaults returns the list with the defaults of empty fields.
func (l List) withDefaults() List {
	if l.Status == "" {
		l.Status = asset.StatusBlocked
	}
	l.Reason = l.Reason.For(l.Status)
	if l.Every == 0 && l.URL != "" {
		l.Every = DefaultEvery
	}
	return l
}

// Validate returns an [*asset.InputError] if what describes the list is invalid: its name, format, status, reason, URL or
// Every. private is AllowPrivate of the [Options] of the service.
func (l List) Validate(private bool) error {
	l = l.withDefaults()
	var issues asset.Issues
	issues.Check(len(l.Name) <= MaxName && isName(l.Name), "name",
		"must be from 1 to 64 bytes: letters from a to z, digits, and \".\", \"_\" and \"-\" between them")
	issues.Check(slices.Contains(readable[:], l.Format), "format", "must be "+names(readable[:]))
	validStatus := l.Status == asset.StatusBlocked || l.Status == asset.StatusAllowed
	issues.Check(validStatus, "status", "must be BLOCKED or ALLOWED")
	if !validStatus {
		l.Status = "" // then any known reason will do
	}
	issues.CheckReason(l.Reason, l.Status)
	l.checkFetching(&issues, private)
	return issues.Err()
}

// decision returns what the list holds on the asset of an entry.
func (l List) decision(entry asset.StatusItem) asset.ListDecision {
	reason := l.Reason
	if !reason.Fits(entry.Status) {
		reason = ""
	}
	return asset.ListDecision{ListID: l.ID, Status: entry.Status, Reason: reason.For(entry.Status), ExpiresAt: entry.ExpiresAt}
}

// HeldEntry is an asset on which a list holds a status.
type HeldEntry struct {
	asset.Asset
	Decision asset.ListDecision
}

// PageBytes implements [step.PageItem].
func (e HeldEntry) PageBytes() int { return step.PageBytes(e.Canonical) }

// isName reports whether a name has only lower-case letters and digits, with one dot, dash or underscore at a time
// between them. A regular expression would add 0.4 MB to the WebAssembly of the rules.
func isName(name string) bool {
	between := true
	for _, c := range []byte(name) {
		letter := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !letter && (between || c != '.' && c != '-' && c != '_') {
			return false
		}
		between = !letter
	}
	return !between
}
