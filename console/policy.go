package console

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// policy is a Content-Security-Policy.
type policy []string

// newPolicy returns the policy of the page: only its own files, the two APIs, and no markup from
// strings. The only string that becomes code is the address of the worker.
func newPolicy(addresses Addresses) (policy, error) {
	connect := []string{"'self'"}
	if addresses.SignIn != "" {
		for _, address := range []string{addresses.SignIn, addresses.API, addresses.OperatorAPI} {
			if other, err := originOf(address); err != nil || other != "" {
				return nil, fmt.Errorf("%w: %q must be a path, because people sign in at %q", ErrAddress, address, addresses.SignIn)
			}
		}
	}
	for _, address := range []string{addresses.API, addresses.OperatorAPI} {
		other, err := originOf(address)
		if err != nil {
			return nil, err
		}
		if other != "" && !slices.Contains(connect, other) {
			connect = append(connect, other)
		}
	}
	return policy{
		"default-src 'none'",
		"script-src 'self' 'wasm-unsafe-eval'",
		"worker-src 'self'",
		"style-src 'self'",
		"img-src 'self'",
		"connect-src " + strings.Join(connect, " "),
		"require-trusted-types-for 'script'",
		"trusted-types apguard-worker",
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'none'",
	}, nil
}

// forDocument returns the policy for a meta element.
func (p policy) forDocument() string { return strings.Join(p, "; ") }

// forHeader returns the policy for the header, which can also forbid frames.
func (p policy) forHeader() string { return p.forDocument() + "; frame-ancestors 'none'" }

// plainHost matches hosts that have a meaning neither in a policy nor in markup. The parser of URLs
// accepts others, such as those with a quotation mark, a semicolon or a wildcard.
var plainHost = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?$`)

// originOf returns the origin of an address. It is empty for a path.
func originOf(address string) (string, error) {
	parsed, err := url.Parse(address)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrAddress, err)
	case parsed.Host == "" && strings.HasPrefix(address, "/"):
		return "", nil
	case parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.User != nil || !plainHost.MatchString(parsed.Host):
		return "", fmt.Errorf("%w: %q must be a path or an http or https URL without a user", ErrAddress, address)
	default:
		return parsed.Scheme + "://" + parsed.Host, nil
	}
}
