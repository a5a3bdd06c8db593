package classify_test

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/testsize"
)

// The canonical forms of a sweep have one hash, whichever version of Go builds the test: each code
// point in a host, in a name and alone, and the golden table. A change of the rules changes the
// hash. Then classify.Version is raised too.
func TestClassify_sweep(t *testing.T) {
	t.Parallel()
	if !testsize.Full() || testsize.Race() {
		t.Skip("SKIPPED: set APGUARD_TEST_FULL=1 and leave out -race to run it")
	}
	const blocks, size = 0x110, 0x1000
	sums := make([][]byte, blocks)
	var group sync.WaitGroup
	for block := range sums {
		group.Go(func() {
			digest := sha256.New()
			for r := rune(block * size); r < rune((block+1)*size); r++ {
				if c := string(r); utf8.ValidRune(r) {
					noteForms(digest, "https://a"+c+"b.example.com/"+c, "https://"+c+".example.com", "https://youtube.com/@a"+c+"bc", "a@x"+c+".com", c)
				}
			}
			sums[block] = digest.Sum(nil)
		})
	}
	group.Wait()
	digest := sha256.New()
	for _, sum := range sums {
		digest.Write(sum)
	}
	files, err := filepath.Glob("testdata/golden/*.jsonl")
	require.NoError(t, err)
	for _, path := range files {
		for _, row := range readLines[goldenRow](t, path) {
			noteForms(digest, row.Content)
		}
	}
	want, err := os.ReadFile("testdata/sweep.sha256")
	require.NoError(t, err)
	require.Equal(t, string(want), fmt.Sprintf("%x\n", digest.Sum(nil)))
}

// noteForms writes what the contents are, and the links that a browser opens for those that are
// refused.
func noteForms(to hash.Hash, contents ...string) {
	for _, content := range contents {
		result, err := classify.Classify(content)
		text := fmt.Sprintf("%s %s %v\n", result.Type, result.Canonical, err == nil)
		if err != nil {
			if covers := classify.CoveringOpened(content); covers != nil {
				text += covers[0].Canonical + "\n"
			}
		}
		to.Write([]byte(text))
	}
}
