package memory

// Records returns the number of records of idempotency keys.
func Records(s *Store) int { return len(s.tables.idempotency) }
