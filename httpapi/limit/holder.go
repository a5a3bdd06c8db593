package limit

import (
	"net/http"
	"net/netip"
)

// holder is one that has a part of each maximum: a caller, an organization or a client address. Only one
// of the fields is set, and none for a client without an address.
type holder struct {
	caller       string
	organization int64
	client       netip.Addr
}

// part returns the part of a maximum that the holder can have, and what the name of its limit ends in.
func (h holder) part(maximum int64) (part int64, suffix string) {
	switch {
	case h.caller != "":
		return (maximum + 3) / 4, ""
	case h.organization != 0:
		return (maximum + 1) / 2, SuffixOrganization
	default:
		return (3*maximum + 3) / 4, SuffixClient
	}
}

// holdings are what a holder has at the moment.
type holdings struct {
	holder holder
	held   amounts
	// places is the number of places that use the account.
	places int
}

// refusal returns the error if the holder cannot have that much more of a kind.
func (h *holdings) refusal(k kind, more, maximum int64) error {
	part, suffix := h.holder.part(maximum)
	if h.held[k]+more <= part {
		return nil
	}
	refusal := &Error{Status: http.StatusTooManyRequests, Policy: k.policy() + suffix}
	if k != bodies { // not a number of requests
		refusal.Quota = part
	}
	return refusal
}

// open returns the account of a holder for one more place.
func (l *Load) open(h holder) *holdings {
	account := l.accounts[h]
	if account == nil {
		account = &holdings{holder: h}
		l.accounts[h] = account
	}
	account.places++
	return account
}

// close ends the use of an account by a place.
func (l *Load) close(account *holdings) {
	account.places--
	if account.places == 0 {
		delete(l.accounts, account.holder)
	}
}
