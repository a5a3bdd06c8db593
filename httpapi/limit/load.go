package limit

import (
	"context"
	"net/netip"
	"time"
)

// Maxima are the limits of a [Load]. Those that end in PerCaller apply to each caller or client
// address, those that end in PerOrganization to all callers of an organization, and the others to
// all of them together.
type Maxima struct {
	Requests, RequestsPerCaller                    int64
	Costly, CostlyPerCaller, CostlyPerOrganization int64
	// Waiting and WaitingPerCaller limit the requests that wait; see [Load.Wait].
	Waiting, WaitingPerCaller int64
	// BodyBytes and BodyBytesPerCaller limit the memory of bodies in flight.
	BodyBytes, BodyBytesPerCaller int64
}

// Load is what a server does at the same time. Its methods return an [*Error] with the status 429
// beyond a limit of a caller or an organization, and with 503 beyond another limit. It is safe for
// concurrent use.
type Load struct {
	requests, costly, waiting, bodies *bound[string]
	organizations                     *bound[int64]
	lookUps                           lookUps
	refused                           *bound[netip.Addr]
}

// NewLoad returns a Load without any request.
func NewLoad(limits Maxima) *Load {
	return &Load{
		requests: newBound[string](PolicyRequests, limits.Requests, limits.RequestsPerCaller),
		costly:   newBound[string](PolicyCostly, limits.Costly, limits.CostlyPerCaller),
		// The total is that of costly.
		organizations: newBound[int64](PolicyCostlyOrganization, limits.Costly, limits.CostlyPerOrganization),
		waiting:       newBound[string](PolicyWaiting, limits.Waiting, limits.WaitingPerCaller),
		bodies:        newBound[string](PolicyBodies, limits.BodyBytes, limits.BodyBytesPerCaller),
		lookUps:       lookUps{max: limits.Requests, maxPerClient: limits.RequestsPerCaller, clients: make(map[netip.Addr]clientLookUps)},
		refused:       newBound[netip.Addr](PolicyRequests, limits.Requests, limits.RequestsPerCaller),
	}
}

// Enter counts a request until [Load.Leave], unless it is beyond a limit. A costly request also
// counts for the organization of its principal, if there is one.
func (l *Load) Enter(req Request) error {
	if err := l.requests.take(req.Caller, 1); err != nil || !req.Costly {
		return err
	}
	err := l.enterCostly(req)
	if err != nil {
		l.requests.giveBack(req.Caller, 1)
	}
	return err
}

func (l *Load) enterCostly(req Request) error {
	err := l.costly.take(req.Caller, 1)
	if err != nil || !req.Principal.HasOrganization() {
		return err
	}
	if err = l.organizations.take(req.Principal.OrganizationID, 1); err != nil {
		l.costly.giveBack(req.Caller, 1)
	}
	return err
}

// Leave ends a request that has entered.
func (l *Load) Leave(req Request) {
	l.requests.giveBack(req.Caller, 1)
	if !req.Costly {
		return
	}
	l.costly.giveBack(req.Caller, 1)
	if req.Principal.HasOrganization() {
		l.organizations.giveBack(req.Principal.OrganizationID, 1)
	}
}

// Wait makes a request that has entered one that waits for something to happen, which costs little
// more than its connection, until [Load.EndWait] instead of [Load.Leave]. After an error, nothing has
// changed.
func (l *Load) Wait(req Request) error {
	if err := l.waiting.take(req.Caller, 1); err != nil {
		return err
	}
	l.Leave(req)
	return nil
}

// EndWait ends a request that waited.
func (l *Load) EndWait(req Request) { l.waiting.giveBack(req.Caller, 1) }

// Delay waits before a client is refused, and returns how long it has waited. It waits less if
// ctx ends, and not at all if as many refusals wait as the limits of requests allow, because
// each of them keeps a connection. A refusal between [Load.BeginDrain] and [Load.EndDrain] counts
// as one that waits.
//
// With 100 connections that repeat refused requests without a pause, a check of another caller
// takes 18 ms on one processor. If each refusal waits for 250 ms, it takes 0.5 ms.
func (l *Load) Delay(ctx context.Context, client netip.Addr, delay time.Duration) time.Duration {
	client = Network(client)
	if delay <= 0 || l.refused.take(client, 1) != nil {
		return 0
	}
	defer l.refused.giveBack(client, 1)
	began := time.Now()
	select {
	case <-time.After(delay):
	case <-ctx.Done():
	}
	return time.Since(began)
}

// BeginDrain counts a refusal that reads the rest of a body until [Load.EndDrain], unless it is
// beyond a limit of requests, with the client as the caller.
func (l *Load) BeginDrain(client netip.Addr) error { return l.refused.take(Network(client), 1) }

// EndDrain ends a refusal that has begun to read.
func (l *Load) EndDrain(client netip.Addr) { l.refused.giveBack(Network(client), 1) }
