package manifest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

// names returns the names of files.
func names(files []File) (names []string) {
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

func TestManifest_Hashes(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		held asset.FeedCursor
		add  []File
		want []string
	}{
		"nothing is held":                   {at(1, 0), nil, []string{"hashes-0-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
		"the version of the whole lists":    {at(1, 5), nil, []string{"hashes-5-6.x", "hashes-6-8.x"}},
		"a version of the chain":            {at(1, 6), nil, []string{"hashes-6-8.x"}},
		"the version of the manifest":       {at(1, 8), nil, nil},
		"a version between two":             {at(1, 7), nil, []string{"hashes-0-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
		"a version before the chain":        {at(1, 4), nil, []string{"hashes-0-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
		"a later version":                   {at(1, 9), nil, []string{"hashes-0-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
		"another store":                     {at(2, 6), nil, []string{"hashes-0-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
		"steps that are larger than all":    {at(1, 3), []File{fileOf(KindHashes, "", 3, 5, 1001)}, []string{"hashes-0-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
		"steps that are as large as all":    {at(1, 3), []File{fileOf(KindHashes, "", 3, 5, 1000)}, []string{"hashes-3-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
		"later whole lists":                 {at(1, 0), []File{fileOf(KindHashes, "", 0, 8, 1199)}, []string{"hashes-0-8.x"}},
		"later whole lists that are larger": {at(1, 0), []File{fileOf(KindHashes, "", 0, 8, 1201)}, []string{"hashes-0-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
		"whole lists that lead nowhere":     {at(1, 0), []File{fileOf(KindHashes, "", 0, 7, 1)}, []string{"hashes-0-5.x", "hashes-5-6.x", "hashes-6-8.x"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			m := whole()
			m.Files = append(m.Files, c.add...)
			files, err := m.Hashes(c.held)
			require.NoError(t, err)
			require.Equal(t, c.want, names(files))
		})
	}

	m := whole()
	m.Files = m.Files[1:]
	_, err := m.Hashes(asset.FeedCursor{})
	require.ErrorIs(t, err, ErrMissing, "no whole lists")
	files, err := m.Hashes(at(1, 6))
	require.NoError(t, err)
	require.Len(t, files, 1, "steps are enough")

	empty := Manifest{Files: []File{fileOf(KindHashes, "", 0, 0, 100)}}
	files, err = empty.Hashes(asset.FeedCursor{})
	require.NoError(t, err)
	require.Len(t, files, 1, "the lists of a store without changes")
}

func TestManifest_Steps(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		since asset.FeedCursor
		want  []string
		ok    bool
	}{
		"all":                         {at(1, 4), []string{"changes-4-6.x", "changes-6-8.x"}, true},
		"some":                        {at(1, 6), []string{"changes-6-8.x"}, true},
		"the version of the manifest": {at(1, 8), nil, true},
		"the start":                   {at(1, 0), nil, false},
		"a version of another kind":   {at(1, 5), nil, false},
		"another store":               {at(2, 4), nil, false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			steps, ok := whole().Steps(KindChanges, c.since)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.want, names(steps))
		})
	}

	m := Manifest{Version: at(1, 2), Files: []File{fileOf(KindChanges, "", 0, 2, 1)}}
	steps, ok := m.Steps(KindChanges, asset.FeedCursor{})
	require.True(t, ok, "changes from the start of the feed")
	require.Len(t, steps, 1)

	around := Manifest{Version: at(2, 1), Files: []File{fileOf(KindHashes, "", 1, 2, 1), fileOf(KindHashes, "", 2, 3, 1)}}
	around.Files[1].Version = at(1, 1)
	_, ok = around.Steps(KindHashes, at(1, 1))
	require.False(t, ok, "a circle")
}

// The files that a client gets begin with what it holds or with whole lists, each follows the one before, and the
// last one has the version of the manifest.
func TestManifest_Hashes_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := Manifest{Version: at(1, 9)}
		for since := range int64(9) {
			if rapid.IntRange(0, 5).Draw(t, "gap") > 0 && since > 0 {
				version := rapid.Int64Range(since+1, 9).Draw(t, "version")
				m.Files = append(m.Files, fileOf(KindHashes, "", since, version, rapid.Int64Range(0, 9).Draw(t, "size")))
			}
			if rapid.IntRange(0, 3).Draw(t, "whole") == 0 {
				m.Files = append(m.Files, fileOf(KindHashes, "", 0, since, rapid.Int64Range(0, 40).Draw(t, "size")))
			}
		}
		held := at(1, rapid.Int64Range(0, 9).Draw(t, "held"))
		files, err := m.Hashes(held)
		if err != nil {
			require.ErrorIs(t, err, ErrMissing)
			require.False(t, slices.ContainsFunc(m.Files, func(f File) bool {
				_, ok := m.Steps(KindHashes, f.Version)
				return ok && !f.IsStep()
			}))
			return
		}
		at := held
		for i, f := range files {
			require.True(t, f.Since == at || i == 0 && !f.IsStep())
			at = f.Version
		}
		require.Equal(t, m.Version, at)
	})
}

func TestManifest_Export(t *testing.T) {
	t.Parallel()
	m := whole()
	f, err := m.Export("csv")
	require.NoError(t, err)
	require.Equal(t, m.Files[4], f)
	f, err = m.Export(FormatJSONL)
	require.NoError(t, err)
	require.Equal(t, m.Files[3], f)

	later := fileOf(KindExport, FormatJSONL, 0, 6, 9)
	m.Files = append(m.Files, later, fileOf(KindExport, FormatJSONL, 0, 5, 9))
	f, err = m.Export(FormatJSONL)
	require.NoError(t, err)
	require.Equal(t, later, f, "the latest one from which changes lead on")

	_, err = m.Export("stalelist")
	require.ErrorIs(t, err, ErrMissing, "another kind")
	m.Version = at(1, 9)
	_, err = m.Export(FormatJSONL)
	require.ErrorIs(t, err, ErrMissing, "no changes lead to the version")
}
