package benchtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// Blocked returns the asset with a number below the size of the database that [Checks] needs.
// Of the database, 9 of 10 assets are two hosts each of a site, and the others GitHub accounts.
func Blocked(number, size int) asset.Identity {
	if number < hosts(size) {
		return asset.Identity{Type: asset.TypePage, Canonical: host(number)}
	}
	return asset.Identity{Type: asset.TypeGitHub, Canonical: fmt.Sprintf("github.com/owner-%d", number)}
}

func hosts(size int) int { return size * 9 / 10 }

func host(number int) string { return fmt.Sprintf("login-%d.site-%d.com", number, number/2) }

// CheckWays are the ways of looking at links that [Checks] compares.
type CheckWays struct {
	// Lookup looks for an asset by its key, with a prepared statement and no library of
	// ours. It is optional.
	Lookup func(asset.Identity)
	Single func(content string)
	Batch  func(contents []string)
}

// Checks compares batches of checks with as many single ones, and these with bare look-ups by
// key, with these links:
//
//   - "half known": half of the links are of sites without an asset. Of the others, one in five is
//     of GitHub and the rest are of as many sites, half of them of a BLOCKED host.
//   - "unknown": each link is of another site, without an asset.
//   - "known": each link is of another site with assets, half of them of a BLOCKED host.
//   - "paths": the links are of ten hosts, without an asset.
//   - "platform": the links are of GitHub accounts.
func Checks(b *testing.B, size int, ways CheckWays) {
	b.Helper()
	// A large stride, so that what is found is anywhere in the database.
	const stride = 7919
	unknown := func(n int) string { return fmt.Sprintf("https://login.host-%d.com/account/verify?id=7", n) }
	known := func(n int) string {
		found := host(n * stride % hosts(size))
		if n%2 == 0 {
			found = "www." + found[strings.IndexByte(found, '.')+1:]
		}
		return fmt.Sprintf("https://%s/account/verify?id=7", found)
	}
	platform := func(n int) string {
		return fmt.Sprintf("https://github.com/owner-%d/repository/issues/%d", n*stride%size, n)
	}
	for _, mix := range []struct {
		name string
		link func(n int) string
	}{
		{"half known", func(n int) string {
			switch {
			case n%2 == 0:
				return unknown(n)
			case n%10 == 1:
				return platform(n)
			default:
				return known(n / 2)
			}
		}},
		{"unknown", unknown},
		{"known", known},
		{"paths", func(n int) string { return fmt.Sprintf("https://host-%d-%d.com/post/%d", n/1000, n%10, n) }},
		{"platform", platform},
	} {
		b.Run(mix.name, func(b *testing.B) { compareChecks(b, mix.link, ways) })
	}
}

func compareChecks(b *testing.B, link func(n int) string, ways CheckWays) {
	b.Helper()
	links := func(round int) []string {
		contents := make([]string, check.MaxItems)
		for i := range contents {
			contents[i] = link(round*len(contents) + i)
		}
		return contents
	}
	single := func(round int) {
		for _, content := range links(round) {
			ways.Single(content)
		}
	}
	batch := func(round int) { ways.Batch(links(round)) }
	lookup := func(round int) {
		for _, content := range links(round) {
			ways.Lookup(asset.Identity{Type: asset.TypeURL, Canonical: content})
		}
	}
	turns := []func(int){single, batch}
	if ways.Lookup != nil {
		turns = append(turns, lookup)
	}
	took := Medians(Rounds, turns...)
	figures := map[string]float64{"µs/check": took[0], "ms/batch": took[1], "batch-faster": took[0] / took[1]}
	if ways.Lookup != nil {
		figures["x-lookup"] = took[0] / took[2]
	}
	Figures(b, figures)
}

// Block makes the assets of a small database BLOCKED, as [Blocked] names them.
func Block(b *testing.B, store asset.Store, size int) {
	b.Helper()
	items := make([]asset.StatusItem, size)
	for i := range items {
		items[i] = asset.StatusItem{Identity: Blocked(i, size), Status: asset.StatusBlocked}
	}
	service := asset.NewService(store, asset.Options{})
	for step := range slices.Chunk(items, asset.MaxItems) {
		_, err := service.SetStatuses(b.Context(), asset.SetStatusesRequest{Items: step})
		require.NoError(b, err)
	}
}
