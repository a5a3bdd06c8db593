package publish_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/publish"
)

// Run goes on after errors, and reports one that repeats once.
func TestPublisher_Run(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var reported []error
	failures, publications := 5, 0
	f.folder.fails = func(method, _ string) error {
		if method == "Write" && failures > 0 {
			failures--
			return errDisk
		}
		return nil
	}
	f.options.Interval = time.Nanosecond
	f.options.OnError = func(err error) { reported = append(reported, err) }
	f.options.OnPublished = func(made publish.Publication) {
		require.Equal(t, made.Manifest, readManifest(t, f.folder, verifiers(t, f.key)))
		if publications++; publications == 3 {
			stop()
		}
		f.now = f.now.Add(time.Second)
	}
	p, err := publish.New(f.folder, f.options)
	require.NoError(t, err)
	require.ErrorIs(t, p.Run(ctx), context.Canceled)
	require.Equal(t, []error{errDisk}, reported)
	require.Equal(t, 3, publications)
}

// Old files that cannot be removed are an error, but everything is published.
func TestPublisher_Run_notCleaned(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.publish(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	f.folder.fails = func(_, name string) error {
		if name == "unused.json" {
			return errDisk
		}
		return nil
	}
	f.options.Interval = time.Nanosecond
	var reported []error
	f.options.OnError = func(err error) { reported = append(reported, err) }
	publications := 0
	f.options.OnPublished = func(made publish.Publication) {
		require.Equal(t, made.Manifest, readManifest(t, f.folder, verifiers(t, f.key)))
		if publications++; publications == 3 {
			stop()
		}
		f.now = f.now.Add(time.Second)
	}
	p, err := publish.New(f.folder, f.options)
	require.NoError(t, err)
	require.ErrorIs(t, p.Run(ctx), context.Canceled)
	require.Len(t, reported, 1)
	require.ErrorIs(t, reported[0], publish.ErrNotCleaned)
	require.ErrorIs(t, reported[0], errDisk)
}
