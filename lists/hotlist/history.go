package hotlist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// change is a change of the status of an asset.
type change struct {
	position int64
	// at is when it was recorded, in seconds.
	at int64
	// hosts and path are the elements of lists that can have changed: see [lists.WalletEntries].
	hosts []string
	path  string
}

func newChange(position int64, c asset.Change) change {
	hosts, path := lists.WalletEntries(c.Identity())
	return change{position, c.At.Unix(), hosts, path}
}

// target is a list that a difference changes.
type target uint8

const (
	blocklist target = iota
	allowlist
	blocklistPaths
)

// String returns the name of the list.
func (t target) String() string {
	return [...]string{
		"eth_phishing_detect_config.blocklist",
		"eth_phishing_detect_config.allowlist",
		"eth_phishing_detect_config.blocklistPaths",
	}[t]
}

// entry is an element of a list that can have changed.
type entry struct {
	text string
	// position is that of the last change that concerns it.
	position int64
	target   target
	// removed says that the list does not have it.
	removed bool
}

// compareEntries is the order of entries: by position, and then such that a path comes before those
// below it.
func compareEntries(a, b entry) int {
	if c := cmp.Compare(a.position, b.position); c != 0 {
		return c
	}
	if c := cmp.Compare(a.target, b.target); c != 0 {
		return c
	}
	return strings.Compare(a.text, b.text)
}

// element is what an entry is about.
type element struct {
	target target
	text   string
}

// entries collects the entries of changes.
type entries struct {
	list  lists.WalletList
	all   []entry
	index map[element]int
}

// newEntries returns an entry for each element that changes concern, in the order of compareEntries. A
// client that removes a path removes what is below it too, so each path below has an entry that comes
// later.
func newEntries(list lists.WalletList, changes []change) []entry {
	e := entries{list: list, index: make(map[element]int, 3*len(changes))} // a host, one above it, and both lists
	for _, c := range changes {
		if len(c.hosts) > 0 {
			e.touch(blocklist, c.hosts[0], c.position)
		}
		for _, host := range c.hosts {
			e.touch(allowlist, host, c.position)
		}
		if c.path != "" {
			e.touch(blocklistPaths, c.path, c.position)
		}
	}
	for _, one := range slices.Clone(e.all) {
		if one.target == blocklistPaths && one.removed {
			for _, below := range pathsBelow(list.BlockedPaths, one.text) {
				e.touch(blocklistPaths, below, one.position)
			}
		}
	}
	slices.SortFunc(e.all, compareEntries)
	return e.all
}

// touch moves the entry of an element to a position, unless it is further.
func (e *entries) touch(of target, text string, position int64) {
	key := element{of, text}
	i, ok := e.index[key]
	if !ok {
		i = len(e.all)
		e.index[key] = i
		e.all = append(e.all, entry{text: text, target: of, removed: !e.has(of, text)})
	}
	e.all[i].position = max(e.all[i].position, position)
}

// has reports whether a list has an element.
func (e *entries) has(of target, text string) bool {
	texts := [...][]string{blocklist: e.list.Blocked, allowlist: e.list.Allowed, blocklistPaths: e.list.BlockedPaths}[of]
	_, found := slices.BinarySearch(texts, text)
	return found
}

// pathsBelow returns the paths below one.
func pathsBelow(paths []string, path string) []string {
	first, _ := slices.BinarySearch(paths, path+"/")
	last := first
	for last < len(paths) && strings.HasPrefix(paths[last], path+"/") {
		last++
	}
	return paths[first:last]
}
