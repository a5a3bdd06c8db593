package client

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/apguard/apguard/asset"
)

// Operator calls the operations of the operators' API. [NewOperator] returns one. It is safe for concurrent use.
type Operator struct {
	*sender
}

// NewOperator returns an Operator of the server with the operators' API below the base URL, such as
// https://apguard.example.com/operator. It returns an error that matches [ErrOptions] in the same cases as [New].
// It connects to nothing.
func NewOperator(baseURL string, opts Options) (*Operator, error) {
	sender, err := newSender(baseURL, opts)
	if err != nil {
		return nil, err
	}
	return &Operator{sender}, nil
}

// String returns the base URL. It does not contain the key.
func (o *Operator) String() string { return "operator's client of " + o.base.String() }

// GoString returns the same as String.
func (o *Operator) GoString() string { return o.String() }

// NamedUser is a user with a name.
type NamedUser struct {
	ID int64 `json:"id"`
	// FullName is empty if the server no longer has the user.
	FullName string `json:"fullName"`
}

// NamedOrganization is an organization with its names.
type NamedOrganization struct {
	ID int64 `json:"id"`
	// Slug and Name are empty if the server no longer has the organization.
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// idBody is the body of a request that names a record.
type idBody struct {
	ID int64 `json:"id"`
}

// validateID returns an error unless id is that of a record.
func validateID(id int64) error {
	if !asset.ValidID(id) {
		return responseError("it has no ID")
	}
	return nil
}

// idQuery returns a query with the ID of a record.
func idQuery(name string, id int64) url.Values {
	query := make(url.Values)
	setNumber(query, name, id)
	return query
}

// pageQuery returns the query of a page of a list.
func pageQuery[Cursor int64 | string](cursor Cursor, limit int) url.Values {
	query := make(url.Values)
	var first Cursor
	if cursor != first {
		query.Set("cursor", fmt.Sprint(cursor))
	}
	setNumber(query, "limit", int64(limit))
	return query
}

// validateStatus returns an error unless the status of an asset is a known one.
func validateStatus(status asset.Status) error {
	if !status.Valid() {
		return responseError("unknown status")
	}
	return nil
}

// validatePage returns an error unless there are items, all of them are valid, and so is the cursor.
func validatePage[T any](items []T, validate func(T) error, next int64) error {
	if items == nil {
		return responseError("it has no list")
	}
	return errors.Join(validateAll(items, validate), validateCursor(next))
}

// validateAll returns the error of the first invalid item of a list.
func validateAll[T any](items []T, validate func(T) error) error {
	for _, one := range items {
		if err := validate(one); err != nil {
			return err
		}
	}
	return nil
}

// change sends a request that changes something and takes no idempotency key, and returns the response.
func change[T any, P item[T]](ctx context.Context, o *Operator, path string, body any) (T, error) {
	call, err := writeOnce(path, body)
	if err != nil {
		var none T
		return none, err
	}
	return fetch[T, P](ctx, o.sender, call, func(*response) (answer T) { return answer })
}

// removedAnswer is the response to the removal of a record.
type removedAnswer struct {
	ID int64 `json:"id"`
	// removed is the ID in the request.
	removed int64
}

func (a *removedAnswer) validate() error {
	if a.ID != a.removed {
		return responseError("another record was removed")
	}
	return nil
}

// remove sends the removal of a record with an ID.
func (o *Operator) remove(ctx context.Context, path string, id int64, body any) error {
	call, err := writeOnce(path, body)
	if err == nil {
		_, err = fetch(ctx, o.sender, call, func(*response) removedAnswer { return removedAnswer{removed: id} })
	}
	return err
}

// mapped returns the forms of the elements of a list. It returns nil for none.
func mapped[T, Form any](list []T, form func(T) Form) []Form {
	if len(list) == 0 {
		return nil
	}
	forms := make([]Form, len(list))
	for i, one := range list {
		forms[i] = form(one)
	}
	return forms
}

// update sends a request that changes something with an idempotency key, and returns the response, as fetch does.
func update[T any, P item[T]](ctx context.Context, o *Operator, path, key string, body any, begin func(*response) T) (T, error) {
	call, err := write(path, key, body)
	if err != nil {
		var none T
		return none, err
	}
	return fetch[T, P](ctx, o.sender, call, begin)
}
