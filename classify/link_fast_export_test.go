package classify

// Link is a parsed link.
type Link = link

// String returns the link in full.
func (l link) String() string { return l.withScheme("") }

// Host returns the host alone.
func (l link) Host() string { return l.host.text }

// ParsePlainLink is the fast path.
func ParsePlainLink(scheme, text string) (Link, bool) { return parsePlainLink(scheme, text) }

// ParseAnyLink is what the fast path saves.
func ParseAnyLink(scheme, text string) (Link, Reason) { return parseAnyLink(scheme, text) }
