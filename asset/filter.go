package asset

// ChangeFilter chooses changes. Each field that is not its zero value must
// hold; the zero ChangeFilter matches every change.
type ChangeFilter struct {
	Type Type
	// Identity matches the changes of one asset.
	Identity Identity
	From     Status
	To       Status
	Period   Period
}

// Validate returns an [*InputError] when the filter can match nothing because it
// is wrong in itself: a type or status that does not exist, an identity that no
// asset can have, or a period that ends before it begins.
func (f ChangeFilter) Validate() error {
	var issues Issues
	issues.Check(f.Type == "" || f.Type.Valid(), "type", "must be an asset type")
	issues.Check(f.Identity == Identity{} || f.Identity.Type.Valid(), "content", "must be of an asset type")
	issues.CheckText("content", f.Identity.Canonical)
	issues.Check(f.From == "" || f.From.Valid(), "fromStatus", "must be UNKNOWN, ALLOWED or BLOCKED")
	issues.Check(f.To == "" || f.To.Valid(), "toStatus", "must be UNKNOWN, ALLOWED or BLOCKED")
	issues.Check(!f.Period.Backwards(), "startDate", "must not be after endDate")
	return issues.Err()
}

// Match reports whether the filter chooses the change. Every store answers as this
// function does.
func (f ChangeFilter) Match(c Change) bool {
	return (f.Type == "" || f.Type == c.Type) &&
		(f.Identity == Identity{} || f.Identity == c.Identity()) &&
		(f.From == "" || f.From == c.From) &&
		(f.To == "" || f.To == c.To) &&
		f.Period.Contains(c.At)
}
