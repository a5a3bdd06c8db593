package request

import (
	"strconv"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
)

// TimeCursor is a position in a list that is ordered by time and then by ID. The zero value is
// the start. Its text has the milliseconds since 1970 and the ID, such as "1736071200000.7".
type TimeCursor struct {
	At time.Time
	ID int64
}

// String returns the text of the cursor, which is empty for the start.
func (t TimeCursor) String() string {
	if t.ID == 0 {
		return ""
	}
	return strconv.FormatInt(t.At.UnixMilli(), 10) + "." + strconv.FormatInt(t.ID, 10)
}

// timeCursor decodes the cursor of a page, zero if it is absent.
func (f *fields) timeCursor() TimeCursor {
	return one(f, "cursor", func(v value) (TimeCursor, string) {
		text, issue := asString(v)
		millis, id, _ := strings.Cut(text, ".")
		ms, errAt := strconv.ParseInt(millis, 10, 64)
		number, errID := strconv.ParseInt(id, 10, 64)
		cursor := TimeCursor{At: time.UnixMilli(ms).UTC(), ID: number}
		if issue != "" || errAt != nil || errID != nil || !asset.ValidID(number) || !asset.ValidTime(cursor.At) || cursor.String() != text {
			return TimeCursor{}, "must be the nextCursor of a page"
		}
		return cursor, ""
	})
}
