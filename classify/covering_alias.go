package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// usualCovers is the number of covers for whose texts there is room at first.
const usualCovers = 48

// The steps of a link to a platform, before they are numbered without gaps. Those of shorter
// paths are between the last two.
const (
	stepExact = iota
	stepQuery
	stepRoute
	stepPlain
	stepBare = stepPlain + maxCoveringSegments + 1
)

// surePathSegments is the number of segments whose links have room whatever follows them.
const surePathSegments = 2

// coverPlatform adds the covers of a link without a port to a host of a platform. Each step has
// the forms of the link, those of its alias on the main host, and the account that it names.
// The first step has all aliases.
//
// What is worth most is added first. The longest link leaves room for it, so nothing that is
// appended to a link takes it away. The rest takes the room that a link leaves.
func (c *covering) coverPlatform(exact Cover, l link, port80 bool) {
	var backing [maxCoveringHosts]coveringHost
	hosts := coveringHostsOf(backing[:0], l)
	c.covers = make([]Cover, 0, MaxCovers)
	c.texts.Grow(usualCovers * len(exact.Canonical))
	if port80 {
		c.hostOnPort80 = l.host.text
	}
	c.add(exact)
	aliases, paths := aliasesOf(l), shorterPaths(l.path)
	c.room = MaxCovers - len(hosts)
	c.addSure(l, aliases, paths[:min(surePathSegments, len(paths))])
	c.room = MaxCovers - 3*len(hosts) // a page and two URLs each
	c.addMore(l, aliases, paths)
	c.sortSteps(3 * len(hosts))
	c.addHosts(hosts)
}

// addSure adds the covers that have room in every link, unless it is a link to a video or a PAGE
// with port 80.
func (c *covering) addSure(l link, aliases []link, paths []string) {
	c.addStep(stepExact, l)
	if l.query+l.route == "" {
		c.addStep(stepExact, withMain(l.withoutSlash())...)
	}
	c.addStep(stepExact, aliases...)
	c.effect = CoverBlocks
	c.addStep(stepExact, videosOf(l)...)
	c.effect = CoverDecides
	if l.path != "/" {
		c.addStep(stepBare, withMain(link{host: l.host, path: "/"})...)
	}
	if l.query+l.route != "" {
		plain := link{host: l.host, path: l.path}
		c.addStep(stepPlain, withMain(plain)...)
		c.addStep(stepPlain, withMain(plain.withoutSlash())...)
	}
	c.addShorter(l, paths, 0)
	if l.query != "" && l.route != "" {
		c.addStep(stepQuery, withMain(link{host: l.host, path: l.path, query: l.query})...)
	}
}

// addMore adds further covers, as far as there is room.
func (c *covering) addMore(l link, aliases []link, paths []string) {
	c.addShorter(l, paths, surePathSegments)
	if len(aliases) > 0 {
		for _, video := range moreVideoLinks(aliases[0]) {
			c.addStep(stepExact, video)
		}
	}
	if l.query+l.route != "" {
		for _, alias := range aliasesOf(link{host: l.host, path: l.path}) {
			c.addStep(stepPlain, alias)
		}
	}
	if l.query != "" && l.route != "" {
		c.addStep(stepRoute, withMain(link{host: l.host, path: l.path, route: l.route})...)
	}
	for i, path := range paths {
		if main, ok := mainLink(link{host: l.host, path: path}); ok {
			c.addStep(stepBare-1-i, main)
		}
	}
}

// addShorter adds the steps of the links with the paths from an index on, as long as there is room.
func (c *covering) addShorter(l link, paths []string, from int) {
	for i := from; i < len(paths); i++ {
		shorter := link{host: l.host, path: paths[i]}
		if !c.addStep(stepBare-1-i, withMain(shorter, shorter.withoutSlash())...) {
			return
		}
	}
}

// addStep adds the forms of links to a step. It adds none and reports false if there is no room
// for all.
func (c *covering) addStep(step int, links ...link) bool {
	before := len(c.covers)
	c.step = step
	for _, l := range links {
		c.addText(l)
	}
	if len(c.covers) > c.room {
		c.covers = c.covers[:before]
		return false
	}
	return true
}

// withMain appends the alias of the last link on the main host.
func withMain(links ...link) []link {
	if main, ok := mainLink(links[len(links)-1]); ok {
		return append(links, main)
	}
	return links
}

// shorterPaths returns the prefixes of a path that end after each of its first segments, with the
// slash, apart from the whole path.
func shorterPaths(path string) []string {
	paths := make([]string, 0, maxCoveringSegments)
	for _, slash := range firstSlashes(path)[1:] {
		if slash < len(path)-1 {
			paths = append(paths, path[:slash+1])
		}
	}
	return paths
}

// sortSteps sorts the covers by their steps, and numbers these without gaps. It leaves room for more.
func (c *covering) sortSteps(more int) {
	sorted := make([]Cover, 0, len(c.covers)+more)
	next := 0
	for step := range stepBare + 1 {
		before := len(sorted)
		for _, cover := range c.covers {
			if cover.Step == step {
				cover.Step = next
				sorted = append(sorted, cover)
			}
		}
		if len(sorted) > before {
			next++
		}
	}
	c.covers = sorted
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

// withoutSlash returns the link without the slash at the end of its path. The bare host keeps
// it.
func (l link) withoutSlash() link {
	if path := strings.TrimSuffix(l.path, "/"); len(path) > 1 {
		l.path = path
	}
	return l
}

// addText adds the forms of a link without a port, and the account that it names. A link that
// is a platform identifier has no forms.
func (c *covering) addText(l link) {
	path := l.canonicalPath()
	if l.host.text == c.hostOnPort80 {
		page := c.join("", l.host.text, ":80", path, l.query, l.route)
		defer c.add(Cover{Identity: asset.Identity{Type: asset.TypePage, Canonical: page}, Kind: CoverPage})
	}
	if kind, canonical, ok := identify(l); ok {
		c.addAccount(asset.Identity{Type: kind, Canonical: canonical})
		return
	}
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
