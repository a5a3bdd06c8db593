package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/publish/manifest"
	"github.com/apguard/apguard/storage"
)

// publishers is how many processes publish to one folder at the same time.
const publishers = 2

// TestCrash_Publish lets two processes publish one database to one folder again and again, while statuses change, and
// kills them at random moments. A reader that looks all the time must only see manifests that are signed, and each file
// that they name must be whole. At the end, the folder has what the database has.
func TestCrash_Publish(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	db, folder := filepath.Join(t.TempDir(), "assets.db"), t.TempDir()
	require.NoError(t, start(t, "-db", db, "-seed", writeFile(t, seed)).stop())
	file, known := signingKey(t)
	arguments := []string{"publish", "-db", db, "-to", folder, "-exports", "jsonl,hosts", "-signing-key-file", file}
	withStore(t, db, func(store storage.Store) {
		guard := apguard.New(store, apguard.Options{})
		setHosts(t.Context(), t, guard, 0, 1000)
		began := time.Now()
		require.NoError(t, subprocess(t, arguments...).Run())
		took := time.Since(began)

		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		reader := folderReader{folder: folder, known: known, whole: make(map[string]bool)}
		running.Go(func() {
			for ctx.Err() == nil {
				reader.read(t)
			}
		})
		running.Go(func() {
			for n := 1000; ctx.Err() == nil; n += 10 {
				setHosts(context.WithoutCancel(ctx), t, guard, n, 10)
			}
		})
		var (
			publishing sync.WaitGroup
			killed     atomic.Int64
		)
		for range publishers {
			publishing.Go(func() {
				for kills := testsize.Of(0, 4, 20) / publishers; kills > 0; {
					cmd := subprocess(t, arguments...)
					if err := cmd.Start(); err != nil {
						t.Error(err)
						return
					}
					kill := time.AfterFunc(took/2+rand.N(2*took), func() { _ = cmd.Process.Kill() })
					if err := cmd.Wait(); err != nil {
						kills--
						killed.Add(1)
					}
					kill.Stop()
				}
			})
		}
		publishing.Wait()
		leftovers, err := filepath.Glob(filepath.Join(folder, publish.TempPrefix+"*"))
		require.NoError(t, err)
		stop()
		running.Wait()

		mustRun(t, noVariables, arguments...)
		reader.read(t)
		feed, err := guard.Feed.State(t.Context())
		require.NoError(t, err)
		require.Equal(t, feed.End(), reader.last.Version, "it has every change")
		t.Logf("%d processes were killed, %d of them while they wrote a file; %d manifests and %d files were read, and %d manifests were older than the last",
			killed.Load(), len(leftovers), reader.manifests, len(reader.whole), reader.older)
	})
}

// setHosts blocks hosts with numbers.
func setHosts(ctx context.Context, t *testing.T, guard *apguard.Guard, first, n int) {
	t.Helper()
	req := asset.SetStatusesRequest{Items: make([]asset.StatusItem, n)}
	for i := range req.Items {
		classified, err := classify.Classify(fmt.Sprintf("site-%d.com", first+i))
		require.NoError(t, err)
		req.Items[i] = asset.StatusItem{Identity: classified.Identity, Status: asset.StatusBlocked}
	}
	if _, err := guard.Assets.SetStatuses(ctx, req); err != nil {
		t.Error(err)
	}
}

// folderReader reads a folder. It verifies each file once.
type folderReader struct {
	folder           string
	known            note.Verifiers
	whole            map[string]bool
	last             manifest.Manifest
	manifests, older int
}

// read reads the manifest, and the files that it did not name before.
func (r *folderReader) read(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.folder, manifest.Name))
	if err != nil {
		t.Error(err)
		return
	}
	m, err := manifest.Open(data, r.known)
	if err != nil {
		t.Error(err)
		return
	}
	if m.Time.Equal(r.last.Time) && m.Version == r.last.Version {
		return
	}
	if errors.Is(m.Refusal(r.last, time.Now(), time.Minute), manifest.ErrOlder) {
		r.older++
	}
	r.manifests, r.last = r.manifests+1, m
	for _, f := range m.Files {
		if !r.whole[f.Name] {
			r.verify(t, f)
		}
	}
	for _, kind := range []manifest.Kind{manifest.KindHashes, manifest.KindChanges} {
		for _, f := range m.Files {
			if _, ok := m.Steps(kind, f.Version); f.Kind == kind && !ok {
				t.Errorf("no way from %s to the version of the manifest", f.Name)
			}
		}
	}
}

// verify reads a file.
func (r *folderReader) verify(t *testing.T, f manifest.File) {
	t.Helper()
	file, err := os.Open(filepath.Join(r.folder, f.Name))
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close() //nolint:errcheck // it is only read
	if _, err := io.Copy(io.Discard, f.Reader(file)); err != nil {
		t.Error(err)
	}
	r.whole[f.Name] = true
}
