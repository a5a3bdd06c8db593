package asset_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

var anyFeed = rapid.Custom(func(t *rapid.T) asset.Feed {
	var f asset.Feed
	copy(f.Store[:], rapid.SliceOfN(rapid.Byte(), len(f.Store), len(f.Store)).Draw(t, "store"))
	f.Last = rapid.Int64Range(0, asset.MaxID).Draw(t, "last")
	f.Prunings = rapid.Int64Range(0, asset.MaxID).Draw(t, "prunings")
	return f
})

var anyPosition = rapid.Int64Range(1, asset.MaxID)

// malformed requires that the text is refused.
func malformed(t require.TestingT, text, reason string) {
	cursor, err := asset.ParseFeedCursor(text)
	require.ErrorIs(t, err, asset.ErrMalformedCursor, reason)
	require.ErrorIs(t, err, asset.ErrInvalid, reason)
	var input *asset.InputError
	require.ErrorAs(t, err, &input, reason)
	require.Equal(t, "after", input.Issues[0].Field)
	require.Zero(t, cursor, reason)
}

func TestFeedCursor_String(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cursor := anyFeed.Draw(t, "feed").Cursor(anyPosition.Draw(t, "position"))
		text := cursor.String()
		require.Regexp(t, "^[A-Za-z0-9_-]{30,48}$", text)
		parsed, err := asset.ParseFeedCursor(text)
		require.NoError(t, err)
		require.Equal(t, cursor, parsed)

		written, err := json.Marshal(cursor)
		require.NoError(t, err)
		require.JSONEq(t, `"`+text+`"`, string(written))
		var read asset.FeedCursor
		require.NoError(t, json.Unmarshal(written, &read))
		require.Equal(t, cursor, read)
	})
}

func TestParseFeedCursor_ChangedByte(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(anyFeed.Draw(t, "feed").Cursor(anyPosition.Draw(t, "position")).String())
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		other := rapid.Byte().Draw(t, "other")
		if other != text[at] {
			text[at] = other
			malformed(t, string(text), "one byte is another")
		}
	})
}

func TestParseFeedCursor_Malformed(t *testing.T) {
	t.Parallel()
	var feed asset.Feed
	feed.Store[0] = 0xfb
	text := feed.Cursor(1).String()
	data, err := base64.RawURLEncoding.DecodeString(text)
	require.NoError(t, err)
	for reason, wrong := range map[string]string{
		"a word":                           "begin",
		"a number":                         "7",
		"white space":                      " ",
		"white space before it":            " " + text,
		"a line end, which a reader skips": text + "\n",
		"cut off":                          text[:len(text)-1],
		"cut in front":                     text[1:],
		"twice":                            text + text,
		"padded":                           text + "=",
		"the other alphabet":               base64.RawStdEncoding.EncodeToString(data),
		"no position":                      base64.RawURLEncoding.EncodeToString(data[:16]),
		"very long":                        strings.Repeat("A", 1_000_000),
		"only zeros":                       strings.Repeat("A", 30),
		"more prunings than the most":      asset.Feed{Prunings: asset.MaxID + 1}.Cursor(1).String(),
		"a position above the largest":     feed.Cursor(asset.MaxID + 1).String(),
		"no position, with its checksum":   asset.Feed{Store: feed.Store}.Cursor(0).String(),
	} {
		malformed(t, wrong, reason)
	}
}

func TestParseFeedCursor_Empty(t *testing.T) {
	t.Parallel()
	var cursor asset.FeedCursor
	require.Empty(t, cursor.String())
	parsed, err := asset.ParseFeedCursor("")
	require.NoError(t, err)
	require.Equal(t, cursor, parsed)
	require.Zero(t, cursor.Store())
	cursor = asset.Feed{Store: asset.StoreID{1}}.Cursor(7)
	require.NoError(t, cursor.UnmarshalText(nil))
	require.Zero(t, cursor)
}

func TestFeedCursor_UnmarshalText_Malformed(t *testing.T) {
	t.Parallel()
	cursor := asset.Feed{Store: asset.StoreID{1}}.Cursor(7)
	before := cursor
	require.ErrorIs(t, cursor.UnmarshalText([]byte("x")), asset.ErrMalformedCursor)
	require.Equal(t, before, cursor)
}

func TestFeed_Position(t *testing.T) {
	t.Parallel()
	feed := asset.Feed{Store: asset.StoreID{1}, Last: 10}
	other := asset.Feed{Store: asset.StoreID{2}}
	before := feed
	feed.Pruned, feed.Prunings = 5, 2
	for reason, test := range map[string]struct {
		cursor asset.FeedCursor
		want   int64
		err    error
	}{
		"the beginning":     {asset.FeedCursor{}, 0, nil},
		"the first place":   {feed.Cursor(1), 1, nil},
		"the last place":    {feed.Cursor(10), 10, nil},
		"one place further": {feed.Cursor(11), 0, asset.ErrFutureCursor},
		"before a pruned change, received before the pruning":   {before.Cursor(4), 0, asset.ErrPrunedCursor},
		"after the pruned changes, received before the pruning": {before.Cursor(5), 5, nil},
		"before a pruned change, received after the pruning":    {feed.Cursor(4), 4, nil},
		"another store's":                 {other.Cursor(1), 0, asset.ErrForeignCursor},
		"another store's, and far behind": {other.Cursor(11), 0, asset.ErrForeignCursor},
	} {
		got, err := feed.Position(test.cursor)
		require.Equal(t, test.want, got, reason)
		require.ErrorIs(t, err, test.err, reason)
		if test.err != nil {
			require.ErrorIs(t, err, asset.ErrInvalid, reason)
			require.ErrorContains(t, err, "after: ", reason)
		}
	}
}

// Nothing that is read panics, and what is read is written as it was.
func FuzzParseFeedCursor(f *testing.F) {
	f.Add("")
	f.Add("x")
	f.Add(strings.Repeat("A", 30))
	f.Add(asset.Feed{Store: asset.StoreID{1, 2, 3}}.Cursor(1).String())
	f.Add(asset.Feed{Store: asset.StoreID{0xff}}.Cursor(asset.MaxID).String())
	f.Fuzz(func(t *testing.T, text string) {
		cursor, err := asset.ParseFeedCursor(text)
		if err != nil {
			require.ErrorIs(t, err, asset.ErrMalformedCursor)
			return
		}
		require.Equal(t, text, cursor.String())
	})
}

func TestFeedCursor_Before(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		feed := anyFeed.Draw(t, "feed")
		first, second := anyPosition.Draw(t, "first"), anyPosition.Draw(t, "second")
		a, b := feed.Cursor(first), feed.Cursor(second)
		require.Equal(t, first < second, a.Before(b))
		require.True(t, asset.FeedCursor{}.Before(a), "the start is before every position")
		require.False(t, a.Before(asset.FeedCursor{}))
		require.False(t, asset.FeedCursor{}.Before(asset.FeedCursor{}))

		feed.Prunings = rapid.Int64Range(0, asset.MaxID).Draw(t, "later prunings")
		require.Equal(t, first < second, a.Before(feed.Cursor(second)), "prunings do not matter")
		feed.Store[0]++
		require.False(t, a.Before(feed.Cursor(second)), "another store")
	})
}
