package hotlist

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/follow"
	"github.com/apguard/apguard/lists"
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
	h := &Hotlist{}
	publish := func(position int64) weak.Pointer[published] {
		var history follow.Log[change]
		var list lists.WalletList
		for i := range int64(3000) {
			host := string([]byte{'a' + byte(i/676), 'a' + byte(i/26%26), 'a' + byte(i%26)}) + ".example.com"
			history = history.Append(i+1, change{position: i + 1, at: 1000, hosts: []string{host}}, 3000)
			list.Blocked = append(list.Blocked, host)
		}
		p := newPublished(state{asset.StoreID{1}, position}, list, history)
		h.published.Store(p)
		return weak.Make(p)
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
