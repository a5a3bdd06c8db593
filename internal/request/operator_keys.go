package request

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

const (
	// maxScopes is more than the number of scopes.
	maxScopes = 100
	// MaxKeySeconds is the maximum time until the expiry of a new key, and of a grace period: about
	// ten years.
	MaxKeySeconds = 10 * 366 * 24 * 60 * 60
)

// ListKeys decodes GET /key/list for operators.
func (c Call) ListKeys() (account.KeyListRequest, error) {
	f := c.query("organizationId", "cursor", "limit")
	return account.KeyListRequest{
		OrganizationID: f.id("organizationId"),
		After:          one(&f, "cursor", asKeyCursor),
		Limit:          f.limit(account.MaxLimit),
	}, f.join()
}

// KeyCreation describes a new key.
type KeyCreation struct {
	// Request has no ExpiresAt.
	Request account.KeyRequest
	// Lifetime is the time until the key expires, or 0 for a key that does not.
	Lifetime time.Duration
	// Caller makes the key.
	Caller account.Principal
}

// CreateKey decodes POST /key/create for operators.
func (c Call) CreateKey() (KeyCreation, error) {
	f := c.unrepeatable("keys", "organizationId", "userId", "name", "scopes", "expiresInSeconds")
	created := KeyCreation{
		Request: account.KeyRequest{
			OrganizationID: f.id("organizationId"),
			UserID:         f.id("userId"),
			Name:           f.text("name"),
		},
		Lifetime: f.seconds("expiresInSeconds", 1),
		Caller:   c.Caller,
	}
	before := len(f.issues)
	for _, scope := range f.nonEmptyList("scopes", maxScopes) {
		created.Request.Scopes = append(created.Request.Scopes, account.Scope(scope))
	}
	if len(created.Request.Scopes) == 0 && len(f.issues) == before {
		f.add("scopes", "must not be empty")
	}
	return created, f.join(created.Request.Validate())
}

// KeyRotation names a key, and how long it stays valid beside its successor.
type KeyRotation struct {
	Fingerprint string
	Grace       time.Duration
	// Caller rotates the key.
	Caller account.Principal
}

// RotateKey decodes POST /key/rotate for operators.
func (c Call) RotateKey() (KeyRotation, error) {
	f := c.unrepeatable("keys", "fingerprint", "graceSeconds")
	return KeyRotation{Fingerprint: f.fingerprint(), Grace: f.seconds("graceSeconds", 0), Caller: c.Caller}, f.join()
}

// RevokeKey decodes POST /key/revoke for operators.
func (c Call) RevokeKey() (fingerprint string, err error) {
	f := c.unrepeatable("keys", "fingerprint")
	fingerprint = f.fingerprint()
	return fingerprint, f.join()
}

// RevokeAllKeys decodes POST /key/revokeAll for operators.
func (c Call) RevokeAllKeys() (userID int64, err error) {
	f := c.unrepeatable("keys", "userId")
	userID = f.requiredID("userId")
	return userID, f.join()
}

// fingerprint decodes the required fingerprint of a key.
func (f *fields) fingerprint() string {
	fingerprint := one(f, "fingerprint", func(v value) (string, string) {
		text, issue := asString(v)
		if _, ok := account.ParseFingerprint(text); issue == "" && !ok {
			issue = "must be 12 hexadecimal digits in lower case"
		}
		return text, issue
	})
	f.require(fingerprint != "", "fingerprint")
	return fingerprint
}

// seconds decodes a number of seconds, 0 if it is absent.
func (f *fields) seconds(name string, least int64) time.Duration {
	return one(f, name, func(v value) (time.Duration, string) {
		seconds, ok := v.wholeNumber()
		if !ok || seconds < least || seconds > MaxKeySeconds {
			return 0, fmt.Sprintf("must be a whole number from %d to %d", least, MaxKeySeconds)
		}
		return time.Duration(seconds) * time.Second, ""
	})
}

// KeyCursor is a position in the list of keys. Its text has the organization, the milliseconds
// since 1970 and the fingerprint, such as "7.1736071200000.0123456789ab". The zero value is the
// start.
type KeyCursor account.KeyCursor

// String returns the text of the cursor, which is empty for the start.
func (c KeyCursor) String() string {
	if c == (KeyCursor{}) {
		return ""
	}
	return strings.Join([]string{
		strconv.FormatInt(c.OrganizationID, 10), strconv.FormatInt(c.CreatedAt.UnixMilli(), 10), hex.EncodeToString(c.Fingerprint[:]),
	}, ".")
}

// asKeyCursor converts the text of a KeyCursor.
func asKeyCursor(v value) (account.KeyCursor, string) {
	parts := strings.Split(v.text, ".")
	for len(parts) < 3 {
		parts = append(parts, "")
	}
	organization, errOrganization := strconv.ParseInt(parts[0], 10, 64)
	millis, errMillis := strconv.ParseInt(parts[1], 10, 64)
	prefix, ok := account.ParseFingerprint(parts[2])
	cursor := account.KeyCursor{OrganizationID: organization, CreatedAt: time.UnixMilli(millis).UTC(), Fingerprint: prefix}
	valid := errOrganization == nil && errMillis == nil && ok && (organization == 0 || asset.ValidID(organization)) && asset.ValidTime(cursor.CreatedAt)
	if !valid || KeyCursor(cursor).String() != v.text {
		return account.KeyCursor{}, "must be the nextCursor of a page"
	}
	return cursor, ""
}
