package asset

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/apguard/apguard/internal/suffix"
)

// ErrProtected reports that a request blocks a protected asset without confirming it. The error
// is an [*InputError] with the field confirmProtected, which wraps a [*ProtectedError].
var ErrProtected = errors.New("asset is protected")

// Protection says why an asset is protected: blocking it would concern many people, so it takes a
// confirmation.
type Protection struct {
	Reason ProtectionReason
	// By is the host that is protected, or the canonical form of an asset on an allowlist. It can be that
	// of an asset below the protected one.
	By string
}

// ProtectionReason is the reason of a [Protection].
type ProtectionReason string

// The reasons of protections.
const (
	// ProtectedSuffix is a public suffix; see [PublicSuffix].
	ProtectedSuffix ProtectionReason = "PUBLIC_SUFFIX"
	// ProtectedPlatform is a host of a platform, on which different people have accounts.
	ProtectedPlatform ProtectionReason = "PLATFORM"
	// ProtectedPopular is a host that very many people use, or a domain above it.
	ProtectedPopular ProtectionReason = "POPULAR"
	// ProtectedName is a name that the owner of the server protects, or a domain above it.
	ProtectedName ProtectionReason = "NAME"
	// ProtectedEntry is an asset on the allowlist of an organization, or one that covers it.
	ProtectedEntry ProtectionReason = "ALLOWLIST"
)

// String says what is protected, such as "github.io is a public suffix".
func (p Protection) String() string {
	switch p.Reason {
	case ProtectedSuffix:
		return p.By + " is a public suffix"
	case ProtectedPlatform:
		return p.By + " is a host of a platform"
	case ProtectedPopular:
		return p.By + " is a popular host"
	case ProtectedEntry:
		return p.By + " is on an allowlist"
	default:
		return p.By + " is protected"
	}
}

// ProtectedError is the refusal to block a protected asset. It matches [ErrProtected].
type ProtectedError struct {
	Protection
}

// Error implements the error interface.
func (e *ProtectedError) Error() string { return e.String() }

// Is reports whether the target is [ErrProtected].
func (e *ProtectedError) Is(target error) bool { return target == ErrProtected }

// Protections are the protected ones of several assets. Those that are absent are free.
type Protections map[Identity]Protection

// Check returns an [*InputError] that matches [ErrProtected] if the status blocks a protected asset.
func (p Protections) Check(identity Identity, status Status) error {
	protection, protected := p[identity]
	if !protected || status != StatusBlocked {
		return nil
	}
	message := "must be true to block it: " + protection.String()
	return Issues{{Field: "confirmProtected", Message: message, Err: &ProtectedError{protection}}}.Err()
}

// Protector finds the protected ones of assets that are to be blocked. Package protect has it. It must be safe
// for concurrent use.
type Protector interface {
	Protections(ctx context.Context, identities []Identity, at time.Time) (Protections, error)
}

// SuffixProtector is the [Protector] of public suffixes alone. It is that of services without another one.
type SuffixProtector struct{}

// Protections implements [Protector]. The error is nil.
func (SuffixProtector) Protections(_ context.Context, identities []Identity, _ time.Time) (Protections, error) {
	protections := make(Protections)
	for _, identity := range identities {
		if host, is := PublicSuffix(identity); is {
			protections[identity] = Protection{ProtectedSuffix, host}
		}
	}
	return protections, nil
}

// PublicSuffix returns the public suffix that an asset is: a host under which others register
// their domains, such as https://com or github.io. It reports false for every other asset, including
// a page below such a host. It uses the whole Public Suffix List. A single label that the
// list lacks is a suffix too.
func PublicSuffix(identity Identity) (string, bool) {
	host, is := WholeHost(identity)
	if !is || !suffix.Is(host) {
		return "", false
	}
	return host, true
}

// WholeHost returns the host of a URL or PAGE that names nothing else: no port, path or query. It reports false
// for every other asset.
func WholeHost(identity Identity) (string, bool) {
	host := identity.Canonical
	switch identity.Type {
	case TypePage:
	case TypeURL:
		var isLink bool
		if _, host, isLink = strings.Cut(host, "://"); !isLink {
			return "", false
		}
	default:
		return "", false
	}
	return host, host != "" && !strings.ContainsAny(host, "/?#:")
}

// protections returns the protected assets among those that the items block. There are none if blocking them
// is confirmed.
func (s *Service) protections(ctx context.Context, at time.Time, confirmed bool, items ...StatusItem) (Protections, error) {
	if confirmed {
		return nil, nil
	}
	var blocked []Identity
	for _, item := range items {
		if item.Status == StatusBlocked && item.Refused == nil {
			blocked = append(blocked, item.Identity)
		}
	}
	if len(blocked) == 0 {
		return nil, nil
	}
	return s.protector.Protections(ctx, blocked, at)
}
