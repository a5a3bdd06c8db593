package lists_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

// After any syncs of two lists and decisions of the operators, each list holds what its last file had, the result
// says what has changed, and the statuses follow from the files and the decisions alone.
func TestService_Sync_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		store := memory.New()
		services := [2]*synced{
			newSyncedOn(t, store, lists.List{Name: "first", Format: lists.JSONLines}),
			newSyncedOn(t, store, lists.List{Name: "second", Format: lists.JSONLines}),
		}
		var held [2]map[string]asset.Status
		decided := make(map[string]asset.Status)
		rt.Repeat(map[string]func(*rapid.T){
			"sync": func(rt *rapid.T) {
				i := rapid.IntRange(0, 1).Draw(rt, "list")
				wanted := rapid.MapOf(anyHost, rapid.SampledFrom([]asset.Status{asset.StatusBlocked, asset.StatusAllowed})).Draw(rt, "file")
				result, err := services[i].Sync(t.Context(), lists.SyncRequest{
					Name: []string{"first", "second"}[i], File: strings.NewReader(jsonLines(wanted)), Confirm: true,
				})
				require.NoError(rt, err)
				want := difference(held[i], wanted)
				require.Equal(rt, want, [3]int{result.Added, result.Withdrawn, result.Kept})
				held[i] = wanted
				overruled := 0
				for host, status := range wanted {
					if status != expected(host, held, decided) {
						overruled++
					}
				}
				require.Equal(rt, overruled, result.Overruled)
			},
			"decide": func(rt *rapid.T) {
				host := anyHost.Draw(rt, "host")
				decided[host] = rapid.SampledFrom(asset.Statuses()).Draw(rt, "status")
				services[0].decide(t, host, decided[host])
			},
			"": func(rt *rapid.T) {
				for _, host := range allHosts {
					found, err := services[0].assets.Get(t.Context(), asset.Identity{Type: asset.TypePage, Canonical: host})
					if err != nil {
						found.Status = asset.StatusUnknown
					}
					require.Equal(rt, expected(host, held, decided), found.Status, host)
				}
			},
		})
	})
}

var allHosts = []string{"a.com", "b.com", "c.com", "d.com", "e.com"}

var anyHost = rapid.SampledFrom(allHosts)

// jsonLines is a file with the statuses of hosts.
func jsonLines(statuses map[string]asset.Status) string {
	var b strings.Builder
	for host, status := range statuses {
		fmt.Fprintf(&b, `{"content":%q,"status":%q}`+"\n", host, status)
	}
	return b.String()
}

// difference counts what is added, withdrawn and kept between two files. What turns is added and withdrawn.
func difference(before, after map[string]asset.Status) (counts [3]int) {
	for host, status := range after {
		if before[host] == status {
			counts[2]++
		} else {
			counts[0]++
		}
	}
	for host, status := range before {
		if after[host] != status {
			counts[1]++
		}
	}
	return counts
}

// expected returns the status of a host: that of the operators, or BLOCKED if a list says so, or ALLOWED.
func expected(host string, held [2]map[string]asset.Status, decided map[string]asset.Status) asset.Status {
	if status, known := decided[host]; known {
		return status
	}
	said := []asset.Status{held[0][host], held[1][host]}
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed} {
		if slices.Contains(said, status) {
			return status
		}
	}
	return asset.StatusUnknown
}
