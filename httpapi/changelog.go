package httpapi

import (
	"iter"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/wire"
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
		s.part = wire.AppendChange(append(s.part, separator...), change)
		separator = ","
		s.sendFull()
	}
	s.part = append(s.part, `]}`...)
	s.end()
	return nil
}
