package httpapi

import (
	"strconv"

	"github.com/apguard/apguard/lists"
)

// listAssets answers GET /asset/list. It reads as many pages as the limit needs.
func (p public) listAssets(w *responseWriter, c call) error {
	req, err := c.request().ListAssets()
	if err != nil {
		return err
	}
	s := newStream(w, c)
	s.part = append(s.part, `{"assets":[`...)
	separator := ""
	for {
		page, err := p.guard.Assets.List(c.Context(), req)
		if err != nil {
			return s.fail(err)
		}
		for _, one := range page.Assets {
			s.part = lists.AppendJSON(append(s.part, separator...), one)
			separator = ","
			s.sendFull()
		}
		req.Cursor, req.Limit = page.NextCursor, req.Limit-len(page.Assets)
		if req.Cursor == 0 || req.Limit <= 0 {
			break
		}
	}
	s.part = append(s.part, `],"nextCursor":`...)
	if req.Cursor == 0 {
		s.part = append(s.part, `null}`...)
	} else {
		s.part = append(s.part, strconv.Quote(strconv.FormatInt(req.Cursor, 10))+"}"...)
	}
	s.end()
	return nil
}
