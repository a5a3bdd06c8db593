package hotlist

import (
	"bufio"
	"encoding/gob"
	"fmt"
	"io"
	"math"

	"github.com/apguard/apguard/feed/internal/saved"
	"github.com/apguard/apguard/lists"
)

// savedHistory is a history that is saved.
type savedHistory struct {
	Start   int64
	Changes []savedChange
	Entries []savedEntry
}

type savedChange struct{ Position, At int64 }

type savedEntry struct {
	List     lists.WalletList
	Text     string
	Position int64
	Removed  bool
}

// Save writes what Load needs to make an empty copy the same: the history, and then the lists.
func (c *copied) Save(w io.Writer) error {
	history := savedHistory{
		Start: c.history.start, Changes: make([]savedChange, len(c.history.all)), Entries: make([]savedEntry, 0, c.history.entries.Len()),
	}
	for i, one := range c.history.all {
		history.Changes[i] = savedChange{one.position, one.at}
	}
	c.history.entries.Scan(func(one entry) bool {
		history.Entries = append(history.Entries, savedEntry{one.List, one.Text, one.position, one.removed})
		return true
	})
	if err := gob.NewEncoder(w).Encode(history); err != nil {
		return err
	}
	return c.lists.Save(w)
}

// Load reads what Save has written into an empty copy. The options of the history can be others.
func (c *copied) Load(r io.Reader) error {
	in := bufio.NewReaderSize(r, math.MaxUint16) // which the decoder does not read further than it must
	var history savedHistory
	if err := gob.NewDecoder(in).Decode(&history); err != nil {
		return fmt.Errorf("%w: %w", saved.ErrDamaged, err)
	}
	loaded := newHistory(c.history.most, history.Start)
	for _, one := range history.Changes {
		loaded.all = append(loaded.all, change{one.Position, one.At})
	}
	for _, one := range history.Entries {
		if one.List < lists.WalletBlocked || one.List > lists.WalletBlockedPaths {
			return saved.ErrDamaged
		}
		loaded.put(entry{lists.WalletElement{List: one.List, Text: one.Text}, one.Position, one.Removed})
	}
	loaded.forget()
	read, err := lists.LoadWalletLists(in)
	if err != nil {
		return err
	}
	c.lists, c.history = read, loaded
	return nil
}
