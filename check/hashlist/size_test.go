package hashlist

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/internal/test/testsize"
)

// A list of 1,000,000 hashes takes what the package documents.
func TestList_size(t *testing.T) {
	testsize.Measurement(t)
	data := responseOf(1_000_000)
	l := New(time.Hour)
	before := benchtest.Heap()
	require.NoError(t, l.Update(Response{Data: data, AsOf: time.Now(), Rules: classify.Version}))
	held := benchtest.Heap() - before
	t.Logf("%d bytes are %d kB", len(data), held/1000)
	require.Less(t, held, 9_000_000)
	runtime.KeepAlive(l)
	runtime.KeepAlive(data)
}
