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
