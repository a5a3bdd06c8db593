package classify

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/apguard/apguard/asset"
)

// CoveringOpened returns the covers of the link that a browser opens for a content that
// [Classify] refuses. It returns nil if a browser opens no link, so that the content shows
// nothing that could be opened. Its cost is linear in the length of the content, which has
// no limit.
//
// CoveringOpened reads a content as an address bar does, which means:
//
//   - Control characters and spaces at both ends are ignored, and so are tabs and line
//     breaks everywhere. Other spaces and control characters are percent-encoded. Invalid
//     UTF-8 is U+FFFD.
//   - After http: or https:, everything that the WHATWG URL Standard accepts is a link,
//     with any number of slashes and any host.
//   - Without these, a content is a link if it begins with a host that can be a PAGE, after
//     two slashes or backslashes or none. It is read as https, or as http with port 80. A
//     user name may precede the host if a port, path, query or fragment follows.
//
// A content that names another scheme, an e-mail address and a possible secret are never
// links.
//
// The first cover is the link itself as a URL in canonical form. If that is longer than
// [MaxContent], it is cut: it has no query and no route, and of its path the leading
// segments that fit, at most six. A host is never cut. The other covers are those that
// [Covering] returns for such a link, or for the PAGE with port 80 that was read. No cover has the kind [CoverExact].
//
// A browser accepts hosts that are longer than DNS permits, or have several dots at their
// end. Classify refuses them. The former have the covers of their parent domains, and the
// latter have none. Labels that are too long are percent-encoded in the canonical form.
func CoveringOpened(content string) []Cover {
	l, bare, ok := readLink(content)
	if !ok {
		return nil
	}
	port80 := bare && l.scheme == "http"
	l = l.cut(MaxContent)
	if l.host.kind == hostLooseIPv4 {
		l.host.kind = hostIPv4 // as in the canonical form
	}
	opened := Cover{Identity: asset.Identity{Type: asset.TypeURL, Canonical: l.withScheme(content)}, Kind: CoverURL}
	var c covering
	if l.host.kind == hostUnusable || len(opened.Canonical) > MaxContent {
		c.covers = []Cover{opened}
		c.addParents(l.host.text)
		// Not every label of such a host is valid in an asset.
		return slices.DeleteFunc(c.covers, func(cover Cover) bool {
			result, err := Classify(cover.Canonical)
			return cover.Step > 0 && (err != nil || result.Identity != cover.Identity)
		})
	}
	if kind, canonical, ok := identify(l); ok && !port80 {
		c.add(opened)
		covers := Covering(asset.Identity{Type: kind, Canonical: canonical})
		covers[0].Kind = CoverAccount
		return append(c.covers, covers...)
	}
	c.coverLink(opened, l, port80)
	return c.covers
}

// readLink parses the link that an address bar opens for a content.
// It reports whether the content is without a scheme.
func readLink(content string) (l link, bare, ok bool) {
	text := openedText(content)
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || !isWebScheme(scheme) {
		l, ok = readBareLink(text)
		return l, true, ok
	}
	l, ok = parseOpenedLink(strings.ToLower(scheme), strings.TrimLeft(rest, `/\`))
	return l, false, ok
}

// parseOpenedLink is [parseLink] for every host that browsers accept.
func parseOpenedLink(scheme, text string) (link, bool) {
	if l, ok := parsePlainLink(scheme, text); ok {
		return l, true
	}
	l, reason := parseLinkOn(scheme, text, readHost)
	return l, reason == ""
}

// openedText returns the content without the characters that browsers ignore.
func openedText(content string) string {
	text := strings.TrimFunc(toValidUTF8(content), func(r rune) bool { return r <= ' ' })
	// Classify ignores more at the beginning.
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, text)
}

// toValidUTF8 decodes a text as the WHATWG Encoding Standard does: U+FFFD replaces each
// longest start of a character, and each other invalid byte.
func toValidUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			for size < len(text) && !utf8.FullRuneInString(text[:size+1]) {
				size++
			}
			if utf8.FullRuneInString(text[:size]) {
				size = 1
			}
		}
		b.WriteRune(r)
		text = text[size:]
	}
	return b.String()
}

// readBareLink parses a link without a scheme.
func readBareLink(text string) (link, bool) {
	afterSlashes := strings.TrimLeft(text, `/\`)
	authority, rest := cutAuthority(afterSlashes)
	at := strings.LastIndexByte(authority, '@')
	_, port := cutPort(authority[at+1:])
	switch len(text) - len(afterSlashes) {
	case 0:
		if hasScheme(authority) || at >= 0 && port == "" && rest == "" {
			return link{}, false
		}
	case 1:
		return link{}, false
	}
	if strings.ContainsFunc(authority[:at+1], isForbidden) {
		return link{}, false
	}
	scheme := "https"
	if strings.TrimLeft(port, ":0") == "80" {
		scheme = "http"
	}
	l, ok := parseOpenedLink(scheme, afterSlashes)
	return l, ok && checkPageHost(l.host) == ""
}

// cut returns the link cut to the length. The result has no query and no route, and the
// leading segments of the path that fit and whose links cover the link. The host stays.
func (l link) cut(length int) link {
	if len(l.withScheme("")) <= length {
		return l
	}
	l.query, l.route = "", ""
	if len(l.withScheme("")) <= length {
		return l
	}
	room := length - len(l.withScheme("")) + len(l.path)
	path := "/"
	for _, slash := range appendSlashes(make([]int, 0, 1+maxCoveringSegments), l.path) {
		if slash < room {
			path = l.path[:slash+1]
		}
	}
	l.path = path
	return l
}
