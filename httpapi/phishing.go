package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"strconv"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/hotlist"
)

// diffsPath is the path of what has changed since a time stamp.
const diffsPath = "/v2/diffsSince/" + wildcard

// NewPhishing returns the API that clients of MetaMask's phishing detection call
// (@metamask/phishing-controller), which can be pointed at another server:
//
//   - GET /v1/stalelist: all hosts and paths.
//   - GET /v2/diffsSince/{timestamp}: what has changed since.
//   - GET /v1/request-blocklist?timestamp=: hashes of blocked hosts, by which these clients block
//     requests of pages.
//
// A [feed.Replica] must fill the list. See package hotlist for what a time stamp is. The clients send no credentials, so everybody can read the lists, and the limits of callers apply
// to each client address. Mount it on a host of its own: the clients know no base. It has no OpenAPI document.
//
// NewPhishing returns an error that matches [ErrOptions] if the list is nil or an option is invalid.
func NewPhishing(list *hotlist.Hotlist, opts Options) (*API, error) {
	opts = opts.withDefaults()
	if list == nil {
		return nil, fmt.Errorf("%w: list is nil", ErrOptions)
	}
	if err := opts.validate(); err != nil {
		return nil, err
	}
	return buildAPI(phishing{list}.operations(), nil, opts)
}

// phishing has the operations for clients of MetaMask's phishing detection.
type phishing struct {
	list *hotlist.Hotlist
}

func (p phishing) operations() []operation {
	read := func(path string, handle func(*responseWriter, call) error) operation {
		return operation{methods: []string{http.MethodGet, http.MethodHead}, path: path, anonymous: true, browsers: true, handle: handle}
	}
	return []operation{
		read("/v1/stalelist", p.stalelist),
		read(diffsPath, p.diffsSince),
		read("/v1/request-blocklist", p.requestBlocklist),
	}
}

func (p phishing) stalelist(w *responseWriter, c call) error {
	response, err := p.list.Stalelist()
	return answerList(w, c, response, err)
}

func (p phishing) diffsSince(w *responseWriter, c call) error {
	stamp, err := parseStamp(path.Base(c.URL.Path))
	if err != nil {
		return err
	}
	response, err := p.list.DiffsSince(stamp)
	return answerList(w, c, response, err)
}

func (p phishing) requestBlocklist(w *responseWriter, c call) error {
	var since int64
	if text := c.URL.Query().Get("timestamp"); text != "" {
		var err error
		if since, err = parseStamp(text); err != nil {
			return err
		}
	}
	response, err := p.list.RequestBlocklist(since)
	return answerList(w, c, response, err)
}

// parseStamp parses a time stamp.
func parseStamp(text string) (int64, error) {
	stamp, err := strconv.ParseInt(text, 10, 64)
	if err != nil || stamp < 0 || stamp > asset.MaxID {
		return 0, apiError{status: http.StatusBadRequest, message: "Invalid time stamp"}
	}
	return stamp, nil
}

// answerList streams a response, unless the client has it already.
func answerList(w *responseWriter, c call, response hotlist.Response, err error) error {
	if err != nil {
		return hotlistError(err)
	}
	tag := `W/"` + response.Version + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "public, no-cache")
	if hasTag(c.Header.Values("If-None-Match"), tag) {
		w.notModified()
		return nil
	}
	if c.Method == http.MethodHead {
		w.writeHead(http.StatusOK)
		return nil
	}
	s := &stream{w: w, c: c} // it gets whole parts
	if _, err := response.WriteTo(s); err != nil {
		err = s.fail(hotlistError(err))
		w.Header().Del("ETag")
		w.Header().Set("Cache-Control", "no-store")
		return err
	}
	s.end()
	return nil
}

// hotlistError returns the error for a client.
func hotlistError(err error) error {
	if errors.Is(err, hotlist.ErrTooOld) {
		return apiError{status: http.StatusGone, message: "Changes since this time stamp are not known"}
	}
	return err
}
