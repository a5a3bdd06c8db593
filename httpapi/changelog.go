package httpapi

import (
	"iter"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
)

// listChanges answers the specification's "Asset changelog".
func (a *API) listChanges(w *responseWriter, c call) error {
	body, err := decodeBody(c.body, "type", "content", "fromStatus", "toStatus", "startDate", "endDate")
	if err != nil {
		return err
	}
	f := fields{source: body}
	changes, err := a.service.Changelog(c.Context(), apguard.ChangelogQuery{
		Type:       asset.Type(f.nonEmpty("type")),
		Content:    f.text("content"),
		FromStatus: asset.Status(f.nonEmpty("fromStatus")),
		ToStatus:   asset.Status(f.nonEmpty("toStatus")),
		StartDate:  f.nonEmpty("startDate"),
		EndDate:    f.nonEmpty("endDate"),
	})
	if err := f.join(err); err != nil {
		return err
	}
	return streamChanges(w, c, changes)
}

// streamChanges sends the changes in parts while it reads them. It returns an error
// that occurs before the first part is sent. After that it can only abort the connection,
// which tells the client that the response is incomplete.
func streamChanges(w *responseWriter, c call, changes iter.Seq2[asset.Change, error]) error {
	begun := false
	part := append(make([]byte, 0, partSize+partSize/4), `{"changelog":[`...)
	separator := ""
	for change, err := range changes {
		if err != nil && !begun {
			return err
		}
		if err != nil {
			w.recordError(withCause(c.Context(), err))
			panic(http.ErrAbortHandler)
		}
		part = appendChange(append(part, separator...), change)
		separator = ","
		if len(part) < partSize {
			continue
		}
		if !begun {
			w.WriteHeader(http.StatusOK)
			begun = true
		}
		c.timer.pause()
		sendOrAbort(w, part)
		w.clearDeadline()
		c.timer.restart()
		part = part[:0]
	}
	part = append(part, `]}`...)
	if !begun {
		w.write(http.StatusOK, part)
		return nil
	}
	sendOrAbort(w, part)
	w.complete = true
	return nil
}

// sendOrAbort sends a part of a changelog. It aborts the connection if the client is
// gone or does not read.
func sendOrAbort(w *responseWriter, part []byte) {
	if w.send(part) != nil {
		panic(http.ErrAbortHandler)
	}
}

// appendChange appends a changelog entry. Types and statuses need no quoting in JSON.
func appendChange(b []byte, change asset.Change) []byte {
	b = append(b, `{"assetId":`...)
	b = strconv.AppendInt(b, change.AssetID, 10)
	b = append(b, `,"type":"`...)
	b = append(b, change.Type...)
	b = append(b, `","content":`...)
	b, _ = jsontext.AppendQuote(b, change.Content) // fails on invalid UTF-8 only, which is never stored
	b = append(b, `,"fromStatus":"`...)
	b = append(b, change.From...)
	b = append(b, `","toStatus":"`...)
	b = append(b, change.To...)
	b = append(b, `","updatedAt":"`...)
	b = change.At.UTC().AppendFormat(b, timestampLayout)
	return append(b, `"}`...)
}
