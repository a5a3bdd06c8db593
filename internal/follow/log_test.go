package follow_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/internal/follow"
)

// A log has the last items, and logs that were kept have what they had.
func TestLog_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.Int64Range(0, 5).Draw(t, "start")
		most := rapid.IntRange(0, 5).Draw(t, "most")
		log, all := follow.NewLog[int64](start), []int64(nil)
		var (
			kept     follow.Log[int64]
			keptHad  []int64
			position = start
			left     = start
		)
		t.Repeat(map[string]func(*rapid.T){
			"Append": func(t *rapid.T) {
				position += rapid.Int64Range(1, 3).Draw(t, "distance")
				log, all = log.Append(position, position, most), append(all, position)
				if len(all) > most {
					left, all = all[len(all)-most-1], all[len(all)-most:]
				}
			},
			"keep": func(*rapid.T) { kept, keptHad = log, all },
			"": func(t *rapid.T) {
				items, complete := log.All()
				require.True(t, slices.Equal(all, items), "%d, not %d", items, all)
				require.Equal(t, left == 0, complete)
				items, _ = kept.All()
				require.True(t, slices.Equal(keptHad, items), "%d, not %d", items, keptHad)
				asked := rapid.Int64Range(0, position+2).Draw(t, "asked")
				since, ok := log.Since(asked)
				require.Equal(t, asked >= left, ok)
				want := []int64{}
				for _, item := range all {
					if ok && item > asked {
						want = append(want, item)
					}
				}
				require.Equal(t, want, append([]int64{}, since...))
			},
		})
	})
}
