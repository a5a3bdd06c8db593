package limit

import (
	"net/http"
	"net/netip"
)

// Place is what one request holds, until [Place.Leave]. Its methods return an [*Error] with the status 429
// beyond a part of a maximum, and with 503 beyond the maximum, and change nothing then. It is not safe for
// concurrent use.
type Place struct {
	load *Load
	// accounts are those that the request counts for: that of the client address, and then those of the
	// caller and the organization. room is where they are.
	accounts []*holdings
	room     [3]*holdings
	held     amounts
}

// Enter begins a request of a client. The error is an [*Error], as for the methods of a [Place]. The place
// then holds nothing yet.
func (l *Load) Enter(client netip.Addr) (*Place, error) {
	p := &Place{load: l}
	p.accounts = p.room[:0]
	l.mu.Lock()
	defer l.mu.Unlock()
	err := p.join(holder{client: Network(client)})
	if err == nil {
		err = p.take(requests, 1)
	}
	return p, err
}

// Anonymous is the organization of all callers that need no credentials.
const Anonymous = -1

// Identify makes the request count for its caller, and for an organization unless that is 0.
func (p *Place) Identify(caller string, organization int64) error {
	p.load.mu.Lock()
	defer p.load.mu.Unlock()
	err := p.join(holder{caller: caller})
	if err == nil && organization != 0 {
		err = p.join(holder{organization: organization})
	}
	return err
}

// Holds reports whether the request holds anything.
func (p *Place) Holds() bool { return p.held != amounts{} }

// Costly makes the request a costly one.
func (p *Place) Costly() error {
	p.load.mu.Lock()
	defer p.load.mu.Unlock()
	return p.take(costly, 1)
}

// Wait makes the request one that waits for something to happen, which costs little more than its
// connection. It remains one after the wait, because many can end at the same time, and none must be
// refused then.
func (p *Place) Wait() error {
	p.load.mu.Lock()
	defer p.load.mu.Unlock()
	err := p.take(waiting, 1)
	if err == nil {
		p.giveBack(requests)
		p.giveBack(costly)
	}
	return err
}

// Refuse makes the request one that is refused slowly: after a delay, or when the rest of its body is read.
// It counts for the client address only. After an error, it must be answered at once.
func (p *Place) Refuse() error {
	p.load.mu.Lock()
	defer p.load.mu.Unlock()
	p.leave(1)
	return p.take(refused, 1)
}

// Leave ends the request.
func (p *Place) Leave() {
	p.load.mu.Lock()
	defer p.load.mu.Unlock()
	p.leave(0)
}

// join makes what the request holds count for a holder too.
func (p *Place) join(h holder) error {
	account := p.load.open(h)
	for k := range kinds {
		if p.held[k] == 0 {
			continue
		}
		if err := account.refusal(k, p.held[k], p.load.maxima[k]); err != nil {
			p.load.close(account)
			return err
		}
	}
	for k := range kinds {
		account.held[k] += p.held[k]
	}
	p.accounts = append(p.accounts, account)
	return nil
}

// take adds to what the request holds.
func (p *Place) take(k kind, amount int64) error {
	maximum := p.load.maxima[k]
	for _, account := range p.accounts {
		if err := account.refusal(k, amount, maximum); err != nil {
			return err
		}
	}
	if p.load.total[k]+amount > maximum {
		return &Error{Policy: k.policy(), Status: http.StatusServiceUnavailable}
	}
	p.add(k, amount)
	return nil
}

// giveBack releases the amount of a kind that the request holds.
func (p *Place) giveBack(k kind) { p.add(k, -p.held[k]) }

// add adds to what the request, its accounts and all requests together hold.
func (p *Place) add(k kind, amount int64) {
	p.held[k] += amount
	p.load.total[k] += amount
	for _, account := range p.accounts {
		account.held[k] += amount
	}
}

// leave releases everything that the request holds, and closes all accounts but the first ones.
func (p *Place) leave(kept int) {
	for k := range kinds {
		p.giveBack(k)
	}
	for _, account := range p.accounts[kept:] {
		p.load.close(account)
	}
	p.accounts = p.accounts[:kept]
}
