package httpapi

import (
	"context"
	"errors"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/step"
)

type keysResponse struct {
	Keys       []keyResponse `json:"keys"`
	NextCursor *string       `json:"nextCursor"`
}

// keyState says whether a key grants access.
type keyState string

const (
	keyActive  keyState = "ACTIVE"
	keyExpired keyState = "EXPIRED"
	keyRevoked keyState = "REVOKED"
)

type keyResponse struct {
	Fingerprint  string             `json:"fingerprint"`
	State        keyState           `json:"state"`
	Organization *namedOrganization `json:"organization"`
	User         *namedUser         `json:"user"`
	// OrganizationDeactivated and UserDeactivated are set with the names.
	OrganizationDeactivated *bool           `json:"organizationDeactivated"`
	UserDeactivated         *bool           `json:"userDeactivated"`
	Name                    string          `json:"name"`
	Scopes                  []account.Scope `json:"scopes"`
	CreatedAt               *string         `json:"createdAt"`
	ExpiresAt               *string         `json:"expiresAt"`
	RevokedAt               *string         `json:"revokedAt"`
	LastUsedAt              *string         `json:"lastUsedAt"`
}

// createdKey has the secret text of a key. Only responses to the operations that make one show it.
type createdKey struct {
	keyResponse
	Key string `json:"key"`
}

type revokedKeys struct {
	Revoked int `json:"revoked"`
}

// keyOperations returns the operations on API keys. Like those on webhooks, they store no
// idempotency keys.
func (o operator) keyOperations() []operation {
	return []operation{
		operatorRead("/key/list", answerNamed(o, request.Call.ListKeys, o.guard.Keys.ListPage, unreplayed(o.newKeysResponse))),
		operatorAdmin("/key/create", answerNamed(o, request.Call.CreateKey, o.createKey, unreplayed(o.newCreatedKey))),
		operatorAdmin("/key/rotate", answerNamed(o, request.Call.RotateKey, o.rotateKey, unreplayed(o.newCreatedKey))),
		operatorAdmin("/key/revoke", answerNamed(o, request.Call.RevokeKey, o.revokeKey, unreplayed(o.newKeyResponse))),
		operatorAdmin("/key/revokeAll", answerJSON(request.Call.RevokeAllKeys, o.guard.Keys.RevokeAll, newRevokedKeys)),
	}
}

func (o operator) createKey(ctx context.Context, creation request.KeyCreation) (account.IssuedKey, error) {
	keys := o.guard.Keys
	if creation.Lifetime > 0 {
		creation.Request.ExpiresAt = keys.Now().Add(creation.Lifetime)
	}
	return keys.Admin(creation.Caller).Create(ctx, creation.Request)
}

func (o operator) rotateKey(ctx context.Context, rotation request.KeyRotation) (account.IssuedKey, error) {
	return o.guard.Keys.Admin(rotation.Caller).Rotate(ctx, rotation.Fingerprint, rotation.Grace)
}

func (o operator) revokeKey(ctx context.Context, fingerprint string) (account.Key, error) {
	return o.guard.Keys.Admin(account.Principal{}).Revoke(ctx, fingerprint)
}

func newRevokedKeys(keys []account.Key) revokedKeys { return revokedKeys{len(keys)} }

func (o operator) newKeysResponse(page step.Page[account.Key]) keysResponse {
	response := keysResponse{Keys: mapped(page.Items, o.newKeyResponse)}
	if page.More {
		response.NextCursor = known(request.KeyCursor(page.Last().Cursor()).String())
	}
	return response
}

func (r keysResponse) addTo(n *names) {
	for _, key := range r.Keys {
		key.addTo(n)
	}
}

func (r keyResponse) addTo(n *names) {
	n.addOrganizations(r.Organization)
	n.addUsers(r.User)
}

func (o operator) newCreatedKey(created account.IssuedKey) createdKey {
	return createdKey{o.newKeyResponse(created.Key), created.Secret}
}

func (o operator) newKeyResponse(key account.Key) keyResponse {
	response := keyResponse{
		Fingerprint:             key.Fingerprint(),
		State:                   keyStateOf(key.Usable(o.guard.Keys.Now())),
		Organization:            newNamedOrganization(key.OrganizationID),
		User:                    newNamedUser(key.UserID),
		OrganizationDeactivated: new(bool),
		UserDeactivated:         new(bool),
		Name:                    key.Name,
		Scopes:                  key.Scopes,
		CreatedAt:               knownTime(key.CreatedAt),
		ExpiresAt:               knownTime(key.ExpiresAt),
		RevokedAt:               knownTime(key.RevokedAt),
		LastUsedAt:              knownTime(key.LastUsedAt),
	}
	if response.Organization != nil {
		response.Organization.deactivated = response.OrganizationDeactivated
	}
	if response.User != nil {
		response.User.deactivated = response.UserDeactivated
	}
	return response
}

// keyStateOf returns the state for the error of [account.Key.Usable].
func keyStateOf(err error) keyState {
	switch {
	case err == nil:
		return keyActive
	case errors.Is(err, account.ErrRevokedKey):
		return keyRevoked
	default:
		return keyExpired
	}
}
