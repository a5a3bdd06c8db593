package lists

import (
	"iter"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// WalletList is one of the [WalletLists]. The zero value is none of them.
type WalletList uint8

const (
	// WalletBlocked has the hosts that clients block, as in the format eth-phishing-detect.
	WalletBlocked WalletList = iota + 1
	// WalletAllowed has the hosts that clients allow, as in that format.
	WalletAllowed
	// WalletBlockedPaths has hosts with a path, such as example.com/a/b. If the host begins with "http",
	// they have a scheme before it. A path is blocked even on an allowed host.
	WalletBlockedPaths
)

// WalletElement is a text that can be on one of the [WalletLists].
type WalletElement struct {
	List WalletList
	Text string
}

// WalletLists are what the clients of MetaMask's phishing detection block and allow.
//
// A client blocks a host with its subdomains, unless the host or a domain above it is allowed, and a path
// with everything below it. It ignores schemes, ports and queries.
//
// Like an export, the lists never say more than a check. The exceptions are those of hosts in every export,
// and that a path is blocked on all ports and with everything below it. The lists depend on the present
// statuses only, and not on their order.
//
// Each element takes 35 to 50 bytes and its text. So does a BLOCKED asset that is on no list, such as a link
// with a query, because no host above it is allowed. Its text is 17 bytes longer than its host.
//
// [NewWalletLists] makes WalletLists. They must not be read while they are changed, but copies of them can
// be.
type WalletLists struct {
	allowed, blocked, paths walletSet
	// others has the assets that are BLOCKED but on no list.
	others walletSet
}

// NewWalletLists returns lists without elements.
func NewWalletLists() *WalletLists {
	return &WalletLists{allowed: newWalletSet(), blocked: newWalletSet(), paths: newWalletSet(), others: newWalletSet()}
}

// Copy returns a copy. That takes the same time whatever the length of the lists: they share what neither
// changes.
func (l *WalletLists) Copy() *WalletLists {
	return &WalletLists{allowed: l.allowed.copy(), blocked: l.blocked.copy(), paths: l.paths.copy(), others: l.others.copy()}
}

// Set sets the status of an asset. Setting it again changes nothing. The time that it takes depends on the
// number of labels of the host, and only slightly on the length of the lists.
func (l *WalletLists) Set(identity asset.Identity, status asset.Status) {
	host, _, _ := classify.SplitHost(identity)
	if identity.Type == asset.TypeEmail || host == "" {
		return
	}
	form := formOf(identity)
	bare, kind, reason := hostOf(identity)
	if set, element := l.placeIfBlocked(identity, reason == "" && kind != deepDomain); set != nil {
		if set.put(element, form, status == asset.StatusBlocked) {
			l.reviewAbove(element.hostText())
		}
	}
	if reason == "" && notAllowed(identity.Type, bare, kind) == "" {
		element, is := newWalletItem(bare, ""), status == asset.StatusAllowed
		element.withheld = is && l.blocksBelow(element)
		l.allowed.put(element, form, is)
	}
}

// placeIfBlocked returns where an asset is while it is BLOCKED, and as what. The set is nil if it matters to no list.
func (l *WalletLists) placeIfBlocked(identity asset.Identity, isHost bool) (*walletSet, walletItem) {
	host, _, _ := classify.SplitHost(identity)
	if isHost {
		return &l.blocked, newWalletItem(host, "")
	}
	if path, ok := pathOf(identity); ok {
		return &l.paths, newWalletItem(host, path)
	}
	if classify.IsPlatformHost(host) {
		return nil, walletItem{} // and so is each host above it that is no public suffix, so none is allowed
	}
	key := keyOf(string(identity.Type) + " " + identity.Canonical)
	return &l.others, newWalletItem(host, "/"+string(key[:]))
}

// reviewAbove finds out again whether a host and those above it may be allowed.
func (l *WalletLists) reviewAbove(host string) {
	for more := l.allowed.len() > 0; more; _, host, more = strings.Cut(host, ".") {
		if allowed, ok := l.allowed.get(newWalletItem(host, "")); ok {
			if withheld := l.blocksBelow(allowed); withheld != allowed.withheld {
				allowed.withheld = withheld
				l.allowed.replace(allowed)
			}
		}
	}
}

// blocksBelow reports whether anything is BLOCKED on a host or below it.
func (l *WalletLists) blocksBelow(host walletItem) bool {
	return l.blocked.hasBelow(host) || l.paths.hasBelow(host) || l.others.hasBelow(host)
}

// Has reports whether an element is on its list.
func (l *WalletLists) Has(element WalletElement) bool {
	item, ok := l.set(element.List).get(itemOf(element))
	return ok && !item.withheld
}

// After yields the texts of the list of an element that come after it, whether the list has it or not. If its
// text is empty, it yields the whole list. The order is that of the hosts, read from their end, so that a
// host is followed by its subdomains. The paths of a host are in the order of their texts.
func (l *WalletLists) After(element WalletElement) iter.Seq[string] {
	return func(yield func(string) bool) {
		for item := range l.set(element.List).after(itemOf(element)) {
			if !item.withheld && !yield(textOf(element.List, item)) {
				return
			}
		}
	}
}

// PathsBelow yields the elements of [WalletBlockedPaths] below one of them.
func (l *WalletLists) PathsBelow(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text := range l.After(WalletElement{WalletBlockedPaths, path + "/"}) {
			if !strings.HasPrefix(text, path+"/") || !yield(text) {
				return
			}
		}
	}
}

// set returns the elements of a list, or those of no list.
func (l *WalletLists) set(list WalletList) walletSet {
	switch list {
	case WalletBlocked:
		return l.blocked
	case WalletAllowed:
		return l.allowed
	case WalletBlockedPaths:
		return l.paths
	default:
		return newWalletSet()
	}
}

// scheme is before a host in a path that would be read as a scheme.
const scheme = "https://"

// textOf returns the text of an element.
func textOf(list WalletList, item walletItem) string {
	if list == WalletBlockedPaths && strings.HasPrefix(item.text, "http") {
		return scheme + item.text
	}
	return item.text
}

// itemOf returns the item of an element.
func itemOf(element WalletElement) walletItem {
	if element.List != WalletBlockedPaths {
		return newWalletItem(element.Text, "")
	}
	text := strings.TrimPrefix(element.Text, scheme)
	host, _, _ := strings.Cut(text, "/")
	return newWalletItem(host, text[len(host):])
}

// WalletElements returns the elements of [WalletLists] that depend on the status of an asset: as blocked, the
// host that it names or is below of, as allowed, this host and those above it, the most specific first, and
// its path.
func WalletElements(identity asset.Identity) []WalletElement {
	host, _, _ := classify.SplitHost(identity)
	if identity.Type == asset.TypeEmail || host == "" {
		return nil
	}
	var elements []WalletElement
	if isIPHost(host) {
		elements = []WalletElement{{WalletBlocked, host}, {WalletAllowed, host}}
	} else if strings.Contains(host, ".") { // a list has no single label
		elements = append(elements, WalletElement{WalletBlocked, host})
		for above := host; strings.Contains(above, "."); _, above, _ = strings.Cut(above, ".") {
			elements = append(elements, WalletElement{WalletAllowed, above})
		}
	}
	if path, ok := pathOf(identity); ok {
		elements = append(elements, WalletElement{WalletBlockedPaths, textOf(WalletBlockedPaths, newWalletItem(host, path))})
	}
	return elements
}

// pathOf returns the path of a link, as a client reads it. A link with a port, a query or a route has none. A
// client ignores empty segments and decodes all escapes, so a path that does not cover all of its spellings
// is none either.
func pathOf(identity asset.Identity) (string, bool) {
	if identity.Type != asset.TypeURL && identity.Type != asset.TypePage {
		return "", false
	}
	_, port, rest := classify.SplitHost(identity)
	path := strings.TrimRight(rest, "/")
	return path, port == "" && path != "" && !strings.ContainsAny(path, "?#") && classify.HasPlainPath(identity)
}
