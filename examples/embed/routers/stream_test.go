package routers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

// paged is a store with a changelog of two pages.
type paged struct {
	storage.Store
	// second is called before the second page is read.
	second func(context.Context) error
}

// Changes returns a full first page, and a second one with a single change.
func (p paged) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	if req.Cursor == (asset.ChangeCursor{}) {
		return step.Page[asset.Change]{Items: changes(req.Limit+1, req.Limit), More: true}, nil
	}
	if err := p.second(ctx); err != nil {
		return step.Page[asset.Change]{}, err
	}
	return step.Page[asset.Change]{Items: changes(1, 1)}, nil
}

// changes returns changes in descending order of their IDs, from the newest.
func changes(newest, count int) []asset.Change {
	list := make([]asset.Change, count)
	for i := range list {
		id := int64(newest - i)
		list[i] = asset.Change{
			ID: id, AssetID: id, Type: asset.TypeURL, Content: "https://site-" + strconv.FormatInt(id, 10) + ".example",
			From: asset.StatusUnknown, To: asset.StatusBlocked, At: time.UnixMilli(id).UTC(),
		}
	}
	return list
}

// download is a changelog that a client reads.
type download struct {
	io.Reader
	compressed bool
	// leave makes the client disconnect.
	leave func()
}

// changelog requests the changelog of a store that calls second.
func changelog(t *testing.T, mount mounting, second func(context.Context) error) download {
	t.Helper()
	s := serve(t, mount(newAPI(t, paged{Store: seeded(t), second: second}), "/api/v2"))
	response := send(t, s.request(t, http.MethodPost, "/api/v2/asset/changelog", "{}"))
	t.Cleanup(func() { _ = response.Body.Close() })
	require.Equal(t, http.StatusOK, response.StatusCode)
	return download{Reader: response.Body, compressed: response.Uncompressed, leave: s.leave}
}

// beginning is the size of the part that a client reads before the store continues. It is
// more than the buffers of a server, and less than the first page.
const beginning = 64 << 10

// The store waits before the second page until the client has read the beginning.
func TestStream_SentWhileRead(t *testing.T) {
	t.Parallel()
	for name, mount := range streaming() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := make(chan struct{})
			got := changelog(t, mount, func(ctx context.Context) error {
				select {
				case <-seen:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			var text bytes.Buffer
			_, err := io.CopyN(&text, got, beginning)
			require.NoError(t, err)
			close(seen)
			_, err = io.Copy(&text, got)
			require.NoError(t, err)
			var whole struct{ Changelog []struct{ AssetID int64 } }
			require.NoError(t, json.Unmarshal(text.Bytes(), &whole))
			require.Equal(t, int64(1), whole.Changelog[len(whole.Changelog)-1].AssetID)
			require.Len(t, whole.Changelog, asset.MaxLimit+1)
		})
	}
}

// The store finishes what it does although the client has disconnected.
func TestStream_ClientDisconnects(t *testing.T) {
	t.Parallel()
	for name, mount := range streaming() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			working, left := make(chan struct{}), make(chan struct{})
			ended := make(chan error, 1)
			got := changelog(t, mount, func(ctx context.Context) error {
				close(working)
				<-left
				ended <- ctx.Err()
				return nil
			})
			go func() {
				<-working
				got.leave()
			}()
			_, err := io.Copy(io.Discard, got)
			require.ErrorIs(t, err, context.Canceled)
			close(left)
			require.NoError(t, <-ended)
		})
	}
}

// Middleware of chi and echo that recovers from panics passes on the one that aborts the
// connection. Middleware that compresses does not end the reply normally.
func TestStream_StoreFails(t *testing.T) {
	t.Parallel()
	for name, mount := range mountings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := changelog(t, mount, func(context.Context) error { return errors.New("input/output error") })
			_, err := io.Copy(io.Discard, got)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		})
	}
}

func TestChiBeside_CompressesChangelog(t *testing.T) {
	t.Parallel()
	got := changelog(t, hosts()["ChiBeside"].mount, func(context.Context) error { return nil })
	require.True(t, got.compressed)
}
