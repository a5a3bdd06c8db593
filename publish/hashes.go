package publish

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/internal/wait"
	"github.com/apguard/apguard/publish/manifest"
)

const (
	// publicationTime is how long a publication waits for changes that exports can have and the feed does not have
	// yet, and publicationInterval is the time between two looks.
	publicationTime     = 10 * time.Second
	publicationInterval = 10 * time.Millisecond
)

// hashes returns the hash lists, which lead to the version of the manifest.
func (w *work) hashes(ctx context.Context) (chain, error) {
	c := w.oldHashes()
	response, err := w.sync(ctx, c.end())
	if err != nil {
		return chain{}, err
	}
	version, err := asset.ParseFeedCursor(response.Version)
	if err != nil {
		return chain{}, err
	}
	if err := w.follows(version.Store(), version); err != nil {
		return chain{}, err
	}
	c = w.oldHashes() // the store may be another one
	changed := !samePosition(version, c.end())
	if c.none() || changed && response.Since == "" {
		whole, err := w.putHashes(ctx, response)
		w.version = whole.Version
		return chain{whole: whole}, err
	}
	if changed {
		if err := w.step(ctx, &c, response); err != nil {
			return chain{}, err
		}
	}
	if c.long() {
		err = w.renew(ctx, &c)
	}
	c.trim()
	w.version = c.end()
	return c, err
}

// oldHashes returns the hash lists of the manifest in the folder that are continued.
func (w *work) oldHashes() chain {
	all := find(w.old, func(f manifest.File) bool { return f.Kind == manifest.KindHashes })
	steps := find(all, manifest.File.IsStep)
	for _, f := range all {
		if !f.IsStep() {
			return newChain(f, steps)
		}
	}
	return chain{}
}

// sync returns the difference to hash lists, after they have every change that was committed before a new export for
// mirrors was complete.
func (w *work) sync(ctx context.Context, since asset.FeedCursor) (hashes.Response, error) {
	for began := time.Now(); ; {
		if err := w.options.Sync(ctx); err != nil {
			return hashes.Response{}, err
		}
		response, err := w.options.Hashes.Since(since.String())
		if err != nil {
			return hashes.Response{}, err
		}
		w.asOf = w.options.Clock().Add(-response.Age)
		switch {
		case !time.Now().Add(-response.Age).Before(w.listedAt):
			return response, nil
		case time.Since(began) > publicationTime:
			return hashes.Response{}, ErrUnpublished
		}
		if _, err := wait.For(ctx, publicationInterval, nil); err != nil {
			return hashes.Response{}, err
		}
	}
}

// step adds a difference to the chain.
func (w *work) step(ctx context.Context, c *chain, response hashes.Response) error {
	f, err := w.putHashes(ctx, response)
	c.steps = append(c.steps, f)
	return err
}

// renew makes the whole lists again. They stay as they are if they have changed meanwhile, until the next publication.
func (w *work) renew(ctx context.Context, c *chain) error {
	whole, err := w.options.Hashes.Since("")
	if err != nil || whole.Version != c.end().String() {
		return err
	}
	c.whole, err = w.putHashes(ctx, whole)
	return err
}

// putHashes writes hash lists.
func (w *work) putHashes(ctx context.Context, response hashes.Response) (manifest.File, error) {
	f := manifest.File{Kind: manifest.KindHashes}
	if err := errors.Join(f.Since.UnmarshalText([]byte(response.Since)), f.Version.UnmarshalText([]byte(response.Version))); err != nil {
		return f, err
	}
	return w.put(ctx, f, "pb", newContent(response.Data))
}
