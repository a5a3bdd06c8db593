package lists_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

// imported is what an import has reported.
type imported struct {
	lists.Counts
	refused, turned []string
	steps           []int
}

func importLines(t *testing.T, setter lists.Setter, text string, format lists.Format, dry bool) imported {
	t.Helper()
	var got imported
	counts, err := lists.Import(t.Context(), setter, lists.Read(strings.NewReader(text), format, lists.ReadOptions{}), lists.ImportOptions{
		Origin:  asset.Origin{Reference: "feed"},
		DryRun:  dry,
		Refused: func(e lists.Entry) { got.refused = append(got.refused, fmt.Sprint(e.Line)) },
		Turned: func(e lists.Entry, from asset.Status) {
			got.turned = append(got.turned, fmt.Sprintf("%d %s %s", e.Line, from, e.Status))
		},
		Progress: func(c lists.Counts) { got.steps = append(got.steps, c.Lines) },
	})
	require.NoError(t, err)
	got.Counts = counts
	return got
}

func TestImport(t *testing.T) {
	t.Parallel()
	service := asset.NewService(memory.New(), asset.Options{})
	importLines(t, service, "content,status\nallowed.com,ALLOWED\nblocked.com,BLOCKED\nsame.com,BLOCKED\n", lists.CSV, false)
	const feed = "content,status\nallowed.com,BLOCKED\nblocked.com,ALLOWED\nsame.com,BLOCKED\nnew.com,\nno asset,\nnew.com,\nnew.com,ALLOWED\nallowed.com,\n"
	want := imported{
		Counts:  lists.Counts{Lines: 8, Set: 3, Unchanged: 3, Refused: 2},
		refused: []string{"6", "8"},
		turned:  []string{"2 ALLOWED BLOCKED", "3 BLOCKED ALLOWED"},
		steps:   []int{8},
	}
	require.Equal(t, want, importLines(t, service, feed, lists.CSV, true), "the plan")
	require.Equal(t, want, importLines(t, service, feed, lists.CSV, false), "the plan has changed nothing")
	again := importLines(t, service, feed, lists.CSV, false)
	require.Equal(t, lists.Counts{Lines: 8, Unchanged: 6, Refused: 2}, again.Counts, "the import is repeated without effect")
	require.Empty(t, again.turned)
	for change, err := range service.Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		require.Equal(t, asset.Origin{Cause: asset.CauseImport, Reference: "feed"}, change.Origin)
	}
}

func TestImport_Steps(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&text, "site-%d.com\n", i%1800)
	}
	text.WriteString(strings.Repeat("no asset\n", 1001))
	for _, dry := range []bool{true, false} {
		service := asset.NewService(memory.New(), asset.Options{})
		got := importLines(t, service, text.String(), lists.Lines, dry)
		require.Equal(t, lists.Counts{Lines: 3501, Set: 1800, Unchanged: 700, Refused: 1001}, got.Counts, "dry run: %v", dry)
		require.Equal(t, []int{1000, 2000, 3500, 3501}, got.steps)
	}
}

// A plan says what it would contradict, because a feed blocks pages, and organizations allow URLs.
func TestImport_Opposed(t *testing.T) {
	t.Parallel()
	const before = "content,status\nhttps://one.com,ALLOWED\nhttp://one.com,BLOCKED\ntwo.com,ALLOWED\nhttps://three.com/x,BLOCKED\n" +
		"four.com,ALLOWED\nhttps://four.com,BLOCKED\nhttps://www.five.com,ALLOWED\nhttps://six.com,BLOCKED\n"
	const feed = "content,status\none.com,\nhttps://two.com,BLOCKED\nthree.com/x,ALLOWED\nhttps://four.com,BLOCKED\nfive.com,BLOCKED\n" +
		"six.com,UNKNOWN\nhttp://two.com,ALLOWED\none.com,\n"
	service := asset.NewService(memory.New(), asset.Options{})
	importLines(t, service, before, lists.CSV, false)
	plan := func(dry bool) []string {
		var opposed []string
		_, err := lists.Import(t.Context(), service, lists.Read(strings.NewReader(feed), lists.CSV, lists.ReadOptions{}), lists.ImportOptions{
			DryRun: dry,
			Opposed: func(e lists.Entry, other asset.Asset) {
				opposed = append(opposed, fmt.Sprintf("%d %s: %s %s", e.Line, e.Status, other.Canonical, other.Status))
			},
		})
		require.NoError(t, err)
		return opposed
	}
	require.Equal(t, []string{"2 BLOCKED: https://one.com ALLOWED", "3 BLOCKED: two.com ALLOWED", "4 ALLOWED: https://three.com/x BLOCKED"}, plan(true))
	require.Empty(t, plan(false), "only a plan compares")
}

// A list of 100 MB with everything that can be wrong is imported in bounded memory: each refused
// line is reported, and the rest goes in.
func TestImport_HostileList(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	repeats := testsize.Of(50, 200, 1400)
	const (
		block = "\ufeffmark.com\r\n# comment\r\nno asset\n\xe9.com\nb\x00ad.com\n\xff\xfeb\x00a\x00d\x00\nbad.com\nhttps://bad.com/x\r\n\n"
		lines = 10 // of a block
		most  = 8 << 20
	)
	text := block + strings.Repeat("x", 72_000) + "\n"
	list := io.MultiReader(strings.NewReader("\ufefffirst.com\n"), repeated(text, repeats), strings.NewReader("cut off"))
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	refused, peak := 0, uint64(0)
	reasons := make(map[int]string)
	counts, err := lists.Import(t.Context(), asset.NewService(memory.New(), asset.Options{}), lists.Read(list, lists.Lines, lists.ReadOptions{}), lists.ImportOptions{
		Refused: func(e lists.Entry) {
			refused++
			if e.Line <= lines+1 {
				reasons[e.Line] = e.Err.Error()
			}
		},
		Progress: func(lists.Counts) {
			runtime.GC()
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		},
	})
	require.NoError(t, err)
	require.Equal(t, lists.Counts{Lines: 2 + 8*repeats, Set: 3, Unchanged: 2*repeats - 2, Refused: 6*repeats + 1}, counts)
	require.Equal(t, counts.Refused, refused)
	require.Equal(t, map[int]string{
		2:  refusal("\ufeffmark.com"),
		4:  refusal("no asset"),
		5:  refusal("\xe9.com"),
		6:  refusal("b\x00ad.com"),
		7:  refusal("\xff\xfeb\x00a\x00d\x00"),
		11: lists.ErrLineTooLong.Error(),
	}, reasons)
	require.Less(t, peak, before.HeapAlloc+most)
}

// failingSetter fails after some steps.
type failingSetter struct {
	lists.Setter
	steps int
}

var errDisk = errors.New("disk failure")

func (s *failingSetter) SetStatuses(ctx context.Context, req asset.SetStatusesRequest) ([]asset.StatusResult, error) {
	if s.steps--; s.steps < 0 {
		return nil, errDisk
	}
	return s.Setter.SetStatuses(ctx, req)
}

func TestImport_Errors(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&text, "site-%d.com\n", i)
	}
	setter := &failingSetter{asset.NewService(memory.New(), asset.Options{}), 1}
	counts, err := lists.Import(t.Context(), setter, lists.Read(strings.NewReader(text.String()), lists.Lines, lists.ReadOptions{}), lists.ImportOptions{})
	require.ErrorIs(t, err, errDisk)
	require.Equal(t, lists.Counts{Lines: 1000, Set: 1000}, counts)
	counts, err = lists.Import(t.Context(), setter, lists.Read(strings.NewReader(""), "xml", lists.ReadOptions{}), lists.ImportOptions{})
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.Zero(t, counts)
}

// The audit trail names the format, the counts and the reference of a list.
func TestImport_AuditDetail(t *testing.T) {
	t.Parallel()
	const list = `{"blacklist":["bad.com","worse.com","jack"],"whitelist":["good.com"],"fuzzylist":["a.com","b.com"]}`
	read := func() iter.Seq2[lists.Entry, error] {
		return lists.Read(strings.NewReader(list), lists.PhishingDetect, lists.ReadOptions{})
	}
	left := map[string]int{"fuzzylist": 2, "whitelist": 1}
	survey, err := lists.Survey(read(), lists.ImportOptions{})
	require.NoError(t, err)
	require.Equal(t, lists.Counts{Lines: 3, Refused: 1, NotTaken: left}, survey)
	store := memory.New()
	counts, err := lists.Import(t.Context(), asset.NewService(store, asset.Options{}), read(), lists.ImportOptions{
		Origin: asset.Origin{Reference: "list of today, 2"}, Format: lists.PhishingDetect, Survey: survey,
	})
	require.NoError(t, err)
	require.Equal(t, lists.Counts{Lines: 3, Set: 2, Refused: 1, NotTaken: left}, counts)
	page, err := store.AuditEntries(t.Context(), trail.Filter{}, 0, 10)
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.Equal(t, "format=eth-phishing-detect,entries=3,refused=1,fuzzylist=2,whitelist=1,reference=list of today, 2", page.Items[0].Detail)
}

// A survey refuses what an import does, but for what is protected.
func TestSurvey(t *testing.T) {
	t.Parallel()
	for list, more := range map[string]int{"good.com\nbad.com\njack\nx y\nbad.com\n": 0, "github.io\nbad.com\njack\nx y\nbad.com\n": 1} {
		var opts lists.ImportOptions
		var lines [2][]int
		opts.Refused = func(e lists.Entry) { lines[0] = append(lines[0], e.Line) }
		survey, err := lists.Survey(lists.Read(strings.NewReader(list), lists.Lines, lists.ReadOptions{}), opts)
		require.NoError(t, err)
		opts.Refused = func(e lists.Entry) { lines[1] = append(lines[1], e.Line) }
		counts, err := lists.Import(t.Context(), asset.NewService(memory.New(), asset.Options{}), lists.Read(strings.NewReader(list), lists.Lines, lists.ReadOptions{}), opts)
		require.NoError(t, err)
		require.Equal(t, counts.Lines, survey.Lines)
		require.Equal(t, counts.Refused, survey.Refused+more)
		require.Subset(t, lines[1], lines[0])
	}
	_, err := lists.Survey(lists.Read(strings.NewReader(""), "xml", lists.ReadOptions{}), lists.ImportOptions{})
	require.ErrorIs(t, err, asset.ErrInvalid)
}

// An import is told once, by the first step that changes a status, and a repetition or a plan not at
// all.
func TestImport_Audit(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 3500 {
		fmt.Fprintf(&text, "site-%d.com\n", i)
	}
	store := memory.New()
	service := asset.NewService(store, asset.Options{})
	told := func() int {
		page, err := store.AuditEntries(t.Context(), trail.Filter{Kind: audit.KindImport}, 0, 100)
		require.NoError(t, err)
		return len(page.Items)
	}
	first := strings.Join(strings.SplitAfter(text.String(), "\n")[:1000], "")
	for n, c := range []struct {
		text string
		dry  bool
		want int
	}{
		{first, true, 0}, {first, false, 1}, {first, false, 1}, {text.String(), true, 1}, {text.String(), false, 2}, {text.String(), false, 2},
	} {
		importLines(t, service, c.text, lists.Lines, c.dry)
		require.Equal(t, c.want, told(), n)
	}
}
