package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/apguard/apguard/lists"
)

// userAgent is what the fetcher calls itself.
const userAgent = "apguard-lists"

// received is a file of a list. The zero value means that the list has the file already.
type received struct {
	file               *os.File
	etag, lastModified string
}

// remove removes the file.
func (r received) remove() {
	_ = r.file.Close() // it was written and read
	_ = os.Remove(r.file.Name())
}

// receive receives the file of the list, unless the server says that it is the one with the ETag or the LastModified of the
// list. The error is that of ctx if that has ended.
func (f *Fetcher) receive(ctx context.Context, list lists.List) (received, error) {
	timed, cancel := context.WithTimeout(ctx, f.options.Timeout)
	defer cancel()
	got, err := f.get(timed, list)
	switch {
	case err == nil:
		return got, nil
	case ctx.Err() != nil:
		return received{}, ctx.Err()
	case timed.Err() != nil:
		return received{}, &Error{Failure: FailureTimeout, detail: "more than " + f.options.Timeout.String()}
	}
	return received{}, err
}

func (f *Fetcher) get(ctx context.Context, list lists.List) (received, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, list.URL, nil)
	if err != nil {
		return received{}, &Error{Failure: FailureURL} // a list of another version
	}
	if err := f.checkURL(req.URL); err != nil {
		return received{}, err
	}
	req.Header.Set("User-Agent", userAgent)
	setUnlessEmpty(req.Header, "If-None-Match", list.ETag)
	setUnlessEmpty(req.Header, "If-Modified-Since", list.LastModified)
	response, err := f.client.Do(req)
	if err != nil {
		return received{}, errorOf(err)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	conditional := list.ETag != "" || list.LastModified != ""
	encoding := response.Header.Get("Content-Encoding") // gzip, which was asked for, is decoded
	switch {
	case response.StatusCode == http.StatusNotModified && conditional:
		return received{}, nil
	case response.StatusCode != http.StatusOK:
		return received{}, &Error{Failure: FailureStatus, Status: response.StatusCode}
	case encoding != "" && encoding != "identity":
		return received{}, &Error{Failure: FailureEncoding}
	}
	file, err := f.spool(response.Body)
	return received{file, response.Header.Get("ETag"), response.Header.Get("Last-Modified")}, err
}

func setUnlessEmpty(header http.Header, name, value string) {
	if value != "" {
		header.Set(name, value)
	}
}

// spool copies the body to a temporary file.
func (f *Fetcher) spool(body io.Reader) (*os.File, error) {
	file, err := os.CreateTemp("", "apguard-*")
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	if err := f.copy(file, body); err != nil {
		received{file: file}.remove()
		return nil, err
	}
	return file, nil
}

func (f *Fetcher) copy(file *os.File, body io.Reader) error {
	most := f.options.MaxBytes
	n, err := io.Copy(struct{ io.Writer }{file}, io.LimitReader(body, most+1)) // not with ReadFrom, which hides whose error it is
	var path *os.PathError
	switch {
	case errors.As(err, &path):
		return fmt.Errorf("temporary file: %w", err)
	case err != nil:
		return &Error{Failure: FailureBroken}
	case n > most:
		return &Error{Failure: FailureSize, detail: "more than " + strconv.FormatInt(most, 10) + " bytes"}
	}
	return nil
}
