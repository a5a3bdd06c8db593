package sqlstore

import "context"

// anyOrganization looks into a table of the service, as a database without them can
// answer nothing.
const anyOrganization = `SELECT EXISTS (SELECT 1 FROM apguard_organizations)`

// Ping implements storage.Store.
func (s *Store) Ping(ctx context.Context) error {
	_, err := read(ctx, s, "ping", func(ctx context.Context, on session) (found bool, err error) {
		err = on.get(ctx, anyOrganization, nil, &found)
		return found, err
	})
	return err
}
