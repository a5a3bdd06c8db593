package dispute

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/apguard/apguard/asset"
)

// ExternalList is a list of assets that a third party maintains, such as a public
// phishing list. Its methods must be safe for concurrent use.
type ExternalList interface {
	// Name is the name of the list as notes show it. If it is empty, notes call the
	// list "an external list".
	Name() string
	// Status returns BLOCKED if the list blocks the asset, ALLOWED if the list exempts
	// it from being blocked, and UNKNOWN otherwise. UNKNOWN includes assets that the
	// list cannot contain, such as an address in a list of domains. Any other status is
	// a failure of the list.
	Status(ctx context.Context, identity asset.Identity) (asset.Status, error)
}

// ListVerdict is what one external list says about an asset.
type ListVerdict struct {
	// List is the name of the list, as notes show it.
	List string `json:"list"`
	// Status is BLOCKED, ALLOWED for an exemption, or UNKNOWN.
	Status asset.Status `json:"status"`
}

// CheckLists asks every external list about an asset, in the order of [Options]. It
// returns the verdicts, including UNKNOWN ones, of all lists that answered.
//
// The error joins the errors of the lists that did not answer, each with the name of its
// list. If ctx ends before all lists were asked, the error also matches that of ctx.
func (s *Service) CheckLists(ctx context.Context, identity asset.Identity) ([]ListVerdict, error) {
	var (
		verdicts []ListVerdict
		errs     []error
	)
	for verdict, err := range s.verdicts(ctx, identity) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts, errors.Join(errs...)
}

// blockedBy returns the verdict of the first list that blocks the asset, and whether there
// is one. An exemption by another list does not matter. The error joins the errors of the
// lists that did not answer.
func (s *Service) blockedBy(ctx context.Context, identity asset.Identity) (ListVerdict, bool, error) {
	var errs []error
	for verdict, err := range s.verdicts(ctx, identity) {
		switch {
		case err != nil:
			errs = append(errs, err)
		case verdict.Status == asset.StatusBlocked:
			return verdict, true, errors.Join(errs...)
		}
	}
	return ListVerdict{}, false, errors.Join(errs...)
}

// verdicts asks one list after the other and yields each verdict or error. If ctx ends,
// it yields the error of ctx last.
func (s *Service) verdicts(ctx context.Context, identity asset.Identity) iter.Seq2[ListVerdict, error] {
	return func(yield func(ListVerdict, error) bool) {
		for _, list := range s.lists {
			if err := ctx.Err(); err != nil {
				yield(ListVerdict{}, fmt.Errorf("external lists were not all asked: %w", err))
				return
			}
			if !yield(verdictOf(ctx, list, identity)) {
				return
			}
		}
	}
}

func verdictOf(ctx context.Context, list ExternalList, identity asset.Identity) (ListVerdict, error) {
	status, err := list.Status(ctx, identity)
	if err == nil && !status.Valid() {
		err = fmt.Errorf("invalid status %q", status)
	}
	if err != nil {
		return ListVerdict{}, fmt.Errorf("external list %q: %w", list.Name(), err)
	}
	return ListVerdict{List: storableName(list), Status: status}, nil
}

// storableName returns the name of a list as valid UTF-8 without NUL.
func storableName(list ExternalList) string {
	return strings.ToValidUTF8(strings.ReplaceAll(list.Name(), "\x00", ""), "\ufffd")
}
