package hotlist

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
)

// waitingClient waits in each part of a response.
type waitingClient struct{ waits, resume chan struct{} }

func (c waitingClient) Write(part []byte) (int, error) {
	c.waits <- struct{}{}
	<-c.resume
	return len(part), nil
}

// Clients that wait keep nothing that was replaced.
func TestResponse_WriteTo_keepsNothing(t *testing.T) {
	t.Parallel()
	h := New(Options{})
	publish := func(position int64) weak.Pointer[published] {
		store := asset.Feed{Store: asset.StoreID{1}, Last: position}
		c := h.NewCopy(store, asset.FeedCursor{})
		for i := range int64(3000) {
			host := string([]byte{'a' + byte(i/676), 'a' + byte(i/26%26), 'a' + byte(i%26)}) + ".example.com"
			changed := asset.Change{Type: asset.TypePage, Content: host, From: asset.StatusUnknown, To: asset.StatusBlocked, At: time.Unix(1000, 0)}
			require.NoError(t, c.Apply([]asset.FeedEntry{{Change: changed, Cursor: store.Cursor(i + 1)}}, store.Cursor(i+1)))
		}
		c.Publish(feed.AsOf{Store: store.Store, Cursor: store.End()})
		return weak.Make(h.published.Load())
	}
	old := publish(3000)
	c := waitingClient{make(chan struct{}), make(chan struct{})}
	done := make(chan error)
	requests := []func() (Response, error){
		h.Stalelist,
		func() (Response, error) { return h.DiffsSince(1) },
		func() (Response, error) { return h.RequestBlocklist(0) },
		func() (Response, error) { return h.RequestBlocklist(1000) },
	}
	for _, request := range requests {
		response, err := request()
		require.NoError(t, err)
		go func() {
			_, err := response.WriteTo(c)
			done <- err
		}()
		<-c.waits
	}
	publish(3001)
	for range 10 {
		runtime.GC()
	}
	require.Nil(t, old.Value())
	close(c.resume)
	for ended := 0; ended < len(requests); {
		select {
		case <-c.waits:
		case err := <-done:
			require.NoError(t, err)
			ended++
		}
	}
}
