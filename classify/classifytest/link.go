package classifytest

import (
	"encoding/hex"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// URL draws URLs.
func URL() *rapid.Generator[Case] {
	return written(rapid.Custom(func(t *rapid.T) classify.Result {
		// Browsers need no public suffix.
		link := drawLink(t, "localhost", "router", "a_b", "shop.example", "example.test")
		return result(asset.TypeURL, drawOne(t, "https", "http")+"://"+link)
	}))
}

// Page draws domains and IP addresses, with or without port, path and query.
func Page() *rapid.Generator[Case] {
	return written(rapid.Custom(func(t *rapid.T) classify.Result {
		return result(asset.TypePage, drawLink(t, "example.com", "shop.co.uk"))
	}))
}

// drawLink draws a canonical link without a scheme that is not a platform identifier.
// Its host may be one of the given.
func drawLink(t *rapid.T, hosts ...string) string {
	var host string
	switch rapid.IntRange(0, 6).Draw(t, "host") {
	case 0:
		return drawOne(t, noIdentifiers...)
	case 1:
		host = drawIPv4(t)
	case 2:
		host = drawIPv6(t)
	case 3:
		host = drawOne(t, hosts...)
	default:
		host = drawDomain(t, "-_")
	}
	return host + drawPort(t) + drawTail(t)
}

func result(kind asset.Type, canonical string) classify.Result {
	return classify.Result{Identity: asset.Identity{Type: kind, Canonical: canonical}}
}

// noIdentifiers are links to platforms without an identifier.
var noIdentifiers = []string{
	"github.com", "github.com/owner/repo/issues/1", "x.com/home", "x.com/jack/status/20", "www.youtube.com/watch?v=1",
	"instagram.com/p/C0", "t.me/share/url?url=1", "discord.com/channels/@me", "medium.com/@user/a-story", "linkedin.com/jobs/1",
	"www.twitch.tv/directory", "tiktok.com/@name/video/1", "github.com:8443/owner", "x.com//jack",
}

// drawPort draws a canonical port, or "" for the scheme's default.
func drawPort(t *rapid.T) string { return drawOne(t, "", "", "", ":0", ":81", ":8080", ":65535") }

// drawTail draws a canonical path, query and route.
func drawTail(t *rapid.T) string {
	segments := rapid.SliceOfN(rapid.Custom(drawSegment), 0, 4).Draw(t, "path")
	path := "/" + strings.Join(segments, "/")
	query := ""
	if drawChance(t, "with a query") {
		query = "?" + drawOne(t, "a", "?", "=") + drawEncoded(t, letters+capital+digits+"-._~!$&()*+,;=:@/?[]{}|^`\\")
	}
	if drawChance(t, "with a route") {
		query += drawOne(t, "#/", "#!") + drawEncoded(t, letters+capital+digits+"-._~!$&'()*+,;=:@/?[]{}|^\\#")
	}
	if path == "/" && query == "" {
		return ""
	}
	return path + query
}

// drawSegment draws a segment of a path. It may be empty, but does not consist of dots.
func drawSegment(t *rapid.T) string {
	segment := drawEncoded(t, letters+capital+digits+"-._~!$&'()*+,;=:@[]")
	if segment != "" && strings.Trim(segment, ".") == "" {
		return "a" + segment
	}
	return segment
}

// drawEncoded draws a text of the alphabet with percent-encoding in normal form.
func drawEncoded(t *rapid.T, alphabet string) string {
	return drawText(t, alphabet, 0, 8) +
		drawOne(t, "", "", "", "%C3%BC", "%E4%BE%8B%E3%81%88", "%F0%9F%92%A9", "%20a", "%2Fa", "%25zz", "%2541", "%FF", "%25")
}

func writeURL(t *rapid.T, canonical string) string {
	scheme, rest, _ := strings.Cut(canonical, "://")
	host, port, tail := cutLink(rest)
	slashes := drawOne(t, "//", "//", "//", "/", "\\\\", "/\\", "////")
	defaultPort := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return drawCase(t, scheme) + ":" + slashes + drawUser(t) +
		writeHost(t, host, true) + writePort(t, port, defaultPort) + writeTail(t, tail)
}

func writePage(t *rapid.T, canonical string) string {
	host, port, tail := cutLink(canonical)
	start, end := writeHost(t, host, false)+writePort(t, port, ":443"), writeTail(t, tail)
	if strings.HasSuffix(start, ":") && strings.HasPrefix(end, "//") {
		return canonical // the part before :// would be a scheme
	}
	return start + end
}

// drawUser draws user information, or "".
func drawUser(t *rapid.T) string {
	return drawOne(t, "", "", "", "user@", "user:secret@", "@", "bank.com@", "a@b@")
}

// cutLink splits a canonical link without its scheme.
func cutLink(text string) (host, port, tail string) {
	if i := strings.IndexAny(text, "/?#"); i >= 0 {
		text, tail = text[:i], text[i:]
	}
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, ']') {
		text, port = text[:i], text[i:]
	}
	return text, port, tail
}

// writePort draws a notation of a canonical port.
func writePort(t *rapid.T, port, defaultPort string) string {
	if port != "" {
		return ":" + drawOne(t, "", "", "000") + port[1:]
	}
	return drawOne(t, "", "", "", ":", defaultPort, ":0"+defaultPort[1:])
}

// writeTail draws a notation of a canonical path, query and route.
func writeTail(t *rapid.T, tail string) string {
	path, rest := tail, ""
	if i := strings.IndexAny(tail, "?#"); i >= 0 {
		path, rest = tail[:i], tail[i:]
	}
	if path == "" {
		path = "/"
	}
	// The slash may be left out if it is the whole path.
	written := ""
	if path != "/" || drawChance(t, "with the slash") {
		written = writePath(t, path)
	}
	if drawChance(t, "as characters") {
		written, rest = decodeScripts(written), decodeScripts(rest)
	}
	written, rest = writeEscapes(t, written), writeEscapes(t, rest)
	if !strings.HasPrefix(rest, "?") {
		rest = drawOne(t, "", "", "", "?") + rest
	}
	if !strings.Contains(rest, "#") {
		rest += drawOne(t, "", "", "", "#", "#top", "#top/", "#\u00fc")
	}
	return written + rest
}

// writeEscapes draws a notation of percent-encoding in normal form.
func writeEscapes(t *rapid.T, text string) string {
	if drawChance(t, "escapes in lower case") {
		text = escape.ReplaceAllStringFunc(text, strings.ToLower)
	}
	if drawChance(t, "a lone percent sign") && strings.HasSuffix(text, "%25") {
		return strings.TrimSuffix(text, "25")
	}
	// Letters that are hexadecimal digits would make an escape of a lone % before them.
	return drawPercent(t, text, "GHghXYZxyz-_~")
}

// escape matches percent-encoding in normal form.
var escape = regexp.MustCompile("%[0-9A-F]{2}")

// writePath draws a notation of a path that is not empty.
func writePath(t *rapid.T, path string) string {
	path = drawOne(t, "", "", "", "/.", "/%2E", "/a/..", "/a/b/%2e%2E/.%2e") + path
	if strings.HasSuffix(path, "/") {
		path += drawOne(t, "", "", ".", "a/..")
	}
	if drawChance(t, "backslashes") {
		path = strings.ReplaceAll(path, "/", `\`)
	}
	return path
}

// decodeScripts decodes the percent-encoded characters outside ASCII, which the
// canonical form encodes again.
func decodeScripts(text string) string {
	var b strings.Builder
	for text != "" {
		raw := leadingBytes(text)
		if len(raw) == 0 {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		encoded := text[:3*len(raw)]
		text = text[len(encoded):]
		if utf8.Valid(raw) && !strings.ContainsFunc(string(raw), isInvisible) {
			b.Write(raw)
		} else {
			b.WriteString(encoded)
		}
	}
	return b.String()
}

// leadingBytes returns the percent-encoded bytes outside ASCII at the start of the text.
func leadingBytes(text string) []byte {
	var raw []byte
	for len(text) >= 3 && text[0] == '%' && text[1] >= '8' && strings.Trim(text[1:3], "0123456789ABCDEF") == "" {
		raw = append(raw, must(hex.DecodeString(text[1:3]))...)
		text = text[3:]
	}
	return raw
}

// isInvisible reports whether no content may contain the character.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\ufeff'
}
