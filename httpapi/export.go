package httpapi

import (
	"iter"
	"net/http"
	"path"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// exportPath is the path before the name of a format.
const exportPath = "/asset/export/"

// exportOperations returns an operation for each format, so that the path of an unknown one
// is not found.
func (p public) exportOperations() []operation {
	formats := lists.Writable()
	operations := make([]operation, len(formats))
	for i, format := range formats {
		operations[i] = operation{
			methods: []string{http.MethodGet, http.MethodHead},
			path:    exportPath + string(format),
			scope:   account.ScopeChangelog,
			costly:  true,
			handle:  p.exportAssets,
		}
	}
	return operations
}

// exportAssets answers GET /asset/export/{format}. The position of the feed is read before
// the assets, so the list has at least the changes up to it. Unpublished changes do not move the
// position, so the list may then have been modified although the tag is the same.
func (p public) exportAssets(w *responseWriter, c call) error {
	format := lists.Format(path.Base(w.info.Operation))
	statuses, err := c.request().ExportAssets(format)
	if err != nil {
		return err
	}
	feed, err := p.guard.Feed.State(c.Context())
	if err != nil {
		return err
	}
	tag := exportTag(format, statuses, feed)
	w.Header().Set("ETag", tag)
	w.Header().Set(feedCursorHeader, feed.End().String())
	setRulesVersion(w.Header())
	w.Header().Set("Cache-Control", "private, no-cache")
	if !feed.Unpublished && hasTag(c.Header.Values("If-None-Match"), tag) {
		w.notModified()
		return nil
	}
	w.Header().Set("Content-Type", mediaType(format))
	if c.Method == http.MethodHead {
		w.WriteHeader(http.StatusOK)
		w.complete = true
		return nil
	}
	s := newStream(w, c)
	source := func(filter asset.Filter) iter.Seq2[asset.Listed, error] {
		return p.guard.Assets.All(c.Context(), filter, 0)
	}
	if _, err := lists.Write(s, format, source, lists.WriteOptions{Statuses: statuses, Serial: feed.Serial()}); err != nil {
		err = s.fail(err)
		w.Header().Del("ETag")
		w.Header().Del(feedCursorHeader)
		w.Header().Del(rulesVersionHeader)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json")
		return err
	}
	s.end()
	return nil
}

// exportTag returns the entity tag of a list. It names the format and the statuses too, because
// clients send a tag with another URL if they change what they ask for.
func exportTag(format lists.Format, statuses []asset.Status, feed asset.Feed) string {
	parts := []string{string(format)}
	for _, status := range statuses {
		parts = append(parts, string(status))
	}
	return `W/"` + strings.Join(append(parts, feed.End().String()), ".") + `"`
}

// mediaType returns the media type of a format.
func mediaType(format lists.Format) string {
	switch format {
	case lists.PhishingDetect, lists.MISPWarninglist:
		return "application/json"
	case lists.STIX:
		return "application/stix+json;version=2.1"
	case lists.CSV:
		return "text/csv; charset=utf-8"
	case lists.JSONLines:
		return "application/x-ndjson"
	default:
		return "text/plain; charset=utf-8"
	}
}

// hasTag reports whether the header If-None-Match has an entity tag, by weak comparison
// (RFC 9110, section 13.1.2).
func hasTag(values []string, tag string) bool {
	for _, value := range values {
		for given := range strings.SplitSeq(value, ",") {
			given = strings.TrimSpace(given)
			if given == "*" || strings.TrimPrefix(given, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}
