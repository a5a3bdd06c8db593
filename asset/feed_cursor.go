package asset

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"
)

// Errors about a [FeedCursor]. Each is wrapped in an [*InputError], so that [ErrInvalid]
// matches too.
var (
	// ErrMalformedCursor reports that the text is not a cursor.
	ErrMalformedCursor = errors.New("malformed cursor")
	// ErrForeignCursor reports that the cursor belongs to another store.
	ErrForeignCursor = errors.New("cursor of another store; start without a cursor")
	// ErrFutureCursor reports that the position is beyond the end of the feed. There are
	// three causes:
	//
	//   - The store was restored from a backup, or a failover lost commits. The follower must
	//     start again.
	//   - The cursor comes from a transaction that was rolled back. The follower must go
	//     back to an older cursor.
	//   - The call read old data, from a replica that lags behind or in a transaction that
	//     began before the cursor was returned. The follower must try again later.
	ErrFutureCursor = errors.New("cursor beyond the end of the feed")
	// ErrPrunedCursor reports that changes after the cursor were pruned since the follower
	// received it, so the follower has missed them. It must start again.
	ErrPrunedCursor = errors.New("changes after the cursor were pruned; start without a cursor")
)

// StoreID identifies a store. It is random and never changes. A copy of a database has
// the StoreID of the original.
type StoreID [16]byte

// FeedCursor is a position in the feed of one store: right after one of its changes. The
// zero value is the start of any feed. Equal cursors are the same position, but two cursors of
// one position differ if changes were pruned in between. [FeedCursor.Before] orders those of a
// store.
//
// The text of a cursor has at most 48 letters, digits, "-" and "_". The start is the
// empty text.
type FeedCursor struct {
	store    StoreID
	position int64
	// prunings is Feed.Prunings when the follower received the cursor.
	prunings int64
}

// Store returns the store that the cursor belongs to. It is zero for the zero cursor.
func (c FeedCursor) Store() StoreID { return c.store }

// Position returns the position in the feed of the store: that of the change before the cursor, or 0 for the
// start. Only positions of one store can be compared.
func (c FeedCursor) Position() int64 { return c.position }

// Before reports whether c is an earlier position than another cursor of the same store, or the
// start of the feed and the other one is not. Cursors from before and after the store was
// restored from a backup have no order, although Before cannot tell them apart.
func (c FeedCursor) Before(other FeedCursor) bool {
	return (c.store == other.store || c == FeedCursor{}) && c.position < other.position
}

// String returns the text of c, which [ParseFeedCursor] reads.
func (c FeedCursor) String() string {
	if c == (FeedCursor{}) {
		return ""
	}
	data := binary.AppendUvarint(c.store[:], uint64(c.position)) //nolint:gosec // positions are not negative
	data = binary.AppendUvarint(data, uint64(c.prunings))        //nolint:gosec // and neither are numbers of prunings
	data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
	return base64.RawURLEncoding.EncodeToString(data)
}

// ParseFeedCursor reads the text of a cursor. The empty text is the start.
//
// The error is an [*InputError] that matches [ErrMalformedCursor].
func ParseFeedCursor(text string) (FeedCursor, error) {
	c, ok := decodeFeedCursor(text)
	// The comparison checks the checksum, and refuses other spellings of the same bytes.
	if !ok || c.String() != text {
		return FeedCursor{}, cursorError(ErrMalformedCursor)
	}
	return c, nil
}

// decodeFeedCursor returns the cursor of a text. It ignores the checksum.
func decodeFeedCursor(text string) (FeedCursor, bool) {
	if text == "" {
		return FeedCursor{}, true
	}
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return FeedCursor{}, false
	}
	var c FeedCursor
	data = data[copy(c.store[:], data):]
	position, n := binary.Uvarint(data)
	if n <= 0 || position < 1 || position > MaxID {
		return FeedCursor{}, false
	}
	prunings, n := binary.Uvarint(data[n:])
	if n <= 0 || prunings > MaxID {
		return FeedCursor{}, false
	}
	c.position, c.prunings = int64(position), int64(prunings)
	return c, true
}

// MarshalText returns the text of c. It never fails.
func (c FeedCursor) MarshalText() ([]byte, error) {
	return []byte(c.String()), nil
}

// UnmarshalText reads a text as [ParseFeedCursor] does. On an error, c is unchanged.
func (c *FeedCursor) UnmarshalText(text []byte) error {
	parsed, err := ParseFeedCursor(string(text))
	if err == nil {
		*c = parsed
	}
	return err
}

// Feed describes the feed of a store.
type Feed struct {
	Store StoreID
	// Last is the largest position that was ever used, at most [MaxID]. It is 0 if no
	// position was used yet.
	Last int64
	// Pruned is the largest position of a change that was pruned, or 0. Prunings is the number of
	// steps that pruned changes, at most [MaxID].
	Pruned, Prunings int64
	// Unpublished reports whether committed changes have no position yet.
	Unpublished bool
	// Behind is an age: every change that was committed longer ago is in the feed. It is 0 if
	// there are no unpublished changes. On a standby server, it includes how far that server is
	// behind, and is up to a second too large. It depends on the clocks of the database servers.
	Behind time.Duration
}

// End returns the cursor right after the last position.
func (f Feed) End() FeedCursor {
	if f.Last == 0 {
		return FeedCursor{}
	}
	return f.Cursor(f.Last)
}

// Serial returns the last position as the serial number of a DNS zone (RFC 1982). That of an
// empty feed is 1.
func (f Feed) Serial() uint32 {
	return uint32(max(f.Last, 1)) //nolint:gosec // serial numbers wrap around
}

// Cursor returns the cursor right after the change at the position. The position must be
// from 1 to [MaxID].
func (f Feed) Cursor(position int64) FeedCursor {
	return FeedCursor{store: f.Store, position: position, prunings: f.Prunings}
}

// Position returns the position of the cursor in the feed, or 0 for the start. A reader
// continues with the changes at larger positions.
//
// The error is an [*InputError] that matches [ErrForeignCursor], [ErrFutureCursor] or
// [ErrPrunedCursor]. A follower that starts after changes were pruned does not miss them, so its
// cursors are valid below Pruned.
func (f Feed) Position(after FeedCursor) (int64, error) {
	switch {
	case after == (FeedCursor{}):
		return 0, nil
	case after.store != f.Store:
		return 0, cursorError(ErrForeignCursor)
	case after.position > f.Last:
		return 0, cursorError(ErrFutureCursor)
	case after.position < f.Pruned && after.prunings != f.Prunings:
		return 0, cursorError(ErrPrunedCursor)
	}
	return after.position, nil
}

// cursorError returns the error for an invalid cursor.
func cursorError(cause error) error {
	var issues Issues
	issues.AddCause("after", cause)
	return issues.Err()
}
