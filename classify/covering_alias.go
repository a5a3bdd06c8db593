package classify

// usualCovers and usualVideoCovers are the numbers of covers of a link to a platform, and to a video
// on YouTube, for which there is room at first.
const (
	usualCovers      = 32
	usualVideoCovers = 64
)

// addAliases adds the link on the main host of its platform. If it is complete, it adds all of
// its aliases, for a content with port 80 only in the first step. A link with a part of the query and
// route has none.
func (c *covering) addAliases(l link, complete bool) {
	if !complete && !l.isPlain() {
		return
	}
	main, ok := mainLink(l)
	if ok && !main.opens(l) {
		c.addText(main)
	}
	if l.isPlain() && l.hasSlash() {
		if short, ok := mainLink(l.withoutSlash()); ok {
			c.addText(short)
		}
	}
	if !complete || c.port80 && c.step > 0 {
		return
	}
	if ok {
		var room [maxOtherLinks]link
		for _, other := range appendOtherLinks(room[:0], l, main) {
			c.addText(other)
		}
	}
	before := c.effect
	c.effect = CoverBlocks
	for _, video := range videosOf(l) {
		c.addText(video)
	}
	c.effect = before
}
