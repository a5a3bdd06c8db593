package httpapi

import (
	"errors"
	"iter"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
)

// listChanges answers the specification's "Asset changelog".
func (a *API) listChanges(w http.ResponseWriter, c call) error {
	body, err := parseBody(c.body, "type", "content", "fromStatus", "toStatus", "startDate", "endDate")
	if err != nil {
		return err
	}
	f := fields{source: body}
	changes, err := a.guard.Changelog(c.Context(), apguard.ChangelogQuery{
		Type:       asset.Type(f.word("type")),
		Content:    f.text("content"),
		FromStatus: asset.Status(f.word("fromStatus")),
		ToStatus:   asset.Status(f.word("toStatus")),
		StartDate:  f.word("startDate"),
		EndDate:    f.word("endDate"),
	})
	if err := f.judge(err); err != nil {
		return err
	}
	return a.streamChanges(w, c.Request, changes)
}

// chunkSize is how many bytes of a changelog are sent together.
const chunkSize = 32 << 10

// streamChanges sends the changes in chunks while it reads them, so that the
// first leave early and few are in memory at any time. A failure before the first
// chunk is returned. After it there is no way left to tell the client but to
// break the connection, so that nobody takes a part for the whole.
func (a *API) streamChanges(w http.ResponseWriter, r *http.Request, changes iter.Seq2[asset.Change, error]) error {
	begun := false
	chunk := append(make([]byte, 0, chunkSize+chunkSize/4), `{"changelog":[`...)
	separator := ""
	for change, err := range changes {
		if err != nil && !begun {
			return err
		}
		if err != nil {
			a.logFailure(r, err)
			panic(http.ErrAbortHandler)
		}
		chunk = appendChange(append(chunk, separator...), change)
		separator = ","
		if len(chunk) < chunkSize {
			continue
		}
		begun = true
		if err := sendChunk(w, r, chunk); err != nil {
			panic(http.ErrAbortHandler) // the client is gone, which is no failure
		}
		chunk = chunk[:0]
	}
	_, _ = w.Write(append(chunk, `]}`...))
	return nil
}

// sendChunk writes a chunk and sees that it leaves. The error is that of the
// request's context, or of the connection.
func sendChunk(w http.ResponseWriter, r *http.Request, chunk []byte) error {
	if err := r.Context().Err(); err != nil {
		return err
	}
	if _, err := w.Write(chunk); err != nil {
		return err
	}
	if err := http.NewResponseController(w).Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// appendChange writes an entry of the changelog. Types and statuses need no
// quoting: they are the specification's own.
func appendChange(b []byte, change asset.Change) []byte {
	b = append(b, `{"assetId":`...)
	b = strconv.AppendInt(b, change.AssetID, 10)
	b = append(b, `,"type":"`...)
	b = append(b, change.Type...)
	b = append(b, `","content":`...)
	b, _ = jsontext.AppendQuote(b, change.Content) // fails on invalid UTF-8, which is never stored
	b = append(b, `,"fromStatus":"`...)
	b = append(b, change.From...)
	b = append(b, `","toStatus":"`...)
	b = append(b, change.To...)
	b = append(b, `","updatedAt":"`...)
	b = change.At.UTC().AppendFormat(b, timestampLayout)
	return append(b, `"}`...)
}
