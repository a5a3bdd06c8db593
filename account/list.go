package account

import "context"

// The limits of a page of organizations, users or keys.
const (
	// MaxLimit is the maximum number of items on a page.
	MaxLimit = 100
	// DefaultLimit is the limit of a request whose limit is 0.
	DefaultLimit = 50
)

// one returns the record with the ID, or missing.
func one[T any](ctx context.Context, id int64, read func(context.Context, []int64) ([]T, error), missing error) (T, error) {
	var none T
	found, err := read(ctx, []int64{id})
	switch {
	case err != nil:
		return none, err
	case len(found) == 0:
		return none, missing
	default:
		return found[0], nil
	}
}

// some returns the records with the IDs. It reads nothing if there are no IDs.
func some[T any](ctx context.Context, ids []int64, read func(context.Context, []int64) ([]T, error)) ([]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return read(ctx, ids)
}
