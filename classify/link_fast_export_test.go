package classify

// Link is a parsed link.
type Link = link

// String returns the canonical form.
func (l link) String() string { return l.withScheme("") }

// Host returns the host.
func (l link) Host() string { return l.host.text }

// ParsePlainLink is the fast path.
func ParsePlainLink(scheme, text string) (Link, bool) { return parsePlainLink(scheme, text) }

// ParseAnyLink is the slow path.
func ParseAnyLink(scheme, text string) (Link, Reason) { return parseAnyLink(scheme, text) }
