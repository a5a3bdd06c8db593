package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// ExternalList is a list of assets that a third party maintains, such as a public
// phishing list. [HostList] makes one of a function that knows host names. The methods must be safe
// for concurrent use.
type ExternalList interface {
	// Name is the name of the list as verdicts show it. It may be empty.
	Name() string
	// Status returns BLOCKED if the list blocks the asset, ALLOWED if the list exempts
	// it from being blocked, and UNKNOWN otherwise. UNKNOWN includes assets that the
	// list cannot contain, such as an address in a list of domains. Any other status is
	// a failure of the list. The identity is that of the content only: the list must find what
	// covers it, such as its domain.
	Status(ctx context.Context, identity asset.Identity) (asset.Status, error)
}

// ExternalLists are asked one after the other. The zero value has no list.
type ExternalLists []ExternalList

// ListVerdict is what one external list says about an asset.
type ListVerdict struct {
	// List is the name of the list, as valid UTF-8 without NUL.
	List string `json:"list"`
	// Status is BLOCKED, ALLOWED for an exemption, or UNKNOWN.
	Status asset.Status `json:"status"`
}

// Blocks reports whether the list blocks the asset.
func (v ListVerdict) Blocks() bool { return v.Status == asset.StatusBlocked }

// ListFailure is an external list that did not answer.
type ListFailure struct {
	// List is the name of the list, as valid UTF-8 without NUL.
	List string `json:"list"`
	// Err says why. It is the error of ctx for a list that was not asked, as ctx had ended. It is not
	// encoded.
	Err error `json:"-"`
}

// ListFailures are the external lists that did not answer, in their order.
type ListFailures []ListFailure

// Names returns the names of the lists.
func (fs ListFailures) Names() []string {
	names := make([]string, len(fs))
	for i, failure := range fs {
		names[i] = failure.List
	}
	return names
}

// Err returns nil if there are no failures. Otherwise, it returns an error that matches
// [ErrListFailed] and each of their errors, and names the lists.
func (fs ListFailures) Err() error {
	if len(fs) == 0 {
		return nil
	}
	errs := make([]error, len(fs))
	for i, failure := range fs {
		errs[i] = fmt.Errorf("external list %q: %w", failure.List, failure.Err)
	}
	return &listError{errors.Join(errs...)}
}

// listError is the error of lists that did not answer.
type listError struct{ error }

func (e *listError) Unwrap() []error { return []error{ErrListFailed, e.error} }

// Verdicts asks every list about an asset, and also about the domain of an e-mail address. Of
// the two answers of a list, BLOCKED counts before ALLOWED and UNKNOWN. Verdicts returns the
// verdicts, including UNKNOWN ones, of all lists that answered, and those that did not, in their
// order.
func (ls ExternalLists) Verdicts(ctx context.Context, identity asset.Identity) (verdicts []ListVerdict, failed ListFailures) {
	for _, list := range ls {
		name := storableName(list)
		status, err := answerOf(ctx, list, identity)
		if err != nil {
			failed = append(failed, ListFailure{name, err})
			continue
		}
		verdicts = append(verdicts, ListVerdict{List: name, Status: status})
	}
	return verdicts, failed
}

// answerOf returns what a list says about an asset, and about the domain of an e-mail address.
func answerOf(ctx context.Context, list ExternalList, identity asset.Identity) (asset.Status, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	status, err := statusOf(ctx, list, identity)
	if domain, ok := domainOf(identity); ok && err == nil && status != asset.StatusBlocked {
		var ofDomain asset.Status
		if ofDomain, err = statusOf(ctx, list, domain); ofDomain != asset.StatusUnknown {
			status = ofDomain
		}
	}
	return status, err
}

func statusOf(ctx context.Context, list ExternalList, identity asset.Identity) (asset.Status, error) {
	status, err := list.Status(ctx, identity)
	if err == nil && !status.Valid() {
		err = invalidStatus(status)
	}
	return status, err
}

func invalidStatus(status asset.Status) error { return fmt.Errorf("invalid status %q", status) }

// domainOf returns the asset of the domain of an e-mail address, which is a PAGE or a platform
// identifier.
func domainOf(identity asset.Identity) (asset.Identity, bool) {
	if identity.Type != asset.TypeEmail {
		return asset.Identity{}, false
	}
	host, _, _ := classify.SplitHost(identity)
	result, err := classify.Classify(host)
	return result.Identity, err == nil
}

// storableName returns the name of a list as valid UTF-8 without NUL.
func storableName(list ExternalList) string {
	return strings.ToValidUTF8(strings.ReplaceAll(list.Name(), "\x00", ""), "\ufffd")
}
