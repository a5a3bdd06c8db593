package httpapi

import "time"

// delayRefusal waits before a request is answered with 429. It waits less if the client
// disconnects, and not at all if as many requests wait already as the limits allow. The
// connection of a delayed request cannot serve others meanwhile, so their number must be
// limited. The wait does not count as time that the request took.
func (a *API) delayRefusal(w *responseWriter) {
	if a.options.RefusalDelay < 0 {
		return
	}
	client := network(w.info.ClientAddr)
	if a.delayed.take(client, 1) != noExcess {
		return
	}
	defer a.delayed.giveBack(client, 1)
	began := time.Now()
	select {
	case <-time.After(a.options.RefusalDelay):
	case <-w.request.Context().Done():
	}
	w.began = w.began.Add(time.Since(began))
}
