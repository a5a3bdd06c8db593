package sqlstore

import (
	"database/sql"
	"fmt"
	"slices"

	"github.com/apguard/apguard/asset"
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

func scanCause(cause *asset.Cause) sql.Scanner { return codeColumn[asset.Cause]{causeCodes, cause} }

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
}

var typeCodes = codes[asset.Type](asset.Types())
