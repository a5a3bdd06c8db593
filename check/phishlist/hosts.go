package phishlist

import "strings"

// maxHost is the maximum length of a host in bytes (RFC 1035, section 2.3.4, without
// the dot of the root).
const maxHost = 253

// hosts are the entries of the allowlists, or of the blocklists, of a file.
type hosts struct {
	entries map[string]entry
	longest int // the length of the longest entry
}

// entry says where a host is in the file.
type entry struct {
	order uint32 // among the hosts of the file, from 1; 0 means no entry
	list  int32  // the number of the list
}

// covering returns the first entry that covers the host, which is the host itself or a
// domain above it. The zero entry means that there is none.
func (h hosts) covering(host string) (match string, first entry) {
	host = host[max(0, len(host)-h.longest-1):] // with room for the dot before the longest entry
	for dot := len(host); dot >= 0; {
		dot = strings.LastIndexByte(host[:dot], '.')
		suffix := host[dot+1:]
		if found := h.entries[suffix]; found.order > 0 && (first.order == 0 || found.order < first.order) {
			match, first = suffix, found
		}
	}
	return match, first
}
