package dispute

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apguard/apguard/asset"
)

// ExternalList is a list of blocked assets that someone else keeps, such as a
// public phishing list. Its methods are called concurrently.
type ExternalList interface {
	// Name is what people know the list by. It is shown in notes.
	Name() string
	// Blocks reports whether the list blocks the asset. An asset that the list
	// cannot judge, such as an address in a list of domains, is not blocked.
	Blocks(ctx context.Context, identity asset.Identity) (bool, error)
}

// nameOf returns the name of a list as text that can be stored.
func nameOf(list ExternalList) string {
	return strings.ToValidUTF8(strings.ReplaceAll(list.Name(), "\x00", ""), "\ufffd")
}

// blockedBy returns the name of the first list that blocks the asset, or "". The
// error says which lists could not answer; the others were asked all the same.
func blockedBy(ctx context.Context, lists []ExternalList, identity asset.Identity) (string, error) {
	var failed []error
	for _, list := range lists {
		blocks, err := list.Blocks(ctx, identity)
		switch {
		case err != nil:
			failed = append(failed, fmt.Errorf("external list %q: %w", list.Name(), err))
		case blocks:
			return nameOf(list), errors.Join(failed...)
		}
	}
	return "", errors.Join(failed...)
}
