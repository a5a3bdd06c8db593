package limit

import (
	"errors"
	"io"
	"net/http"
	"net/netip"
	"time"
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

// Finish ends the work of a costly request, whose response is yet to be sent.
func (p *Place) Finish() {
	p.load.mu.Lock()
	defer p.load.mu.Unlock()
	p.giveBack(costly)
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

// The size of the first buffer for a body. Later ones are twice as large, so that a body
// that does not arrive takes little memory.
const (
	firstBuffer        = 64 << 10
	firstUnknownBuffer = 4 << 10 // if the length of the body is unknown
)

// ReadBody reads the body of the request to its end. Its memory counts until [Place.Leave]. The length is
// that which the client has announced, or negative. The reader must fail after maximum bytes. ReadBody
// returns its error, or an [*Error] if the body exceeds a limit.
func (p *Place) ReadBody(from io.Reader, length, maximum int64) ([]byte, error) {
	size := min(length, firstBuffer)
	if length < 0 {
		size = min(firstUnknownBuffer, maximum)
	}
	if err := p.hold(size); err != nil {
		return nil, err
	}
	// A buffer has room for one byte more, because the end may need a read of its own.
	body := make([]byte, 0, size+1)
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, err
		case len(body) < cap(body):
			continue
		}
		larger := min(max(2*size, firstUnknownBuffer), maximum)
		if size < length {
			larger = min(larger, length)
		}
		if err := p.hold(larger - size); err != nil {
			return nil, err
		}
		size = larger
		body = append(make([]byte, 0, size+1), body...)
	}
}

// hold takes memory for a body.
func (p *Place) hold(bytes int64) error {
	p.load.mu.Lock()
	defer p.load.mu.Unlock()
	return p.take(bodies, bytes)
}

// Pace is how slowly a client may send a body or read a response.
type Pace struct {
	// Timeout is the time that the client has for a part.
	Timeout time.Duration
	// MinRate is the number of bytes a second that it must send or accept on average, as soon as that
	// has taken longer than Timeout.
	MinRate int64
}

// TimeFor returns the time that the client has for the next part. total is the number of bytes
// with that part, and spent is the time that the parts before it have taken.
func (p Pace) TimeFor(total int64, spent time.Duration) time.Duration {
	// In seconds, because the rate may allow more time than a Duration can hold.
	timeout := p.Timeout.Seconds()
	whole := max(timeout, float64(total)/float64(p.MinRate))
	return time.Duration(min(timeout, whole-spent.Seconds()) * float64(time.Second))
}
