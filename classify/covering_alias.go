package classify

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// usualCovers is more than most links to a platform have.
const usualCovers = 48

// coverPlatform adds the covers of a link without a port to a host of a platform. Each step has
// the forms of the link, those of its alias on the main host, and the account that it names.
// The first step has all aliases.
func (c *covering) coverPlatform(exact Cover, l link, port80 bool) {
	aliases := aliasesOf(l)
	c.covers = make([]Cover, 0, usualCovers)
	c.texts.Grow(usualCovers * len(exact.Canonical))
	c.add(exact)
	c.addText(l)
	if l.query+l.route == "" {
		c.addWithMain(l.withoutSlash())
	}
	for _, alias := range aliases {
		c.addText(alias)
	}
	c.effect = CoverBlocks
	for _, video := range videosOf(l) {
		c.addText(video)
	}
	c.effect = CoverDecides
	var backing [maxCoveringHosts]coveringHost
	hosts := coveringHostsOf(backing[:0], l)
	shorter := shorterSteps(l, aliases, len(hosts))
	plain := link{host: l.host, path: l.path}
	if l.query != "" && l.route != "" {
		c.step = stepQuery
		c.addWithMain(link{host: l.host, path: l.path, query: l.query})
	}
	if l.query+l.route != "" {
		c.step = stepPlain
		c.addWithMain(plain)
		c.addWithMain(plain.withoutSlash())
	}
	for i, covers := range shorter {
		c.step = stepBare - len(shorter) + i
		for _, cover := range covers {
			c.add(cover)
		}
	}
	if l.path != "/" {
		c.step = stepBare
		c.addWithMain(link{host: l.host, path: "/"})
	}
	if port80 {
		c.addPort80(l, len(hosts))
	}
	c.addMore(l, aliases, len(shorter), MaxCovers-3*len(hosts))
	c.sortSteps()
	if port80 {
		c.addPort80(l, len(hosts)) // of the links that were added last
	}
	c.addHosts(hosts)
}

// The steps of a link to a platform, before they are numbered without gaps. Those of shorter
// paths are between the last two.
const (
	stepQuery = 1 + iota
	stepRoute
	stepPlain
	stepBare = stepPlain + maxCoveringSegments + 1
)

// addMore adds covers that the room of long links has no place for, as far as the actual link
// leaves room. The link has its first shorter paths already.
func (c *covering) addMore(l link, aliases []link, shorter, room int) {
	if len(aliases) > 0 {
		for _, video := range moreVideoLinks(aliases[0]) {
			c.addWithin(room, 0, video)
		}
	}
	plain := link{host: l.host, path: l.path}
	if l.query+l.route != "" {
		for _, alias := range aliasesOf(plain) {
			c.addWithin(room, stepPlain, alias)
		}
	}
	if l.query != "" && l.route != "" {
		route := link{host: l.host, path: l.path, route: l.route}
		c.addWithin(room, stepRoute, route)
		if main, ok := mainLink(route); ok {
			c.addWithin(room, stepRoute, main)
		}
	}
	slashes := firstSlashes(l.path)[1:]
	if n := len(slashes); n > 0 && slashes[n-1] == len(l.path)-1 {
		slashes = slashes[:n-1]
	}
	for i := shorter; i < len(slashes); i++ {
		links := []link{{host: l.host, path: l.path[:slashes[i]+1]}}
		links = append(links, links[0].withoutSlash())
		if main, ok := mainLink(links[1]); ok {
			links = append(links, main)
		}
		if !c.addWithin(room, stepBare-1-i, links...) {
			break
		}
	}
	for i, slash := range slashes {
		if main, ok := mainLink(link{host: l.host, path: l.path[:slash+1]}); ok {
			c.addWithin(room, stepBare-1-i, main)
		}
	}
}

// addWithin adds the forms of links to a step. It adds none and reports false if there is no room
// for all.
func (c *covering) addWithin(room, step int, links ...link) bool {
	before := len(c.covers)
	c.step = step
	for _, l := range links {
		c.addText(l)
	}
	if len(c.covers) > room {
		c.covers = c.covers[:before]
		return false
	}
	return true
}

// sortSteps sorts the covers by their steps, and numbers these without gaps.
func (c *covering) sortSteps() {
	slices.SortStableFunc(c.covers, func(a, b Cover) int { return a.Step - b.Step })
	step, before := -1, -1
	for i := range c.covers {
		if c.covers[i].Step != before {
			before = c.covers[i].Step
			step++
		}
		c.covers[i].Step = step
	}
}

// aliasesOf returns the aliases of a link, that on the main host first. The link itself may be
// one of them.
func aliasesOf(l link) []link {
	main, ok := mainLink(l)
	if !ok {
		return nil
	}
	return append([]link{main}, otherLinks(main)...)
}

// shorterSteps returns the covers of a link that have a shorter path, the longest first. Aliases
// take room: of more segments than there is room for, the first remain, whatever follows them in
// the link.
func shorterSteps(l link, aliases []link, hosts int) [][]Cover {
	const (
		forms = 3
		// otherSteps are those without the route, without the query, without the slash,
		// and the bare host.
		otherSteps = 4
		// accountAndPort are the account that the link names, and two covers of a page
		// with the port of http.
		accountAndPort = 3
	)
	eachStep, links := forms, len(aliases)
	if len(aliases) > 0 && aliases[0].host != l.host {
		eachStep += forms
	}
	if !slices.Contains(aliases, link{host: l.host, path: l.path, query: l.query, route: l.route}) {
		links++
	}
	room := MaxCovers - forms*links - otherSteps*eachStep - accountAndPort - hosts
	slashes := firstSlashes(l.path)[1:]
	if len(slashes) == 0 {
		return nil
	}
	step := covering{covers: make([]Cover, 0, usualCovers)}
	step.texts.Grow(usualCovers * len(l.path))
	steps := make([][]Cover, 0, len(slashes))
	for _, slash := range slashes {
		step.covers = step.covers[len(step.covers):]
		shorter := link{host: l.host, path: l.path[:slash+1]}
		step.addText(shorter)
		step.addWithMain(shorter.withoutSlash())
		if room -= len(step.covers); room < 0 {
			break
		}
		if slash < len(l.path)-1 {
			steps = append(steps, step.covers)
		}
	}
	slices.Reverse(steps)
	return steps
}

// withoutSlash returns the link without the slash at the end of its path. The bare host keeps
// it.
func (l link) withoutSlash() link {
	if path := strings.TrimSuffix(l.path, "/"); len(path) > 1 {
		l.path = path
	}
	return l
}

// addWithMain adds a link and its alias on the main host.
func (c *covering) addWithMain(l link) {
	c.addText(l)
	if main, ok := mainLink(l); ok {
		c.addText(main)
	}
}

// addText adds the forms of a link without a port, and the account that it names. A link that
// is a platform identifier has no forms.
func (c *covering) addText(l link) {
	if kind, canonical, ok := identify(l); ok {
		c.addAccount(asset.Identity{Type: kind, Canonical: canonical})
		return
	}
	path := l.canonicalPath()
	https := c.join("", "https://", l.host.text, path, l.query, l.route)
	page := https[len("https://"):]
	if checkPageHost(l.host) == "" {
		c.add(Cover{Identity: asset.Identity{Type: asset.TypePage, Canonical: page}, Kind: CoverPage})
	}
	c.add(Cover{Identity: asset.Identity{Type: asset.TypeURL, Canonical: https}, Kind: CoverURL})
	c.add(Cover{Identity: asset.Identity{Type: asset.TypeURL, Canonical: c.join("", "http://", page)}, Kind: CoverURL})
	accounts, sure := namedAccounts(l)
	if !sure {
		defer func(before CoverEffect) { c.effect = before }(c.effect)
		c.effect = CoverBlocks
	}
	for _, account := range accounts {
		c.addAccount(account)
	}
}

// addAccount adds a platform identifier, and the other form of a name of Medium.
func (c *covering) addAccount(identity asset.Identity) {
	c.add(Cover{Identity: identity, Kind: CoverAccount})
	if sibling := siblingOf(identity); sibling.Type != "" {
		c.add(Cover{Identity: sibling, Kind: CoverAccount})
	}
}
