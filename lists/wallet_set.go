package lists

import (
	"cmp"
	"iter"
	"strings"

	"github.com/tidwall/btree"

	"github.com/apguard/apguard/asset"
)

// walletItem is an element of one of the [WalletLists].
type walletItem struct {
	// text is a host and what comes after it, which is nothing or begins with a slash.
	text string
	// host is the length of the host.
	host uint32
	// forms are those of the assets that make it an element.
	forms walletForms
	// withheld says that it is on no list, because something on the allowed host or below it is BLOCKED.
	withheld bool
}

func newWalletItem(host, rest string) walletItem {
	item := walletItem{text: host, host: uint32(len(host))} //nolint:gosec // an asset is short
	if rest != "" {
		item.text += rest
	}
	return item
}

func (i walletItem) hostText() string { return i.text[:i.host] }

// isBelow reports whether the item is on a host or below it.
func (i walletItem) isBelow(host walletItem) bool {
	below, found := strings.CutSuffix(i.hostText(), host.text)
	return found && (below == "" || strings.HasSuffix(below, "."))
}

// compare orders items by host, read from its end, and then by what comes after the host. A dot comes
// before other characters, so all items on a host or below it are together.
func (i walletItem) compare(other walletItem) int {
	a, b := i.hostText(), other.hostText()
	for n := 1; n <= min(len(a), len(b)); n++ {
		x, y := a[len(a)-n], b[len(b)-n]
		switch {
		case x == y:
		case x == '.':
			return -1
		case y == '.':
			return 1
		default:
			return cmp.Compare(x, y)
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(i.text[i.host:], other.text[other.host:]))
}

// walletForms is a set of assets that are the same to a client: a PAGE, a link with https, one with http, and
// another identifier, each of them without a slash at its end and with one.
type walletForms uint8

func formOf(identity asset.Identity) walletForms {
	form := walletForms(1)
	switch {
	case identity.Type == asset.TypePage:
	case identity.Type != asset.TypeURL:
		form <<= 1
	case strings.HasPrefix(identity.Canonical, scheme):
		form <<= 2
	default:
		form <<= 3
	}
	if strings.HasSuffix(identity.Canonical, "/") {
		form <<= 4
	}
	return form
}

// walletSet is a sorted set of items.
type walletSet struct{ items *btree.BTreeG[walletItem] }

// walletDegree is the degree of the trees. A copy of a node takes a few microseconds.
const walletDegree = 64

func newWalletSet() walletSet {
	less := func(a, b walletItem) bool { return a.compare(b) < 0 }
	return walletSet{btree.NewBTreeGOptions(less, btree.Options{Degree: walletDegree, NoLocks: true})}
}

func (s walletSet) copy() walletSet { return walletSet{s.items.Copy()} }

func (s walletSet) len() int { return s.items.Len() }

func (s walletSet) get(item walletItem) (walletItem, bool) { return s.items.Get(item) }

func (s walletSet) replace(item walletItem) { s.items.Set(item) }

// put adds a form of an item, or removes it. An item without forms is not in the set. It reports whether the
// set has another item than before.
func (s walletSet) put(item walletItem, form walletForms, is bool) (changed bool) {
	var hint btree.PathHint // the second search begins where the first ended
	present, found := s.items.GetHint(item, &hint)
	if found {
		item = present
	}
	if item.forms |= form; !is {
		item.forms &^= form
	}
	switch item.forms {
	case present.forms: // present has none if it was not found
	case 0:
		s.items.DeleteHint(item, &hint)
	default:
		s.items.SetHint(item, &hint)
	}
	return found != (item.forms != 0)
}

// hasBelow reports whether the set has an item on a host or below it.
func (s walletSet) hasBelow(host walletItem) (has bool) {
	s.items.Ascend(host, func(first walletItem) bool {
		has = first.isBelow(host)
		return false
	})
	return has
}

// after yields the items after one.
func (s walletSet) after(item walletItem) iter.Seq[walletItem] {
	return func(yield func(walletItem) bool) {
		s.items.Ascend(item, func(next walletItem) bool { return next.compare(item) == 0 || yield(next) })
	}
}
