package sqlstore

// Sizes returns the number of places of each kind.
func (p Places) Sizes() (lists, searches, writes int) {
	return cap(p.lists), cap(p.searches), cap(p.writes)
}
