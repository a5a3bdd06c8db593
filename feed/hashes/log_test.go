package hashes

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A log has the last changes, and logs that were kept have what they had. It knows what comes after a position unless
// that is within a page.
func TestLog_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := log{start: rapid.Int64Range(0, 5).Draw(t, "start")}
		most := rapid.IntRange(0, 6).Draw(t, "most")
		var (
			kept     log
			keptHad  []change
			all      []change // of which each ID is its position
			position = l.start
			left     = l.start
			within   = make(map[int64]bool) // positions within a page
		)
		add := func(at place, id int64) {
			l, all = l.append(at, change{id: id}, most), append(all, change{id: id})
			if old := len(all) - most; old > 0 {
				all = all[old:]
				left = max(left, l.start)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"a known change": func(t *rapid.T) {
				position += rapid.Int64Range(1, 3).Draw(t, "distance")
				add(place{position - 1, position}, position)
			},
			"a page": func(t *rapid.T) {
				after := position
				n := rapid.Int64Range(1, 4).Draw(t, "n")
				for id := after + 1; id <= after+n; id++ {
					add(place{after, after + n}, id)
					within[id] = id < after+n
				}
				position = after + n
			},
			"keep": func(*rapid.T) { kept, keptHad = l, all },
			"": func(t *rapid.T) {
				require.True(t, slices.Equal(all, l.changes))
				require.True(t, slices.Equal(keptHad, kept.changes))
				asked := rapid.Int64Range(0, position+2).Draw(t, "asked")
				since, ok := l.since(asked)
				require.Equal(t, asked >= left && !within[asked], ok, "position %d of %v from %d", asked, l.places, l.start)
				var want []change
				for _, c := range all {
					if ok && c.id > asked {
						want = append(want, c)
					}
				}
				require.True(t, slices.Equal(want, since), "%v, not %v", since, want)
			},
		})
	})
}
