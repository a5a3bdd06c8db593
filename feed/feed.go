// Package feed keeps copies of what a store has decided, and follows the feed of changes with them.
//
// A [Replica] lists all assets that are ALLOWED or BLOCKED once, and then reads the feed again and again. It
// gives both to its views, each of which keeps what it needs: a mirror.Mirror answers checks, a
// hashes.Origin makes hash lists for clients. The assets are listed once for all of them.
//
//	m := mirror.New(mirror.Options{})
//	h := hashes.New(hashes.Options{})
//	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{m, h}})
//	go r.Run(ctx)
//
// The source can also be a server, anywhere; see package client/source.
package feed
