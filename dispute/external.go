package dispute

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/apguard/apguard/asset"
)

// ExternalList is a list of assets that someone else keeps, such as a public
// phishing list. Its methods are called concurrently.
type ExternalList interface {
	// Name is what people know the list by. It is shown in notes. A list without a
	// name blocks too; the notes say then that it is an external list.
	Name() string
	// Status tells what the list holds of the asset: BLOCKED when it blocks it,
	// ALLOWED when it exempts it from being blocked, and UNKNOWN when it has
	// nothing to say, also of what it cannot judge, such as an address in a list
	// of domains. Anything else counts as a failure of the list.
	Status(ctx context.Context, identity asset.Identity) (asset.Status, error)
}

// ListVerdict is what one external list holds of an asset.
type ListVerdict struct {
	// List is the name of the list, as it is shown in notes.
	List string
	// Status is BLOCKED, ALLOWED for an exemption, or UNKNOWN.
	Status asset.Status
}

// CheckLists asks every external list what it holds of the asset, in the order of
// [Options], and returns the answers, UNKNOWN ones too. None is missing but those
// that the error speaks of: it joins what kept lists from answering, each with the
// name of the list. When ctx ends, no further list is asked, and if one was
// left, the error matches that of ctx.
func (s *Service) CheckLists(ctx context.Context, identity asset.Identity) ([]ListVerdict, error) {
	var (
		answers []ListVerdict
		failed  []error
	)
	for opinion, err := range opinions(ctx, s.lists, identity) {
		if err != nil {
			failed = append(failed, err)
			continue
		}
		answers = append(answers, opinion)
	}
	return answers, errors.Join(failed...)
}

// blockedBy returns the opinion of the first list that blocks the asset, or false. An
// exemption by one list keeps no other from blocking. The error says which lists
// could not answer; the others were asked all the same.
func blockedBy(ctx context.Context, lists []ExternalList, identity asset.Identity) (ListVerdict, bool, error) {
	var failed []error
	for opinion, err := range opinions(ctx, lists, identity) {
		switch {
		case err != nil:
			failed = append(failed, err)
		case opinion.Status == asset.StatusBlocked:
			return opinion, true, errors.Join(failed...)
		}
	}
	return ListVerdict{}, false, errors.Join(failed...)
}

// opinions asks one list after the other, and yields its opinion or why it has
// none. When ctx ends, its error is the last that is yielded.
func opinions(ctx context.Context, lists []ExternalList, identity asset.Identity) iter.Seq2[ListVerdict, error] {
	return func(yield func(ListVerdict, error) bool) {
		for _, list := range lists {
			if err := ctx.Err(); err != nil {
				yield(ListVerdict{}, fmt.Errorf("external lists were not all asked: %w", err))
				return
			}
			if !yield(opinionOf(ctx, list, identity)) {
				return
			}
		}
	}
}

func opinionOf(ctx context.Context, list ExternalList, identity asset.Identity) (ListVerdict, error) {
	status, err := list.Status(ctx, identity)
	if err == nil && !status.Valid() {
		err = fmt.Errorf("answered with the status %q, which is none", status)
	}
	if err != nil {
		return ListVerdict{}, fmt.Errorf("external list %q: %w", list.Name(), err)
	}
	return ListVerdict{List: nameOf(list), Status: status}, nil
}

// nameOf returns the name of a list as text that can be stored.
func nameOf(list ExternalList) string {
	return strings.ToValidUTF8(strings.ReplaceAll(list.Name(), "\x00", ""), "\ufffd")
}
