package main

import (
	"log/slog"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/hotlist"
)

// followers are the views that a server or a publisher gives to others. Those that are not needed are nil.
type followers struct {
	hashes *hashes.Origin
	// wallet has the lists for MetaMask's clients.
	wallet *hotlist.Hotlist
}

// newFollowers returns the views that a server needs.
func (c config) newFollowers() followers {
	var f followers
	if c.hashes || c.publish.to != "" {
		f.hashes = hashes.New(hashes.Options{MinimumWait: c.hashesWait})
	}
	if c.phishing != "" || c.publish.hasWallet() {
		f.wallet = hotlist.New(hotlist.Options{})
	}
	return f
}

// newFollowers returns the views that a publisher needs.
func (c publishConfig) newFollowers() followers {
	f := followers{hashes: hashes.New(hashes.Options{})}
	if c.hasWallet() {
		f.wallet = hotlist.New(hotlist.Options{})
	}
	return f
}

// hasWallet reports whether the lists for MetaMask's clients are published.
func (c publishConfig) hasWallet() bool { return slices.Contains(c.exports, exportMetaMask) }

// views returns the views that there are.
func (f followers) views() (views []feed.View) {
	if f.hashes != nil {
		views = append(views, f.hashes)
	}
	if f.wallet != nil {
		views = append(views, f.wallet)
	}
	return views
}

// logFeed returns a function that logs the events of a Replica, except that it is filled.
func logFeed(logger *slog.Logger) func(feed.Event) {
	return func(event feed.Event) {
		switch event.Kind {
		case feed.EventFailed:
			logger.Error("what follows the feed is not up to date; trying again", "error", event.Err)
		case feed.EventRecovered:
			logger.Info("what follows the feed is up to date again")
		case feed.EventSnapshotIgnored:
			logger.Warn("the snapshot is ignored; all assets are read", "error", event.Err)
		case feed.EventSnapshotFailed:
			logger.Error("the snapshot cannot be written; trying again later", "error", event.Err)
		case feed.EventFilled:
		}
	}
}

// snapshotFlag returns the flag for a snapshot.
func snapshotFlag(to *string) cli.Flag {
	return &cli.StringFlag{
		Name: "snapshot", Destination: to, TakesFile: true,
		Usage: "`FILE` to keep what is in memory, so that a restart does not read all assets; remove it if the database was " +
			"restored from a backup",
	}
}
