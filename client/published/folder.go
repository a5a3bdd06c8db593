// Package published reads a folder that apguard publishes, behind any web server or CDN. It believes only what the
// publisher has signed:
//
//	folder, err := published.New("https://lists.example.com/manifest.json", verifierKey, published.Options{})
//	...
//	list := hashlist.New(24 * time.Hour)
//	err = list.Refresh(ctx, folder.Hashes)
//
// Package client/source makes a Folder the source of a mirror. No request has a key, and none tells what is checked.
package published

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard/publish/manifest"
)

// The defaults of [Options].
const (
	DefaultMaxAge  = time.Hour
	DefaultTimeout = 30 * time.Second
)

// ErrOptions reports that the URL or the key of [New] is invalid. No such error contains a part of the URL.
var ErrOptions = errors.New("invalid option")

// ErrUnavailable reports that the manifest or a file could not be read.
var ErrUnavailable = errors.New("published folder cannot be read")

// Options are the optional settings of a [Folder]. The zero value is valid.
type Options struct {
	// HTTPClient sends the requests. If it is nil, it is [http.DefaultClient].
	HTTPClient *http.Client
	// MaxAge is the age from which on a manifest is refused. If it is not positive, it is [DefaultMaxAge].
	MaxAge time.Duration
	// Timeout is how long a request for a manifest may take, and how long the server may send nothing of a file. After
	// that time, it must have sent 32 KiB of a file a second on average. If it is not positive, it is
	// [DefaultTimeout]. Deadlines of whole calls are those of their contexts.
	Timeout time.Duration
	// Now returns the time. If it is nil, it is [time.Now].
	Now func() time.Time
}

// Folder is a published folder. [New] returns one. It keeps the last manifest that it has accepted, and refuses older
// ones and those of other stores, so a program should have one Folder for each manifest. It is safe for concurrent use.
type Folder struct {
	url       *url.URL
	verifiers note.Verifiers
	options   Options
	// turn has a token while no manifest is read. It guards the fields below.
	turn chan struct{}
	last manifest.Manifest
	// etag is that of the last manifest, or empty.
	etag string
}

// New returns the folder with the manifest at the URL. The verifier key is that of the publisher, in the form
// NAME+HASH+KEY. It is public. There can be several, separated by white space: a manifest is accepted that one of them
// has signed. New connects to nothing.
//
// The error matches [ErrOptions].
func New(manifestURL, verifierKey string, opts Options) (*Folder, error) {
	address, err := parseURL(manifestURL)
	if err != nil {
		return nil, err
	}
	verifiers, err := parseVerifiers(verifierKey)
	if err != nil {
		return nil, err
	}
	opts.HTTPClient = cmp.Or(opts.HTTPClient, http.DefaultClient)
	opts.MaxAge = cmp.Or(max(opts.MaxAge, 0), DefaultMaxAge)
	opts.Timeout = cmp.Or(max(opts.Timeout, 0), DefaultTimeout)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	turn := make(chan struct{}, 1)
	turn <- struct{}{}
	return &Folder{url: address, verifiers: verifiers, options: opts, turn: turn}, nil
}

type optionError string

func (e optionError) Error() string { return string(e) }

func (optionError) Unwrap() error { return ErrOptions }

// parseVerifiers reads verifier keys.
func parseVerifiers(text string) (note.Verifiers, error) {
	var verifiers []note.Verifier
	for key := range strings.FieldsSeq(text) {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			return nil, optionError("verifier key must have the form NAME+HASH+KEY, as apguard publish verifier prints it")
		}
		verifiers = append(verifiers, verifier)
	}
	if verifiers == nil {
		return nil, optionError("verifier key must not be empty")
	}
	return note.VerifierList(verifiers...), nil
}

// parseURL parses the URL of a manifest. Its errors show nothing of the URL, in which there can be a password.
func parseURL(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, optionError("URL of the manifest is malformed; it must begin with https:// or http://")
	case address.Scheme != "http" && address.Scheme != "https":
		return nil, optionError("URL of the manifest must begin with https:// or http://")
	case address.Hostname() == "":
		return nil, optionError("URL of the manifest must have a host")
	case strings.Contains(text, "#"):
		return nil, optionError("URL of the manifest must not have a fragment")
	case address.Path == "" || strings.HasSuffix(address.Path, "/"):
		return nil, optionError("URL of the manifest must name the file, such as " + manifest.Name)
	}
	return address, nil
}
