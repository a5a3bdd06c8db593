package httpapi

import (
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// listChanges answers the specification's "Asset changelog".
func (p public) listChanges(w *responseWriter, c call) error {
	query, err := c.request().Changelog()
	if err != nil {
		return err
	}
	changes, err := p.guard.Changelog(c.Context(), query)
	if err != nil {
		return err
	}
	return streamChanges(w, c, changes)
}

// streamChanges sends the changes while it reads them.
func streamChanges(w *responseWriter, c call, changes iter.Seq2[asset.Change, error]) error {
	s := newStream(w, c)
	s.part = append(s.part, `{"changelog":[`...)
	separator := ""
	for change, err := range changes {
		if err != nil {
			return s.fail(err)
		}
		s.part = appendChange(append(s.part, separator...), change)
		separator = ","
		s.sendFull()
	}
	s.part = append(s.part, `]}`...)
	s.end()
	return nil
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
	b = appendTimestamp(b, change.At)
	return append(b, `"}`...)
}
