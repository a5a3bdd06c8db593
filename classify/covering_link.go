package classify

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

const (
	// maxCoveringSegments is the number of leading segments of a path whose links cover a
	// longer one.
	maxCoveringSegments = 6
	// maxCoveringTails is the number of tails of links that cover a link, with its own: one for
	// each combination of its query and route, the shorter paths, and the bare host.
	maxCoveringTails = 4 + maxCoveringSegments + 1
)

// coveredLink is the link whose covers are added.
type coveredLink struct {
	link
	// forms are those of the link, of which those of shorter links are parts.
	forms [3]linkForm
	// hasPage reports whether the first form, the PAGE, is an asset.
	hasPage bool
	// onPlatform reports whether the link may have aliases or name an account.
	onPlatform bool
	// otherPort reports whether the link has a port that is the default one of the other scheme, and
	// so may be a platform identifier in one of its forms.
	otherPort bool
	// twin is the IP address that covers the one of the link, or the zero host.
	twin host
	// spelled reports whether the path has other spellings.
	spelled bool
	// port80 reports whether the pages of port 80 cover the link.
	port80 bool
}

// coverLink adds the covers of a link. The first one is given. If port80 is set, an address bar
// opens the link for a content with port 80 and without a scheme.
func (c *covering) coverLink(first Cover, l link, port80 bool) {
	named, punctuated := withoutSigns(l.host)
	c.setLink(l)
	c.spelled, c.port80 = !punctuated && hasSpellings(l.path), port80
	c.makeRoom(len(first.Canonical))
	c.add(first)
	c.addLinks(first.Canonical)
	if punctuated {
		c.effect, c.distinct = CoverBlocks, false
		l.host = named
		c.setLink(l)
		c.nextStep()
		c.addLinks("")
	}
}

// setLink begins the covers of a link.
func (c *coveredLink) setLink(l link) {
	*c = coveredLink{link: l}
	c.twin, _ = twinOf(l.host)
	switch l.port {
	case "":
		c.onPlatform = mayHaveAliases(l.host.text)
	case ":80", ":443":
		_, c.otherPort = platformAt(l.host.text)
	}
}

// makeRoom allocates memory for the usual covers of a link of the given length.
func (c *covering) makeRoom(length int) {
	if c.onPlatform {
		room := usualCovers
		if strings.Contains(c.host.text, "youtu") { // youtube.com, youtu.be and others
			room = usualVideoCovers
		}
		c.covers = make([]Cover, 0, room)
		c.texts.Grow(room * 2 / 3 * length) // a PAGE is a part of a URL
		return
	}
	texts := 2 * min(strings.Count(c.path, "/"), maxCoveringSegments+1) // with and without a slash
	if c.path[len(c.path)-1] == '/' {
		texts--
	}
	if !c.isPlain() {
		texts++
	}
	hosts := min(max(0, strings.Count(c.host.text, ".")-1), maxCoveringParents)
	if c.port != "" {
		hosts++
	}
	c.covers = make([]Cover, 0, len(c.forms)*(texts+hosts))
	c.texts.Grow(len("https://") + length + 2*hosts*(len("https://")+len(c.host.text)))
}

// addLinks adds the steps of all links and hosts that cover the link. The text is a form of it.
func (c *covering) addLinks(text string) {
	if !c.onPlatform {
		c.forms, c.hasPage = c.formsOf(c.link, text), checkPageHost(c.host) == ""
		c.distinct = c.effect == CoverDecides && c.port == "" && !c.spelled && !c.port80 && !strings.Contains(c.path, "//")
	}
	var backing [maxCoveringTails]tail
	tails := appendTails(backing[:0], c.link)
	for i := range tails {
		if i > 0 {
			if i == len(tails)-1 {
				c.addContent()
			}
			c.nextStep()
		}
		c.addLink(&tails[i])
	}
	if len(tails) == 1 {
		c.addContent()
	}
	if c.port != "" {
		c.addHost(coveringHost{c.host, CoverPage, CoverBlocks})
	}
	if c.onPlatform {
		c.addHostOfIdentifier()
	}
	c.addParents(c.host.text)
	if account, ok := accountOfPages(c.host.text); ok {
		c.nextStep()
		c.addAccount(account)
	}
}

// addHostOfIdentifier adds the host of the platform identifier that a content with port 80 or with
// signs behind its host is. It can be another one, as discord.gg is for discord.com.
func (c *covering) addHostOfIdentifier() {
	if _, canonical, ok := identify(c.link); ok {
		name, _, _ := SplitHost(asset.Identity{Canonical: canonical})
		c.addHost(coveringHost{host{text: name, kind: hostDomain}, CoverPage, CoverWithholds})
		c.addParents(name)
	}
}

// tail is the part of a link after its host and port.
type tail struct{ path, query, route string }

// appendTails appends the tail of a link and those of the links that cover it, the most
// specific first and the one of the bare host last.
func appendTails(tails []tail, l link) []tail {
	tails = append(tails, tail{l.path, l.query, l.route})
	if l.query != "" && l.route != "" {
		tails = append(tails, tail{path: l.path, query: l.query}, tail{path: l.path, route: l.route})
	}
	if !l.isPlain() {
		tails = append(tails, tail{path: l.path})
	}
	var backing [1 + maxCoveringSegments]int
	for _, slash := range slices.Backward(appendSlashes(backing[:0], l.path)) {
		if slash < len(l.path)-1 {
			tails = append(tails, tail{path: l.path[:slash+1]})
		}
	}
	return tails
}

// appendSlashes appends the positions of the slashes that end the bare host and each of the
// first segments of a path, as far as there is room.
func appendSlashes(slashes []int, path string) []int {
	for i := 0; i < len(path) && len(slashes) < cap(slashes); i++ {
		if path[i] == '/' {
			slashes = append(slashes, i)
		}
	}
	return slashes
}

// isPlain reports whether the link has neither a query nor a route.
func (l *link) isPlain() bool { return l.query == "" && l.route == "" }

// withoutSlash returns the link without the slash at the end of its path. The bare host keeps
// it.
func (l link) withoutSlash() link {
	l.path = withoutSlash(l.path)
	return l
}

// hasSlash reports whether withoutSlash returns another link.
func (l *link) hasSlash() bool { return len(withoutSlash(l.path)) < len(l.path) }

func withoutSlash(path string) string {
	if end := len(path) - 1; end > 1 && path[end] == '/' {
		return path[:end]
	}
	return path
}

// addLink adds a step: the forms of the link with another tail, its aliases and its other
// spellings.
func (c *covering) addLink(t *tail) {
	plain, isPath := t.query == "" && t.route == "", len(t.path) == len(c.path)
	c.below = len(withoutSlash(t.path)) < len(withoutSlash(c.path))
	if !c.onPlatform {
		c.addForms(t)
		if short := withoutSlash(t.path); plain && len(short) < len(t.path) {
			c.addForms(&tail{path: short})
		}
		if c.twin.text == "" && !c.port80 && !c.spelled {
			return
		}
	}
	l := c.link
	l.path, l.query, l.route = t.path, t.query, t.route
	// Only the link and that without query and route have all covers.
	complete := isPath && (plain || t.query == c.query && t.route == c.route)
	if c.onPlatform {
		c.addText(l)
		if plain && l.hasSlash() {
			c.addText(l.withoutSlash())
		}
		if c.effect == CoverDecides {
			c.addAliases(l, complete)
		}
	}
	if !isPath {
		l = l.withoutSlash()
	}
	if plain || complete {
		c.addTwin(l)
		c.addPort80(l)
	}
	if c.spelled && (!c.onPlatform || complete && plain && !c.port80) {
		c.addSpellings(l, complete)
	}
}

// addForms adds the forms of the link with another tail.
func (c *covering) addForms(t *tail) {
	path := t.path
	if path == "/" && t.query == "" && t.route == "" {
		path = ""
	}
	for i := range c.forms {
		form := &c.forms[i]
		if i == 0 && !c.hasPage {
			continue
		}
		if c.otherPort && !form.hasPort && c.addIdentifier(link{host: c.host, path: t.path}) {
			continue
		}
		text := form.text[:form.pathAt+len(path)]
		if t.query != "" || t.route != "" {
			text = join(form.text, text, t.query, t.route)
		}
		c.add(Cover{Identity: asset.Identity{Type: form.kind, Canonical: text}, Kind: form.as})
	}
}

// addTwin adds the link on the IP address that is the same host.
func (c *covering) addTwin(l link) {
	if c.twin.text != "" {
		l.host = c.twin
		c.addText(l)
	}
}

// addPort80 adds the PAGE of port 80.
func (c *covering) addPort80(l link) {
	if c.port80 {
		page := c.join("", l.host.text, ":80", l.canonicalPath(), l.query, l.route)
		c.add(Cover{Identity: asset.Identity{Type: asset.TypePage, Canonical: page}, Kind: CoverPage})
	}
}

// addSpellings adds links with other spellings of the path.
func (c *covering) addSpellings(l link, complete bool) {
	before := c.effect
	c.effect = CoverBlocks
	plain := plainPath(l.path)
	c.addSpelling(l, plain)
	if complete && !c.onPlatform && c.twin.text == "" {
		if l.query == "" || l.route == "" {
			c.addSpelling(l, encodeSigns(plain, pathSigns))
			c.addSpelling(l, encodeSigns(plain, otherSigns))
		}
		if l.isPlain() {
			c.addSpelling(l, "/"+plain)
		}
	}
	c.effect = before
}

// addSpelling adds the forms of a link with another spelling of its path. A shorter path of the
// link itself is not one: that decides.
func (c *covering) addSpelling(l link, path string) {
	if strings.HasPrefix(c.path, path) {
		return
	}
	l.path = path
	c.addText(l)
}

// addContent adds the step of the IPFS content that the link names. A host that is no gateway can
// name it, too, so it makes nothing ALLOWED.
func (c *covering) addContent() {
	ids := contentIDs(c.host.text)
	if len(ids) == 0 {
		ids = contentIDs(c.path)
	}
	if len(ids) == 0 || c.onPlatform {
		return
	}
	effect, distinct := c.effect, c.distinct
	c.effect, c.distinct = CoverBlocks, false
	c.nextStep()
	c.addText(link{host: host{text: "ipfs.io"}, path: "/ipfs/" + ids[0]})
	c.effect, c.distinct = effect, distinct
}

// addText adds the forms of a link, or the platform identifier that it is, and the accounts that
// it names in another way.
func (c *covering) addText(l link) {
	at := placeOf(l)
	if kind, canonical, ok := at.identify(); ok {
		c.addOwner(asset.Identity{Type: kind, Canonical: canonical})
		return
	}
	https := ""
	for _, scheme := range [...]string{"https", "http"} {
		port, _ := parsePort(scheme, l.port)
		if l.port != "" && port == "" && c.addIdentifier(l) {
			continue
		}
		var url string
		if l.port == "" && https != "" {
			url = c.join("", scheme, https[len("https"):])
		} else {
			url = c.join("", scheme, "://", l.host.text, port, l.canonicalPath(), l.query, l.route)
		}
		if scheme == "https" {
			if https = url; c.isPageHost(l.host) {
				c.add(Cover{Identity: asset.Identity{Type: asset.TypePage, Canonical: url[len("https://"):]}, Kind: CoverPage})
			}
		}
		c.add(Cover{Identity: asset.Identity{Type: asset.TypeURL, Canonical: url}, Kind: CoverURL})
	}
	c.addNamedAccounts(l, &at)
}

// addIdentifier adds the platform identifier that a link is with the default port of a scheme, and
// reports whether it is one.
func (c *covering) addIdentifier(l link) bool {
	kind, canonical, ok := identify(link{host: l.host, path: l.path})
	if ok {
		c.addOwner(asset.Identity{Type: kind, Canonical: canonical})
	}
	return ok
}

// addOwner adds the account that a link begins with. Where a platform finds a post by its ID, whatever name the
// link has, the account of that name says nothing about the author, and can only block.
func (c *covering) addOwner(account asset.Identity) {
	before := c.effect
	if c.below && findsPostsByID(account.Type) {
		c.effect = CoverBlocks
	}
	c.addAccount(account)
	c.effect = before
}

// addNamedAccounts adds the accounts that a link names in another way than as an identifier.
func (c *covering) addNamedAccounts(l link, at *place) {
	if !c.onPlatform {
		return
	}
	before := c.effect
	accounts, sure := namedAccounts(l, at)
	if !sure {
		c.effect = CoverBlocks
	}
	for _, account := range accounts {
		c.addAccount(account)
	}
	c.effect = before
}
