package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// HashesRequest asks for hash lists.
type HashesRequest struct {
	// Version is that of the lists that the caller holds. If it is empty, the lists are whole.
	Version string
	// ETag is that of an earlier response to a request with the same version. If the lists are the same,
	// the error matches [ErrNotModified].
	ETag string
}

// Hashes are hash lists, or what changes the lists with a version into them. Package check/hashlist
// decodes them.
type Hashes struct {
	Data []byte
	// AsOf is a time at which the server had these lists: the time of the request, less the age of the
	// lists.
	AsOf time.Time
	ETag string
	// Rules is the version of the rules by which the server made the hashes, or 0 if it does not say.
	Rules int
}

// Hashes returns the hash lists of the server, for checks without it. The Client does not verify them.
//
// The error matches [ErrNotFound] if the server has no hash lists.
func (c *Client) Hashes(ctx context.Context, req HashesRequest) (Hashes, error) {
	query := make(url.Values)
	setText(query, "version", req.Version)
	call := get("/asset/hashes", query)
	if req.ETag != "" {
		call.header = http.Header{"If-None-Match": {req.ETag}}
	}
	began := time.Now()
	var hashes Hashes
	call.receive = func(r *response) (err error) {
		defer r.body.Close() //nolint:errcheck // it is only read
		if !isMediaType(r.header, "application/x-protobuf") {
			return responseError("unexpected media type")
		}
		age, err := ageOf(r)
		if err != nil {
			return err
		}
		rules, err := rulesOf(r)
		if err != nil {
			return err
		}
		hashes = Hashes{AsOf: began.Add(-age), ETag: r.header.Get("ETag"), Rules: rules}
		hashes.Data, err = readAll(r.body, MaxBody)
		return err
	}
	if err := c.send(ctx, call); err != nil {
		return Hashes{}, err
	}
	return hashes, nil
}

// ageOf returns the age of a response.
func ageOf(r *response) (time.Duration, error) {
	age, err := strconv.ParseUint(r.header.Get("Age"), 10, 31)
	if err != nil {
		return 0, responseError("it does not say its age")
	}
	return time.Duration(age) * time.Second, nil
}
