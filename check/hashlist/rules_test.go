package hashlist

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

func TestList_rules(t *testing.T) {
	t.Parallel()
	data := hashwire.Encode(whole(versionAt(1, 20), []uint64{2}, nil)...)
	for reason, rules := range map[string]int{
		"a server that does not say its rules": 0,
		"a server of newer rules":              classify.Version + 1,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			l := New(time.Hour)
			var refused *RulesError
			requests := 0
			require.ErrorAs(t, l.Refresh(t.Context(), func(context.Context, string) (Response, error) {
				requests++
				return Response{Data: data, AsOf: time.Now(), Rules: rules}, nil
			}), &refused)
			require.Equal(t, RulesError{Have: rules, Want: classify.Version}, *refused)
			require.Equal(t, 1, requests, "a whole list would be of the same rules")
			_, err := l.Check(t.Context(), "https://a.example")
			require.ErrorIs(t, err, asset.ErrUnavailable)
		})
	}
	t.Run("a list that was saved under other rules", func(t *testing.T) {
		t.Parallel()
		l := New(time.Hour)
		require.NoError(t, l.Update(Response{Data: data, AsOf: time.Now(), Rules: classify.Version}))
		var file bytes.Buffer
		require.NoError(t, l.Save(&file))
		require.NoError(t, New(time.Hour).Load(bytes.NewReader(file.Bytes())))

		old := file.Bytes()[:file.Len()-sha256.Size]
		binary.BigEndian.PutUint64(old[len(saved):], classify.Version+1)
		sum := sha256.Sum256(old)
		var refused *RulesError
		require.ErrorAs(t, New(time.Hour).Load(bytes.NewReader(append(old, sum[:]...))), &refused)
	})
}
