package asset

// ChangelogQuery has the filters of the specification's "Asset changelog". A change
// must match all of them. A zero field matches every change.
type ChangelogQuery struct {
	Type Type
	// Content is an asset in any spelling. Content that is not recognized matches no
	// change. Blank content matches every change.
	Content    string
	FromStatus Status
	ToStatus   Status
	// StartDate and EndDate are UTC days in the format YYYY-MM-DD, both included.
	StartDate string
	EndDate   string
}

// Validate returns an [*InputError] that names every invalid field, or nil.
func (q ChangelogQuery) Validate() error {
	_, err := q.Filter()
	return err
}

// Filter returns the filter of the query without its Content, which must be classified. The error is that
// of [ChangelogQuery.Validate].
func (q ChangelogQuery) Filter() (ChangeFilter, error) {
	filter := ChangeFilter{Type: q.Type, From: q.FromStatus, To: q.ToStatus}
	period, err := ParseDays(q.StartDate, q.EndDate)

	var issues Issues
	issues.CheckText("content", q.Content)
	if err := JoinInput(err, filter.Validate(), issues.Err()); err != nil {
		return ChangeFilter{}, err
	}
	filter.Period = period
	return filter, nil
}

// ChangeFilter selects changes. All fields that are set must match; the zero
// ChangeFilter matches every change.
type ChangeFilter struct {
	Type Type
	// Identity selects the changes of one asset.
	Identity Identity
	From     Status
	To       Status
	Period   Period
}

// Validate returns an [*InputError] if a type or status does not exist, the identity is
// invalid, or the period contains no time.
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

// Match reports whether the filter selects the change, which it does only if that is one of the status.
func (f ChangeFilter) Match(c Change) bool {
	return c.OfStatus() && (f.Type == "" || f.Type == c.Type) &&
		(f.Identity == Identity{} || f.Identity == c.Identity()) &&
		(f.From == "" || f.From == c.From) &&
		(f.To == "" || f.To == c.To) &&
		f.Period.Contains(c.At)
}
