package httpapi

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/apguard/apguard/account"
)

// maxKeySessions bounds the sessions that one key can have, so that it cannot end those of others.
const maxKeySessions = 20

// handover is how long the ID of a session that got another one lasts: requests of other tabs are on their way with it.
const handover = 10 * time.Second

// SessionOptions are the options of [Sessions]. The zero value is ready to use.
type SessionOptions struct {
	// Idle is how long a session lasts without a request. 0 means 12 hours.
	Idle time.Duration
	// Lifetime is how long a session can use a key after it was given. 0 means 7 days.
	Lifetime time.Duration
	// Max is the maximum number of sessions. A sign-in beyond it ends the session that was not used for the longest
	// time. 0 means 10,000.
	Max int
	// Clock returns the time against which expiries are checked. Nil means time.Now.
	Clock func() time.Time
	// Person returns the e-mail address of the person whom the host application has authenticated as the sender of a
	// request, or an empty text, as the function of [TrustEmailHeader] does. It is called concurrently. The person signs
	// in without a key if [account.Service.SignInUser] returns a user, and [account.KeyService.SignInKey] a key of that
	// user. Nil means that people need keys.
	//
	// A session then belongs to the address that Person has returned when it began, whatever its keys, and requests for
	// which Person returns another one, or none, cannot use it.
	Person func(*http.Request) string
	// Accounts has the users who sign in so. Person needs it.
	Accounts *account.Service
}

// Sessions lets the people who use a page in a browser, such as that of package console, sign in with a key once.
// [NewSignIn] takes the key and answers with a cookie. [Sessions.Public] and [Sessions.Operator] accept the cookie
// in place of the key, but only from pages of the same origin.
//
// A session has a key of the public API, one of the operators' API, or both. It keeps their hashes. Each request
// authenticates with what is stored about the key then, so a key that is revoked or has expired, or whose user is
// deactivated, ends what the session can do. Sessions are in memory: a restart signs everybody out, and several
// processes behind one address need a balancer that sends a browser to one of them.
//
// The zero Sessions accepts nothing. Sessions is safe for concurrent use.
type Sessions struct {
	keys    *account.KeyService
	options SessionOptions

	mu sync.Mutex
	// open has the sessions by the hash of their ID.
	open map[[32]byte]session
}

// sessionAPI is the API that a key of a session is for.
type sessionAPI string

const (
	publicAPI   sessionAPI = "public"
	operatorAPI sessionAPI = "operator"
)

// session is what is kept of a sign-in.
type session struct {
	// keys is not changed.
	keys map[sessionAPI]sessionKey
	// person is the address that [Sessions.person] has returned when the session began.
	person string
	used   time.Time
	// replaced is when the session got another ID, or the zero time.
	replaced time.Time
}

// sessionKey is the hash of a key of a session.
type sessionKey struct {
	hash [32]byte
	// given is when its text was given, or when the person signed in.
	given time.Time
	// ofPerson says that the person of the session has signed in without its text.
	ofPerson bool
}

// NewSessions returns Sessions whose keys are those of the service.
func NewSessions(keys *account.KeyService, opts SessionOptions) *Sessions {
	opts.Idle = cmp.Or(opts.Idle, 12*time.Hour)
	opts.Lifetime = cmp.Or(opts.Lifetime, 7*24*time.Hour)
	opts.Max = cmp.Or(opts.Max, 10_000)
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Sessions{keys: keys, options: opts, open: make(map[[32]byte]session)}
}

// live returns the keys that a session can use. There are none if it has ended.
func (s *Sessions) live(found session, now time.Time) map[sessionAPI]sessionKey {
	live := make(map[sessionAPI]sessionKey)
	if !found.replaced.IsZero() && now.Sub(found.replaced) >= handover {
		return live
	}
	for api, key := range found.keys {
		if now.Sub(found.used) < s.options.Idle && now.Sub(key.given) < s.options.Lifetime {
			live[api] = key
		}
	}
	return live
}

// person returns the e-mail address of the person who has sent a request, in the form in which addresses are compared.
// It is empty if it is unknown.
func (s *Sessions) person(r *http.Request) string {
	if s.options.Person == nil {
		return ""
	}
	return account.EmailKey(s.options.Person(r))
}

// use returns the keys of the session of a request, which is not idle then. There are none if it has ended, or belongs
// to somebody else.
func (s *Sessions) use(r *http.Request) map[sessionAPI]sessionKey {
	id, person := sessionID(r), s.person(r)
	if s.keys == nil || id == "" {
		return nil
	}
	now, hash := s.options.Clock(), sha256.Sum256([]byte(id))
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.open[hash]
	if !ok || found.person != person {
		return nil
	}
	live := s.live(found, now)
	if len(live) == 0 {
		delete(s.open, hash)
		return nil
	}
	s.open[hash] = session{live, person, now, found.replaced}
	return live
}

// authenticate returns the principal of a key of the session of a request. The address of the person may no longer be
// that of the user.
func (s *Sessions) authenticate(r *http.Request, key sessionKey) (account.Principal, error) {
	principal, err := s.keys.AuthenticateHash(r.Context(), key.hash)
	if err == nil && key.ofPerson && account.EmailKey(principal.Email) != s.person(r) {
		return account.Principal{}, ErrUnauthenticated
	}
	return principal, err
}

// start adds a key to the session of a request, if there is one. The session gets another ID, which start returns
// with the keys: somebody else who knows the old ID must not gain by it. The old one ends soon.
func (s *Sessions) start(r *http.Request, api sessionAPI, key sessionKey) (string, map[sessionAPI]sessionKey) {
	id, now := sessionID(r), s.options.Clock()
	keys := map[sessionAPI]sessionKey{}
	maps.Copy(keys, s.use(r))
	key.given = now
	keys[api] = key
	next := rand.Text() + rand.Text() // 260 bits
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.open[sha256.Sum256([]byte(id))]; ok && old.replaced.IsZero() {
		old.replaced = now
		s.open[sha256.Sum256([]byte(id))] = old
	}
	s.makeRoom(key.hash, now)
	s.open[sha256.Sum256([]byte(next))] = session{keys: keys, person: s.person(r), used: now}
	return next, keys
}

// makeRoom ends sessions until there is room for one more with the key.
func (s *Sessions) makeRoom(key [32]byte, now time.Time) {
	var (
		ofKey             int
		oldest, oldestKey [32]byte // the sessions that were not used for the longest time
	)
	for id, other := range s.open {
		if len(s.live(other, now)) == 0 {
			delete(s.open, id)
			continue
		}
		if first, ok := s.open[oldest]; !ok || other.used.Before(first.used) {
			oldest = id
		}
		if !other.has(key) {
			continue
		}
		ofKey++
		if first, ok := s.open[oldestKey]; !ok || other.used.Before(first.used) {
			oldestKey = id
		}
	}
	if ofKey >= maxKeySessions {
		delete(s.open, oldestKey)
	}
	if len(s.open) >= s.options.Max {
		delete(s.open, oldest)
	}
}

func (s session) has(key [32]byte) bool {
	return s.keys[publicAPI].hash == key || s.keys[operatorAPI].hash == key
}

// end ends a session.
func (s *Sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, sha256.Sum256([]byte(id)))
}
