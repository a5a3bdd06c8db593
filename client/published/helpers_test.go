package published_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client/published"
	"github.com/apguard/apguard/publish/manifest"
)

// publisher is a folder on a server, with a manifest that it signs.
type publisher struct {
	manifest.Manifest
	keys
	url string

	mu sync.Mutex // guards what follows
	// files has the contents by name.
	files map[string][]byte
	// requested has the names of all requests.
	requested []string
	// intercept answers in place of the folder if it reports true. It may be nil.
	intercept func(http.ResponseWriter, *http.Request) bool
}

// keys are a signer and the verifier key of it.
type keys struct {
	signer note.Signer
	key    string
}

// newKey returns the keys of a seed.
func newKey(tb testing.TB, seed byte) keys {
	tb.Helper()
	private, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 32)), "lists.example.com")
	require.NoError(tb, err)
	signer, err := note.NewSigner(private)
	require.NoError(tb, err)
	return keys{signer, public}
}

func newPublisher(tb testing.TB) *publisher {
	tb.Helper()
	p := &publisher{keys: newKey(tb, 1), files: make(map[string][]byte)}
	server := httptest.NewServer(p)
	tb.Cleanup(server.Close)
	p.url = server.URL + "/lists/manifest.json"
	p.Rules = classify.Version
	return p
}

// ServeHTTP serves the folder as a web server does.
func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/lists/")
	p.mu.Lock()
	intercept := p.intercept
	content, ok := p.files[name]
	p.requested = append(p.requested, name)
	p.mu.Unlock()
	if intercept != nil && intercept(w, r) {
		return
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf("%q", base64.RawURLEncoding.EncodeToString(content[:min(len(content), 9)])+hash(content)))
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return fmt.Sprintf("%x", sum[:8])
}

// requests returns the names of the files that were requested since the last call.
func (p *publisher) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	requested := p.requested
	p.requested = nil
	return requested
}

func (p *publisher) set(intercept func(http.ResponseWriter, *http.Request) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.intercept = intercept
}

// put puts a file into the folder.
func (p *publisher) put(name string, content []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[name] = content
}

// remove removes a file from the folder.
func (p *publisher) remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.files, name)
}

// content returns the content of a file.
func (p *publisher) content(name string) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.files[name]
}

// saved returns a function that puts the present files back.
func (p *publisher) saved() (restore func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	files := maps.Clone(p.files)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.files = files
	}
}

// add adds a file to the folder and to the manifest. The name is completed.
func (p *publisher) add(f manifest.File, content []byte) manifest.File {
	f.Name = fmt.Sprintf("%s-%d-%s.bin", f.Kind, len(p.Files), hash(content))
	f.Size, f.SHA256 = int64(len(content)), sha256.Sum256(content)
	p.put(f.Name, content)
	p.Files = append(p.Files, f)
	return f
}

// publish puts the manifest into the folder, with a time.
func (p *publisher) publish(tb testing.TB, at time.Time) {
	tb.Helper()
	p.Time = at
	data, err := p.Sign(p.signer)
	require.NoError(tb, err)
	p.put(manifest.Name, data)
}

// open returns the folder for a client.
func (p *publisher) open(tb testing.TB, opts published.Options) *published.Folder {
	tb.Helper()
	folder, err := published.New(p.url, p.key, opts)
	require.NoError(tb, err)
	return folder
}

// at returns a version of a store.
func at(store byte, position int64) asset.FeedCursor {
	return asset.Feed{Store: asset.StoreID{store}}.Cursor(position)
}
