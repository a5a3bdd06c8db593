package sqlstore

import "context"

// anyOrganization looks into a table of the service, as a database without them can
// answer nothing.
const anyOrganization = `SELECT EXISTS (SELECT 1 FROM apguard_organizations)`

// Ping implements storage.Store.
func (s *Store) Ping(ctx context.Context) error {
	return s.engine.Read(ctx, "ping", Ping)
}

// Ping is the step of [Store.Ping].
func Ping(ctx context.Context, on Conn) error {
	_, err := Collect(ctx, on, anyOrganization, nil, func(row Row) (found bool, err error) {
		return found, row.Scan(&found)
	})
	return err
}
