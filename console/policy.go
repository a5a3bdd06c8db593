package main

import (
	"slices"
	"strings"
)

// policy is a Content-Security-Policy.
type policy []string

// newPolicy returns the policy of the page: only its own files, the two APIs, and no markup from
// strings. The only string that becomes code is the address of the worker.
func newPolicy(addresses addresses) (policy, error) {
	connect := []string{"'self'"}
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
