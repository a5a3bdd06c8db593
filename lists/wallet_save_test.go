package lists_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/lists"
)

// savedLists returns lists of random assets, and what they save.
func savedLists(t require.TestingT) (*lists.WalletLists, []byte) {
	l, drawn := lists.NewWalletLists(), contentstest.New(6)
	for _, identity := range drawn.Identities(200) {
		l.Set(identity, drawn.Status())
	}
	var saved bytes.Buffer
	require.NoError(t, l.Save(&saved))
	return l, saved.Bytes()
}

// Lists that were loaded go on as those that were saved.
func TestLoadWalletLists(t *testing.T) {
	t.Parallel()
	for range 2 {
		saved, data := savedLists(t)
		loaded, err := lists.LoadWalletLists(iotest.OneByteReader(bytes.NewReader(data)))
		require.NoError(t, err)
		require.Equal(t, held(saved), held(loaded))
		drawn := contentstest.New(6)
		for _, identity := range drawn.Identities(200) { // the same ones
			status := drawn.Status()
			saved.Set(identity, status)
			loaded.Set(identity, status)
			require.Equal(t, held(saved), held(loaded))
		}
	}
	empty, err := lists.LoadWalletLists(bytes.NewReader(make([]byte, 4)))
	require.NoError(t, err)
	require.Empty(t, held(empty))
}

// What is saved of these assets is that of the form. If it has changed, increase WalletForm.
func TestWalletForm(t *testing.T) {
	t.Parallel()
	l := lists.NewWalletLists()
	for content, status := range map[string]asset.Status{
		"https://a.example.com/x?q=1": asset.StatusBlocked, "b.example.com": asset.StatusBlocked, "c.example.com/y": asset.StatusBlocked,
		"www.c.example.com": asset.StatusAllowed, "https://d.example.com": asset.StatusAllowed, "0x" + strings.Repeat("1", 40): asset.StatusBlocked,
	} {
		classified, err := classify.Classify(content)
		require.NoError(t, err)
		l.Set(classified.Identity, status)
	}
	var saved bytes.Buffer
	require.NoError(t, l.Save(&saved))
	require.Equal(t, "1 96be825fc21709a0c603dec58439df0f7c69f6c6c10ad7eda80f19b12cf0b716", fmt.Sprintf("%d %x", lists.WalletForm, sha256.Sum256(saved.Bytes())))
}

func TestLoadWalletLists_damaged(t *testing.T) {
	t.Parallel()
	_, data := savedLists(t)
	for n := range data {
		_, err := lists.LoadWalletLists(bytes.NewReader(data[:n]))
		require.ErrorIs(t, err, lists.ErrDamagedWalletLists, n)
	}
	for reason, data := range map[string][]byte{
		"more data":             append(data, 0),
		"text that is too long": {1, 0xff, 0xff, 3, 0, 0, 0, 0},
		"host longer than text": {0, 1, 1, 2, 'a', 1, 0, 0, 0},
		"no forms":              {0, 1, 1, 1, 'a', 0, 0, 0, 0},
		"neither true nor not":  {0, 1, 1, 1, 'a', 1, 2, 0, 0},
		"not in order":          {0, 2, 1, 1, 'b', 1, 0, 1, 1, 'a', 1, 0, 0, 0},
		"repeated":              {0, 2, 1, 1, 'a', 1, 0, 1, 1, 'a', 1, 0, 0, 0},
	} {
		_, err := lists.LoadWalletLists(bytes.NewReader(data))
		require.ErrorIs(t, err, lists.ErrDamagedWalletLists, reason)
	}
	failure := errors.New("away")
	_, err := lists.LoadWalletLists(iotest.ErrReader(failure))
	require.ErrorIs(t, err, failure)
}

// Whatever is loaded is saved as it was, and can be changed.
func FuzzLoadWalletLists(f *testing.F) {
	_, data := savedLists(f)
	f.Add(data)
	f.Add([]byte{0, 1, 1, 1, 'a', 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := lists.LoadWalletLists(bytes.NewReader(data))
		if err != nil {
			return
		}
		var saved bytes.Buffer
		require.NoError(t, l.Save(&saved))
		again, err := lists.LoadWalletLists(&saved)
		require.NoError(t, err)
		require.Equal(t, held(l), held(again))
		l.Set(page("a.com"), asset.StatusBlocked)
	})
}
