package publish_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish/manifest"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// lagging is a store whose feed ends early, as on a standby that lags behind the server of the hash lists.
type lagging struct {
	storage.Store
	// end is how many changes the feed has, or 0 if it has all.
	end int64
}

func (s *lagging) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	page, err := s.Store.Since(ctx, after, limit)
	if s.end > 0 {
		page.Items = slices.DeleteFunc(page.Items, func(e asset.FeedEntry) bool { return e.Cursor.Position() > s.end })
	}
	return page, err
}

// A feed that lags behind the hash lists does not make a page that lacks changes.
func TestPublisher_Publish_lags(t *testing.T) {
	t.Parallel()
	for reason, end := range map[string]int64{"at the last page": 1, "after the last page": 2} {
		f := newFixture(t)
		store := &lagging{Store: memory.New()}
		f.use(store)
		f.exporting(lists.JSONLines)
		f.set(t, asset.StatusBlocked, "bad.com")
		f.publish(t)
		c := newClient()
		c.update(t, f)
		f.set(t, asset.StatusAllowed, "good.com")
		f.set(t, asset.StatusUnknown, "bad.com")
		require.NoError(t, f.options.Sync(t.Context()))
		before := f.folder.files[manifest.Name]
		store.end = end
		_, err := f.try(t)
		require.ErrorContains(t, err, "server that lags", reason)
		require.Equal(t, before, f.folder.files[manifest.Name], reason)

		store.end = 0
		f.publish(t)
		c.update(t, f)
		requireSame(t, f, c)
		require.Equal(t, map[string]asset.Status{"good.com": asset.StatusAllowed}, c.assets, reason)
	}
}
