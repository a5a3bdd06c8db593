package asset

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// What can be wrong with a [FeedCursor], for errors.Is. Each comes within an
// [*InputError], so that [ErrInvalid] matches too.
var (
	// ErrDamagedCursor: the text is not that of a cursor.
	ErrDamagedCursor = errors.New("is not a whole cursor; give it as it was received")
	// ErrForeignCursor: another store has given the cursor.
	ErrForeignCursor = errors.New("is a cursor of another store; begin without one")
	// ErrFutureCursor: the cursor's place is ahead of all that the store sees. It gave
	// the cursor and was then set back, such as to a backup, and the follower has to
	// begin again. Or it sees the past: a transaction of the host's that began before
	// the cursor was given, or a copy that lags behind, where it helps to come again
	// later.
	ErrFutureCursor = errors.New("is a cursor ahead of what the store sees")
)

// StoreID tells a store from all others. It is random, made together with the
// store, and stays as long as the store is there. A copy of a database has that of
// the original.
type StoreID [16]byte

// FeedCursor is a place in the feed of one store, which [Service.Since] reads:
// right after one of its changes. The zero value is the beginning of any feed. It is
// comparable; that one cursor is further on than another is nothing to be seen.
//
// Its text is at most 38 letters, digits, "-" and "_", and empty for the beginning.
type FeedCursor struct {
	store    StoreID
	position int64
}

// Store returns the store that has given the cursor. It is zero at the beginning.
func (c FeedCursor) Store() StoreID { return c.store }

// String returns the text of c, which [ParseFeedCursor] reads.
func (c FeedCursor) String() string {
	if c == (FeedCursor{}) {
		return ""
	}
	data := binary.AppendUvarint(c.store[:], uint64(c.position)) //nolint:gosec // positions are not negative
	data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
	return base64.RawURLEncoding.EncodeToString(data)
}

// ParseFeedCursor reads the text of a cursor. The empty text is the beginning.
//
// The error is an [*InputError] that matches [ErrDamagedCursor].
func ParseFeedCursor(text string) (FeedCursor, error) {
	c, ok := readFeedCursor(text)
	// Only the one text that a cursor has is right, and not what reads alike.
	if !ok || c.String() != text {
		return FeedCursor{}, wrongCursor(ErrDamagedCursor)
	}
	return c, nil
}

// readFeedCursor returns the cursor of a text without regard to the checksum.
func readFeedCursor(text string) (FeedCursor, bool) {
	if text == "" {
		return FeedCursor{}, true
	}
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return FeedCursor{}, false
	}
	var c FeedCursor
	position, n := binary.Uvarint(data[copy(c.store[:], data):])
	if n <= 0 || position < 1 || position > MaxID {
		return FeedCursor{}, false
	}
	c.position = int64(position)
	return c, true
}

// MarshalText returns what String does. It does not fail.
func (c FeedCursor) MarshalText() ([]byte, error) {
	return []byte(c.String()), nil
}

// UnmarshalText reads a text as [ParseFeedCursor] does. When it fails, c stays as
// it was.
func (c *FeedCursor) UnmarshalText(text []byte) error {
	parsed, err := ParseFeedCursor(string(text))
	if err == nil {
		*c = parsed
	}
	return err
}

// Feed is what a [Store] knows of its own feed.
type Feed struct {
	Store StoreID
	// Last is the position from which on none is given yet: at least the largest that
	// a change ever had, up to [MaxID]. It is 0 when there was none.
	Last int64
}

// End returns the cursor behind everything that has a position.
func (f Feed) End() FeedCursor {
	if f.Last == 0 {
		return FeedCursor{}
	}
	return f.Cursor(f.Last)
}

// Cursor returns the cursor right after the change with that position, which is
// from 1 to [MaxID].
func (f Feed) Cursor(position int64) FeedCursor {
	return FeedCursor{store: f.Store, position: position}
}

// Position returns the position after which a reader with that cursor goes on, and
// 0 at the beginning. Every store answers as this function does.
//
// The error is an [*InputError] that matches [ErrForeignCursor] or
// [ErrFutureCursor].
func (f Feed) Position(after FeedCursor) (int64, error) {
	switch {
	case after == (FeedCursor{}):
		return 0, nil
	case after.store != f.Store:
		return 0, wrongCursor(ErrForeignCursor)
	case after.position > f.Last:
		return 0, wrongCursor(ErrFutureCursor)
	}
	return after.position, nil
}

// wrongCursor returns the error for a cursor that is wrong for that reason.
func wrongCursor(reason error) error {
	var issues Issues
	issues.AddCause("after", reason)
	return issues.Err()
}
