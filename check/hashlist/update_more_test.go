package hashlist

import (
	"encoding/base64"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// textAt returns the text of a version.
func textAt(store byte, position int64) string {
	return base64.RawURLEncoding.EncodeToString(versionAt(store, position))
}

// Several bodies are applied together or not at all. Only the last one counts as what is held.
func TestList_Update_More(t *testing.T) {
	t.Parallel()
	type lists = []hashwire.HashList
	before := whole(versionAt(1, 5), []uint64{1}, nil)                                      // older than what is held
	there := difference(versionAt(1, 10), []uint64{1}, []uint64{2}, nil, nil)               // to what is held
	on := difference(versionAt(1, 15), []uint64{2}, []uint64{3}, nil, []uint64{4})          // and on
	further := difference(versionAt(1, 20), []uint64{3}, []uint64{3}, []uint64{4}, nil)     // and to the end
	same := difference(versionAt(1, 20), []uint64{3}, []uint64{3}, nil, nil)                // without change
	damaged := difference(versionAt(1, 15), []uint64{2}, []uint64{3}, nil, []uint64{4})[:1] // one list
	elsewhere := difference(versionAt(2, 15), []uint64{2}, []uint64{3}, nil, []uint64{4})   // in another store
	other := []lists{whole(versionAt(2, 1), nil, nil), difference(versionAt(2, 2), nil, []uint64{3}, nil, nil)}
	end := textAt(1, 20)
	for reason, c := range map[string]struct {
		bodies  []lists
		version string
		want    error
	}{
		"steps":                                 {[]lists{on, further}, end, nil},
		"steps, without a version":              {[]lists{on, further}, "", nil},
		"whole lists that are older, and steps": {[]lists{before, there, on, further}, end, nil},
		"a step without change at the end":      {[]lists{on, further, same}, end, nil},
		"another store":                         {other, textAt(2, 2), nil},
		"older after all steps":                 {[]lists{before}, textAt(1, 5), ErrDowngraded},
		"older after all steps, and unchanged":  {[]lists{before, difference(versionAt(1, 6), []uint64{1}, []uint64{1}, nil, nil)}, "", ErrDowngraded},
		"the end is not the version":            {[]lists{on}, end, ErrDamaged},
		"a step is missing":                     {[]lists{further}, end, ErrDamaged},
		"a step comes twice":                    {[]lists{on, on, further}, end, ErrReplayed},
		"the steps in another order":            {[]lists{further, on}, end, ErrDamaged},
		"a step back":                           {[]lists{on, further, there}, "", ErrReplayed},
		"a damaged step":                        {[]lists{damaged, further}, end, ErrDamaged},
		"a damaged step after a good one":       {[]lists{there, damaged}, end, ErrReplayed},
		"a step of another store":               {[]lists{elsewhere, further}, end, ErrReplayed},
		"no body, and another version":          {nil, end, ErrReplayed},
		"no body, and the version that is held": {nil, textAt(1, 10), nil},
		"no body, and no version":               {nil, "", ErrDamaged},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			l := New(time.Hour)
			require.NoError(t, update(l, whole(versionAt(1, 10), []uint64{2}, nil)...))
			held, asOf := l.State(), time.Now().Add(-time.Minute)
			response := Response{Version: c.version, AsOf: asOf, Rules: classify.Version}
			for i, body := range c.bodies {
				if data := hashwire.Encode(body...); i == 0 {
					response.Data = data
				} else {
					response.More = append(response.More, data)
				}
			}
			require.ErrorIs(t, l.Update(response), c.want)
			if c.want != nil {
				require.Equal(t, held, l.State())
				requireHashes(t, l, []uint64{2}, nil)
				return
			}
			require.Equal(t, asOf, l.State().AsOf)
			if len(c.bodies) > 0 {
				requireHashes(t, l, []uint64{3}, nil)
			} else {
				held.AsOf = asOf
				require.Equal(t, held, l.State(), "only the time is new")
			}
		})
	}

	require.ErrorIs(t, New(time.Hour).Update(Response{Version: end, Rules: classify.Version}), ErrReplayed, "nothing is held")
	l := New(time.Hour)
	response := Response{Data: hashwire.Encode(before...), More: [][]byte{hashwire.Encode(there...)}, Rules: classify.Version}
	require.NoError(t, l.Update(response), "nothing was held before")
	requireHashes(t, l, []uint64{2}, nil)
	response.Data, response.More = nil, append(response.More, hashwire.Encode(on...))
	require.ErrorIs(t, l.Update(response), ErrDamaged, "an empty body")
}
