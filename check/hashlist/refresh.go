package hashlist

import (
	"context"
	"errors"
)

// Fetch requests a hash list from a server. The version is that of the list that is held, or empty for
// the whole list. Package client/source has one for a server.
type Fetch func(ctx context.Context, version string) (Response, error)

// Refresh fetches what has changed and updates the list with it. If the response is damaged or does not
// fit, Refresh fetches the whole list.
//
// The error is that of fetch or of [List.Update]. After an error, the list answers until it is outdated.
// Calls wait for each other, because of two equal differences only one fits.
func (l *List) Refresh(ctx context.Context, fetch Fetch) error {
	l.refreshing.Lock()
	defer l.refreshing.Unlock()

	version := l.State().Version
	err := l.fetch(ctx, fetch, version)
	if version != "" && (errors.Is(err, ErrDamaged) || errors.Is(err, ErrReplayed)) {
		return l.fetch(ctx, fetch, "")
	}
	return err
}

func (l *List) fetch(ctx context.Context, fetch Fetch, version string) error {
	response, err := fetch(ctx, version)
	if err != nil {
		return err
	}
	return l.Update(response)
}
