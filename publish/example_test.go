package publish_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"strings"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/storage/memory"
)

func ExamplePublisher() {
	folder, err := os.MkdirTemp("", "published-*")
	if err == nil {
		err = publishOnce(context.Background(), folder)
	}
	if err = errors.Join(err, os.RemoveAll(folder)); err != nil {
		log.Fatal(err)
	}
	// Output: hashes true
}

// publishOnce publishes a store with one asset to a directory.
func publishOnce(ctx context.Context, folder string) error {
	guard := apguard.New(memory.New(), apguard.Options{})
	if _, err := guard.SetStatus(ctx, "bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		return err
	}
	private, err := publish.GenerateKey("example.com") // once; keep it secret
	if err != nil {
		return err
	}
	key, err := publish.ParseKey(private)
	if err != nil {
		return err
	}
	origin := hashes.New(hashes.Options{})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{origin}})
	p, err := publish.New(publish.Dir(folder), publish.Options{Keys: []publish.Key{key}, Hashes: origin, Sync: replica.Refresh})
	if err != nil {
		return err
	}
	made, err := p.Publish(ctx) // or p.Run(ctx), to publish every minute
	if err != nil {
		return err
	}
	for _, file := range made.Files {
		fmt.Println(file.Kind, file.Size > 0)
	}
	return nil
}

// ObjectStore is what an SDK of an object store has: the calls GetObject, PutObject, ListObjectsV2 and DeleteObject of
// S3, for one bucket.
type ObjectStore interface {
	Get(ctx context.Context, key string) (io.ReadCloser, error)
	Put(ctx context.Context, key string, body io.ReadSeeker, contentType, cacheControl string) error
	List(ctx context.Context, prefix string) ([]Object, error)
	Delete(ctx context.Context, key string) error
}

// Object is an element of a list.
type Object struct {
	Key          string
	Size         int64
	LastModified time.Time
}

// ErrNoSuchKey is the error of an object store.
var ErrNoSuchKey = errors.New("NoSuchKey")

// Bucket is a Folder in an object store. An object store replaces an object at once, so it needs no temporary files.
type Bucket struct {
	Store  ObjectStore
	Prefix string
}

// Read implements publish.Folder.
func (b Bucket) Read(ctx context.Context, name string) (io.ReadCloser, error) {
	body, err := b.Store.Get(ctx, b.Prefix+name)
	if errors.Is(err, ErrNoSuchKey) {
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return body, err
}

// Write implements publish.Folder.
func (b Bucket) Write(ctx context.Context, name string, content io.ReadSeeker) error {
	contentType, cacheControl := "application/octet-stream", "public, max-age=31536000, immutable"
	switch {
	case name == "manifest.json":
		contentType, cacheControl = "text/plain; charset=utf-8", "public, max-age=30"
	case strings.HasSuffix(name, ".json"):
		contentType = "application/json"
	}
	return b.Store.Put(ctx, b.Prefix+name, content, contentType, cacheControl)
}

// Sweep implements publish.Folder.
func (b Bucket) Sweep(ctx context.Context, keep func(publish.Stored) bool) error {
	objects, err := b.Store.List(ctx, b.Prefix)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if keep(publish.Stored{Name: strings.TrimPrefix(o.Key, b.Prefix), Size: o.Size, Written: o.LastModified}) {
			continue
		}
		if err := b.Store.Delete(ctx, o.Key); err != nil {
			return err
		}
	}
	return nil
}

// A bucket of an object store is a Folder.
func ExampleFolder() {
	var store ObjectStore // such as a small adapter of the client of an SDK
	var folder publish.Folder = Bucket{Store: store, Prefix: "apguard/"}
	_, err := publish.New(folder, publish.Options{})
	fmt.Println(err)
	// Output: no signing key
}
