// Package wire encodes what several packages send to other systems.
package wire

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// AppendChange appends a change of status as the changelog has it. Types and statuses need no
// quoting in JSON.
func AppendChange(b []byte, change asset.Change) []byte {
	b = append(b, `{"assetId":`...)
	b = strconv.AppendInt(b, change.AssetID, 10)
	b = append(b, `,"type":"`...)
	b = append(b, change.Type...)
	b = append(b, `","content":`...)
	b = AppendText(b, change.Content)
	b = append(b, `,"fromStatus":"`...)
	b = append(b, change.From...)
	b = append(b, `","toStatus":"`...)
	b = append(b, change.To...)
	b = append(b, `","updatedAt":"`...)
	b = AppendTime(b, change.At)
	return append(b, `"}`...)
}

// AppendFeedChange appends a change as the feed and webhooks have it, with its basis.
func AppendFeedChange(b []byte, change asset.Change) []byte {
	b = AppendChange(b, change)
	return append(AppendBasis(b[:len(b)-len("}")], change.Basis), '}')
}

// AppendFeedPage appends a page of the feed. The cursor is the position after it.
func AppendFeedPage(b []byte, entries []asset.FeedEntry, cursor asset.FeedCursor) []byte {
	b = append(b, `{"changes":[`...)
	for i, entry := range entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendFeedChange(b, entry.Change)
	}
	b = append(b, `],"cursor":"`...)
	b = append(b, cursor.String()...)
	return append(b, `"}`...)
}

// AppendBasis appends the members of a basis, with a comma before the first. What there is not is null.
func AppendBasis(b []byte, basis asset.Basis) []byte {
	b = appendOrNull(append(b, `,"reason":`...), string(basis.Reason))
	b = appendOrNull(append(b, `,"note":`...), basis.Note)
	b = AppendTimeOrNull(append(b, `,"since":`...), basis.Since)
	b = appendOrNull(append(b, `,"by":`...), string(basis.By))
	return appendOrNull(append(b, `,"list":`...), basis.List)
}

func appendOrNull(b []byte, text string) []byte {
	if text == "" {
		return append(b, `null`...)
	}
	return AppendText(b, text)
}

// AppendTimeOrNull appends a time as a string of JSON, or null for the zero time.
func AppendTimeOrNull(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, `null`...)
	}
	return append(AppendTime(append(b, '"'), t), '"')
}

// AppendText appends a stored text as a string of JSON.
func AppendText(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text) // fails on invalid UTF-8 only, which is never stored
	return b
}

// AppendTime appends a time in RFC 3339, in UTC with milliseconds. Package time formats RFC 3339
// about three times as fast as other layouts.
func AppendTime(b []byte, t time.Time) []byte {
	b = t.UTC().AppendFormat(b, time.RFC3339)
	millis := t.Nanosecond() / int(time.Millisecond)
	return append(b[:len(b)-len("Z")], '.', digit(millis/100), digit(millis/10), digit(millis), 'Z')
}

// digit returns the last decimal digit of n.
func digit(n int) byte { return "0123456789"[n%10] }
