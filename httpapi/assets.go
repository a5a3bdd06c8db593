package httpapi

import (
	"cmp"
	"net/url"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// queryOf returns the parameters of a request.
func queryOf(c call) (fields, error) {
	parameters, err := url.ParseQuery(c.URL.RawQuery)
	if err != nil {
		return fields{}, inputError("", "the query must be parameters in URL encoding")
	}
	return fields{source: query(parameters)}, nil
}

// listAssets answers GET /asset/list. It reads as many pages as the limit needs.
func (a *API) listAssets(w *responseWriter, c call) error {
	f, err := queryOf(c)
	if err != nil {
		return err
	}
	req := asset.ListRequest{
		Filter: asset.Filter{
			Status:       asset.Status(f.nonEmpty("status")),
			Type:         asset.Type(f.nonEmpty("type")),
			Prefix:       f.text("prefix"),
			ChangedSince: one(&f, "changedSince", asTime),
		},
		Cursor: f.cursor(),
		Limit:  cmp.Or(f.limit(asset.MaxListLimit), asset.DefaultListLimit),
	}
	if err := f.join(req.Validate()); err != nil {
		return err
	}
	s := newStream(w, c)
	s.part = append(s.part, `{"assets":[`...)
	separator := ""
	for {
		page, err := a.service.ListAssets(c.Context(), req)
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

// asTime converts a day in UTC, which means its start, or a time of RFC 3339.
func asTime(v value) (time.Time, string) {
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano} {
		if at, err := time.Parse(layout, v.text); err == nil && asset.ValidTime(at) {
			return at.UTC(), ""
		}
	}
	return time.Time{}, "must be a date, written YYYY-MM-DD, or a time of RFC 3339"
}
