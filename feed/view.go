package feed

import (
	"io"
	"time"

	"github.com/apguard/apguard/asset"
)

// View keeps what it needs of the assets that are ALLOWED or BLOCKED, such as a mirror.Mirror. It answers from
// the copy that was published last.
type View interface {
	// Describe says what the view is and what it needs. It always returns the same.
	Describe() Description
	// NewCopy returns an empty copy, to which the assets of a list and then the changes after the cursor
	// start are added. feed describes the feed before the list; see [List].
	NewCopy(feed asset.Feed, start asset.FeedCursor) Copy
}

// Description describes a [View].
type Description struct {
	// Name is the name of the view in errors, such as "mirror".
	Name string
	// Form is the version of what the view saves, and of how it derives that from the assets. A snapshot of another
	// form is ignored. Increase it with each change of either.
	Form uint32
	// History is the number of changes, as far as the feed has them, that the view wants to know when it
	// begins. They come after the list of assets, which has most of them already.
	History int
	// Interval is the shortest time between two publications of changes. Zero publishes after each read of
	// the feed. [Replica.Sync] does not wait for it.
	Interval time.Duration
}

// Copy is a copy of a [View]. A [Replica] calls its methods one at a time. If Add or Apply returns an error, the
// Replica reports it and begins again, with new copies of all views.
type Copy interface {
	// Add adds an asset of the list. If its status changes meanwhile, the list can have it twice, with
	// either status, and its changes come later.
	Add(a asset.Known) error
	// Apply applies changes in the order of the feed. The cursor of a change is zero if the source does not
	// know it, and cursor is the position after all of them. The first changes can be older than the list.
	// Changes of the basis alone are among them; see [asset.Change.OfStatus].
	//
	// The copy must not keep the slice.
	Apply(changes []asset.FeedEntry, cursor asset.FeedCursor) error
	// Publish makes the view answer from the copy, which has every change up to asOf. It is called again
	// after each read of the feed, also if there were no changes.
	Publish(asOf AsOf)
	// Save writes what Load needs to make an empty copy the same. Names and forms of views and the version of the
	// rules are checked by the Replica, and so is a checksum, but only after Load.
	Save(w io.Writer) error
	// Load reads what Save has written, up to its end, into an empty copy. It returns an error, and takes not
	// much more memory than the data, if these are not valid.
	Load(r io.Reader) error
}

// AsOf says up to where a copy has all changes.
type AsOf struct {
	// Store is the store of the assets. It is zero if the source does not tell, and the feed was empty.
	Store asset.StoreID
	// Cursor is the position in the feed up to which the copy has every change. It can have later ones.
	Cursor asset.FeedCursor
	// ReadAt is the time before which every committed change is in the copy. This is when the last
	// successful read of the feed began, less the Age of its [Changes].
	ReadAt time.Time
}
