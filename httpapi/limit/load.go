package limit

import (
	"net/netip"
	"sync"
)

// Maxima are the limits of a [Load]: how much of each all requests hold at the same time.
//
// A caller holds at most a quarter of each, all callers of an organization together a half, and all
// requests of a client address three quarters. So none of them takes everything away from the others,
// and an organization leaves room for others with its address. Parts are rounded up.
type Maxima struct {
	// Requests limits the requests that are served, from the end of the head to the end of the response.
	Requests int64
	// Costly limits those of them that are costly.
	Costly int64
	// Waiting limits the requests that wait for something to happen; see [Place.Wait].
	Waiting int64
	// Refused limits the requests that are refused slowly; see [Place.Refuse].
	Refused int64
	// BodyBytes limits the memory of bodies in flight.
	BodyBytes int64
}

// kind is something that requests hold.
type kind int

const (
	requests kind = iota
	costly
	waiting
	refused
	bodies
	kinds
)

// policy is the name of the limit.
func (k kind) policy() string {
	return [kinds]string{PolicyRequests, PolicyCostly, PolicyWaiting, PolicyRefused, PolicyBodies}[k]
}

// amounts say how much of each kind is held.
type amounts [kinds]int64

// Load is what a server does at the same time, with an account of what each caller, organization and
// client address holds. It is safe for concurrent use.
type Load struct {
	maxima  amounts
	lookUps turns

	mu       sync.Mutex
	total    amounts
	accounts map[holder]*holdings
}

// NewLoad returns a Load without any request.
func NewLoad(limits Maxima) *Load {
	return &Load{
		maxima:   amounts{limits.Requests, limits.Costly, limits.Waiting, limits.Refused, limits.BodyBytes},
		lookUps:  turns{of: make(map[netip.Addr]*turn)},
		accounts: make(map[holder]*holdings),
	}
}
