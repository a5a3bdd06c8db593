package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/apguard/apguard/account"
)

// NewSignIn returns the API with which a page signs in and out:
//
//   - POST /public and POST /operator add the key in the header X-API-KEY to the session, as that of one of the
//     APIs. They set the cookie, which is HttpOnly, SameSite=Strict, and Secure over https.
//   - POST /person does so for the person whom SessionOptions.Person names, who needs no key, in the operators' API.
//   - GET /current returns the fingerprints of the keys of the session, and the person's e-mail address.
//   - POST /end ends the session, in all tabs.
//
// It serves pages of the same origin only. Mount it at a base of its own, on the server of the page and of both
// APIs. The limits and the Failures of the options apply as they do to the APIs, so give the same ones. It
// has no OpenAPI document.
//
// NewSignIn returns an error that matches [ErrOptions] if the sessions are nil or zero, or an option is invalid or
// missing.
func NewSignIn(sessions *Sessions, opts Options) (*API, error) {
	opts = opts.withDefaults()
	if sessions == nil || sessions.keys == nil {
		return nil, fmt.Errorf("%w: sessions have no keys", ErrOptions)
	}
	if sessions.options.Person != nil && sessions.options.Accounts == nil {
		return nil, fmt.Errorf("%w: SessionOptions.Person needs Accounts", ErrOptions)
	}
	if err := opts.validate(); err != nil {
		return nil, err
	}
	return buildAPI(signIn{sessions}.operations(), apiKeys{sessions.keys}, opts)
}

// signIn has the operations of a page that signs in and out.
type signIn struct {
	sessions *Sessions
}

func (s signIn) operations() []operation {
	person := s.operation(http.MethodPost, "/person", s.startAsPerson)
	person.costly = true // it reads the keys of all operators
	return []operation{
		s.operation(http.MethodPost, "/"+string(publicAPI), s.starts(publicAPI)).authenticated(),
		s.operation(http.MethodPost, "/"+string(operatorAPI), s.starts(operatorAPI)).authenticated(),
		person,
		s.operation(http.MethodGet, "/current", s.current),
		s.operation(http.MethodPost, "/end", s.end),
	}
}

// operation returns an operation that needs no credentials and refuses pages of other origins.
func (s signIn) operation(method, path string, handle func(*responseWriter, call) error) operation {
	return operation{methods: []string{method}, path: path, anonymous: true, handle: func(w *responseWriter, c call) error {
		if !sameOrigin(c.Request) {
			return apiError{status: http.StatusForbidden, message: "Only pages of this server can use this"}
		}
		return handle(w, c)
	}}
}

// authenticated returns the operation for callers with any key.
func (op operation) authenticated() operation {
	op.anonymous, op.anyScope = false, true
	return op
}

// sessionResponse has the fingerprints of the keys of a session, and the e-mail address with which its owner can sign
// in without a key. They are null for none.
type sessionResponse struct {
	Public   *string `json:"public"`
	Operator *string `json:"operator"`
	Person   *string `json:"person"`
}

func (s signIn) response(r *http.Request, keys map[sessionAPI]sessionKey) sessionResponse {
	fingerprint := func(api sessionAPI) *string {
		key, found := keys[api]
		if !found {
			return nil
		}
		return known(account.Fingerprint(key.hash))
	}
	return sessionResponse{fingerprint(publicAPI), fingerprint(operatorAPI), known(s.sessions.person(r))}
}

// starts returns the handle of a sign-in. The key was accepted, so there is one.
func (s signIn) starts(api sessionAPI) func(*responseWriter, call) error {
	return func(w *responseWriter, c call) error {
		return s.start(w, c, api, sessionKey{hash: account.HashKey(c.Header.Get(keyHeader))})
	}
}

// startAsPerson signs in the person who has sent the request.
func (s signIn) startAsPerson(w *responseWriter, c call) error {
	person := s.sessions.person(c.Request)
	if person == "" {
		return apiError{status: http.StatusForbidden, message: "The proxy names nobody; sign in with a key"}
	}
	user, err := s.sessions.options.Accounts.SignInUser(c.Context(), person)
	switch {
	case errors.Is(err, account.ErrUserNotFound):
		return apiError{status: http.StatusForbidden, message: "Not exactly one active user has your e-mail address"}
	case err != nil:
		return err
	}
	key, err := s.sessions.keys.SignInKey(c.Context(), user.ID)
	switch {
	case errors.Is(err, account.ErrUnknownKey):
		message := fmt.Sprintf("You have no operator's key that is named %q and can be used", account.SignInKeyName)
		return apiError{status: http.StatusForbidden, message: message}
	case err != nil:
		return err
	}
	w.info.UserID, w.info.Fingerprint = user.ID, key.Fingerprint()
	return s.start(w, c, operatorAPI, sessionKey{hash: key.Hash, ofPerson: true})
}

func (s signIn) start(w *responseWriter, c call, api sessionAPI, key sessionKey) error {
	id, keys := s.sessions.start(c.Request, api, key)
	setSession(w, c.Request, id)
	return w.writeJSON(s.response(c.Request, keys))
}

func (s signIn) current(w *responseWriter, c call) error {
	return w.writeJSON(s.response(c.Request, s.sessions.use(c.Request)))
}

func (s signIn) end(w *responseWriter, c call) error {
	s.sessions.end(sessionID(c.Request))
	setSession(w, c.Request, "")
	return w.writeJSON(s.response(c.Request, nil))
}
