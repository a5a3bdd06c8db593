package sqlstore

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/step"
)

// codes are the values of an enumeration that every asset or change has. Their rows and
// indexes have the position of the value here, which takes one byte where the text takes up
// to twenty. Databases contain these numbers: a new value goes to the end, also of the lists in asset.
type codes[T ~string] []T

// code returns the code of a value, or -1, which no row can have.
func (c codes[T]) code(value T) int64 {
	return int64(slices.Index(c, value))
}

// value returns the value of a code.
func (c codes[T]) value(code int64) (T, error) {
	if code < 0 || code >= int64(len(c)) {
		return "", fmt.Errorf("no code: %d", code)
	}
	return c[code], nil
}

// codeColumn scans a code into a value.
type codeColumn[T ~string] struct {
	codes codes[T]
	dest  *T
}

// Scan implements sql.Scanner.
func (c codeColumn[T]) Scan(value any) (err error) {
	code, ok := value.(int64)
	if !ok {
		return fmt.Errorf("no code: %T", value)
	}
	*c.dest, err = c.codes.value(code)
	return err
}

// StatusCode returns the code of a status.
func StatusCode(status asset.Status) int64 { return statusCodes.code(status) }

// ScanStatus returns the destination of a status.
func ScanStatus(status *asset.Status) sql.Scanner {
	return codeColumn[asset.Status]{statusCodes, status}
}

// TypeCode returns the code of a type.
func TypeCode(kind asset.Type) int64 { return typeCodes.code(kind) }

func scanType(kind *asset.Type) sql.Scanner { return codeColumn[asset.Type]{typeCodes, kind} }

// CauseCode returns the code of a cause.
func CauseCode(cause asset.Cause) int64 { return causeCodes.code(cause) }

// ReasonCode returns the code of a reason. No reason has the code 0.
func ReasonCode(reason asset.Reason) int64 { return reasonCodes.code(reason) }

func scanCause(cause *asset.Cause) sql.Scanner { return codeColumn[asset.Cause]{causeCodes, cause} }

func scanReason(reason *asset.Reason) sql.Scanner {
	return codeColumn[asset.Reason]{reasonCodes, reason}
}

var reasonCodes = codes[asset.Reason](append([]asset.Reason{""}, asset.Reasons()...))

var statusCodes = codes[asset.Status](asset.Statuses())

var causeCodes = codes[asset.Cause]{
	asset.CauseAllowlist,
	asset.CauseReview,
	asset.CauseWithdrawal,
	asset.CauseDispute,
	asset.CauseManual,
	asset.CauseImport,
	asset.CauseAllowlistRemoval,
	asset.CauseReclassification,
	asset.CauseList,
	asset.CauseExpiry,
}

var typeCodes = codes[asset.Type](asset.Types())

// Millis returns the value of a time in a column: whole milliseconds since 1970, or the
// nearest representable value.
func Millis(t time.Time) int64 {
	switch {
	case t.Before(time.UnixMilli(math.MinInt64)):
		return math.MinInt64
	case t.After(time.UnixMilli(math.MaxInt64)):
		return math.MaxInt64
	default:
		return t.UnixMilli()
	}
}

// Time returns the time of a value in a column, in UTC. It round-trips the zero time.
func Time(millis int64) time.Time {
	return time.UnixMilli(millis).UTC()
}

// timeColumn scans the value of a column into a time, as [Time] returns it. It is zero for NULL.
type timeColumn time.Time

// Scan implements sql.Scanner.
func (t *timeColumn) Scan(value any) error {
	if value == nil {
		*t = timeColumn{}
		return nil
	}
	millis, ok := value.(int64)
	if !ok {
		return fmt.Errorf("no time: %T", value)
	}
	*t = timeColumn(Time(millis))
	return nil
}

// ceilMillis is Millis rounded up. A column is before t if it is below ceilMillis(t), as
// columns have whole milliseconds.
func ceilMillis(t time.Time) int64 {
	millis := Millis(t)
	if millis == math.MaxInt64 || step.TruncateTime(t).Equal(t) {
		return millis
	}
	return millis + 1
}

// afterTime returns the condition that a time and an ID, the columns, come after others.
func afterTime(columns string, at time.Time, id int64) squirrel.Sqlizer {
	if !step.TruncateTime(at).Equal(at) { // then the next column value is later
		id = 0
	}
	return squirrel.Expr("("+columns+") > (?, ?)", ceilMillis(at), id)
}

// within returns the conditions that the column lies in the period.
func within(column string, period asset.Period) squirrel.And {
	var conditions squirrel.And
	if !period.Since.IsZero() {
		conditions = append(conditions, squirrel.GtOrEq{column: ceilMillis(period.Since)})
	}
	if !period.Before.IsZero() {
		conditions = append(conditions, squirrel.Lt{column: ceilMillis(period.Before)})
	}
	return conditions
}

const (
	siteHashSize = 4
	// textHashSize is the number of bytes of a SHA-256 that are stored. Finding two identities
	// with the same hash takes about 2^80 attempts.
	textHashSize = 20
	// IdentityHashSize is the length in bytes of the hash of an identity.
	IdentityHashSize = siteHashSize + textHashSize
)

// IdentityHash returns the hash of an identity, by which the index finds its asset. It begins
// with the hash of the site, so that an asset and its covers are next to each other.
func IdentityHash(identity asset.Identity) []byte {
	return appendIdentityHash(make([]byte, 0, IdentityHashSize), identity)
}

func appendIdentityHash(hash []byte, identity asset.Identity) []byte {
	text := make([]byte, 0, 128) // on the stack, unless the canonical form is longer
	text = append(text, identity.Type...)
	text = append(text, 0)
	text = append(text, identity.Canonical...)
	sum := sha256.Sum256(text)
	hash = binary.BigEndian.AppendUint32(hash, uint32(hashOf(classify.Site(identity))))
	return append(hash, sum[:textHashSize]...)
}

// siteHash is the FNV-1a hash of a site. Different sites may have the same.
type siteHash uint32

func hashOf(site string) siteHash {
	hash := siteHash(2166136261)
	for _, b := range []byte(site) {
		hash = (hash ^ siteHash(b)) * 16777619
	}
	return hash
}

// bound returns the first or the last IdentityHash of a site, which ends with bytes of 0x00 or
// 0xff.
func (h siteHash) bound(end byte) []byte {
	hash := make([]byte, IdentityHashSize)
	binary.BigEndian.PutUint32(hash, uint32(h))
	for i := siteHashSize; i < len(hash); i++ {
		hash[i] = end
	}
	return hash
}
