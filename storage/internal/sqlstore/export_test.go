package sqlstore

// Sizes returns the number of slots of each kind.
func (s Slots) Sizes() (lists, searches, writes int) {
	return cap(s.lists), cap(s.searches), cap(s.writes)
}
