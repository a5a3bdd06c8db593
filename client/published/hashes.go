package published

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/publish/manifest"
)

// maxRequests is how many files are requested at the same time.
const maxRequests = 8

// Hashes is a [hashlist.Fetch]. It requests the manifest, and then the files that lead from the version to that of the
// manifest, if there are any. The list is then as of the time of the manifest.
//
// The error is that of [Folder.Manifest], or a [*hashlist.RulesError]. It matches [hashlist.ErrDamaged] if a file is
// not that of the manifest, [ErrUnavailable] if one cannot be read, and [manifest.ErrMissing] if hash lists are not
// published.
func (f *Folder) Hashes(ctx context.Context, version string) (hashlist.Response, error) {
	held, err := asset.ParseFeedCursor(version)
	if err != nil {
		return hashlist.Response{}, err
	}
	m, err := f.Manifest(ctx)
	if err != nil {
		return hashlist.Response{}, hashError(err)
	}
	files, err := m.Hashes(held)
	if err != nil {
		return hashlist.Response{}, err
	}
	bodies, err := f.bodies(ctx, files)
	if err != nil {
		return hashlist.Response{}, hashError(err)
	}
	response := hashlist.Response{Version: m.Version.String(), AsOf: m.AsOf, Rules: m.Rules}
	if len(bodies) > 0 {
		response.Data, response.More = bodies[0], bodies[1:]
	}
	return response, nil
}

// bodies returns the contents of files. Together they have at most [hashlist.MaxSaved] bytes.
func (f *Folder) bodies(ctx context.Context, files []manifest.File) ([][]byte, error) {
	bodies, left := make([][]byte, len(files)), int64(hashlist.MaxSaved)
	requests, ctx := errgroup.WithContext(ctx)
	requests.SetLimit(maxRequests)
	for i, file := range files {
		limit := left
		requests.Go(func() (err error) {
			bodies[i], err = f.Read(ctx, file, limit)
			return err
		})
		left = max(0, left-file.Size)
	}
	return bodies, requests.Wait()
}

// hashError returns the error of package hashlist for an error, if there is one.
func hashError(err error) error {
	var rules *manifest.RulesError
	switch {
	case errors.As(err, &rules):
		return &hashlist.RulesError{Have: rules.Have, Want: rules.Want}
	case errors.Is(err, manifest.ErrFile):
		return fmt.Errorf("%w: %w", hashlist.ErrDamaged, err)
	}
	return err
}
