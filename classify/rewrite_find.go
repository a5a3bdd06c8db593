package classify

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/unicode17"
)

// rewritesOf returns the differences between a content and its canonical form. It
// compares the two after the decision, so that the rules need no record.
func rewritesOf(content string, by Rule, result Result) []Rewrite {
	text := strings.TrimSpace(content)
	var w rewriting
	w.note(RewriteWhiteSpace, text != content)
	switch by {
	case RuleOtherScheme: // accepts nothing
	case RuleWebLink:
		scheme, rest, _ := strings.Cut(text, ":")
		w.scheme(scheme, rest, result)
		w.link(strings.ToLower(scheme), strings.TrimLeft(rest, `/\`), result)
	case RulePlatformLink, RulePage:
		w.link("https", text, result)
	case RuleAddress:
		w.address(text, result.Canonical)
	case RuleEmail:
		w.email(text, result.Canonical)
	case RuleHandle:
		w.note(RewritePlatformForm, true)
		w.note(RewriteLetterCase, hasUpper(text))
	}
	return w.found
}

// rewriting collects rewrites.
type rewriting struct {
	found []Rewrite
}

// note adds a rewrite once if it happened.
func (w *rewriting) note(rewrite Rewrite, happened bool) {
	if happened && !slices.Contains(w.found, rewrite) {
		w.found = append(w.found, rewrite)
	}
}

// scheme compares a link's scheme and the slashes after it.
func (w *rewriting) scheme(scheme, rest string, result Result) {
	if result.Type != asset.TypeURL {
		w.note(RewritePlatformForm, true)
		return
	}
	w.note(RewriteLetterCase, hasUpper(scheme))
	w.note(RewriteSlashes, rest[:len(rest)-len(strings.TrimLeft(rest, `/\`))] != "//")
}

// link compares the part after a scheme's slashes.
func (w *rewriting) link(scheme, text string, result Result) {
	l, _ := parseLink(scheme, text)
	authority, rest := cutAuthority(text)
	userInfo := strings.LastIndexByte(authority, '@') + 1
	hostText, port := cutPort(authority[userInfo:])
	path, rest := cutPath(rest)

	w.note(RewriteUserInfo, userInfo > 0)
	w.host(hostText, l.host)
	w.note(RewritePort, port != l.port)
	w.path(path, l.path)
	switch result.Type {
	case asset.TypeURL, asset.TypePage:
		w.tail(path, rest, l)
	default:
		w.platform(path, rest, l, result.Canonical)
	}
}

// host compares a host, percent-encoded or not.
func (w *rewriting) host(text string, to host) {
	decoded := decodePercent(text)
	w.note(RewritePercentEncoding, decoded != text)
	domain := strings.TrimRightFunc(decoded, isDot)
	w.note(RewriteTrailingDot, domain != decoded)
	if to.kind != hostDomain {
		w.note(RewriteIPNotation, domain != to.text)
		return
	}
	w.note(RewriteLetterCase, hasUpper(domain))
	w.note(RewriteUnicode, !isASCII(decoded))
}

// path compares a path with the parsed one.
func (w *rewriting) path(text, to string) {
	slashed := strings.ReplaceAll(text, `\`, "/")
	w.note(RewriteSlashes, slashed != text)
	resolved := resolvePath(text)
	w.note(RewriteDotSegments, len(resolved) < len(slashed))
	w.note(RewritePercentEncoding, resolved != to)
}

// tail compares the path, query and fragment of a URL or PAGE.
func (w *rewriting) tail(path, rest string, l link) {
	w.note(RewriteSlashes, (path == "") != (l.canonicalPath() == ""))
	query, fragment := cutQuery(rest)
	w.note(RewriteQueryDropped, query == "?")
	w.note(RewriteFragmentDropped, fragment != "" && l.route == "")
	w.note(RewritePercentEncoding, l.query != "" && query != l.query || l.route != "" && fragment != l.route)
}

// platform compares a link to a platform identifier with the canonical form.
func (w *rewriting) platform(path, rest string, l link, canonical string) {
	host, to, _ := strings.Cut(canonical, "/")
	w.note(RewritePlatformForm, l.host.text != host)
	w.note(RewriteSlashes, path != "" && strings.HasSuffix(l.path, "/"))
	w.identifier(strings.Trim(l.path, "/"), to)
	w.note(RewriteQueryDropped, strings.HasPrefix(rest, "?"))
	w.note(RewriteFragmentDropped, strings.Contains(rest, "#"))
}

// identifier compares the normalized path of a platform identifier with the canonical
// one, which may have fewer segments and signs.
func (w *rewriting) identifier(path, to string) {
	hasEncodedSign := func(text string) bool { return percentDecode(text, isPathSign) != text }
	w.note(RewritePercentEncoding, hasEncodedSign(path) != hasEncodedSign(to))
	from, to := percentDecode(path, isDecodedInPath), percentDecode(to, isDecodedInPath)
	composed := unicode17.NFC(from)
	w.note(RewriteUnicode, composed != from)
	w.note(RewritePlatformForm, !strings.EqualFold(composed, to))
	name := strings.TrimPrefix(to, "+") // which may be added to an invitation
	w.note(RewriteLetterCase, path != "" && !strings.Contains(composed, name))
}

func (w *rewriting) address(text, canonical string) {
	lower := strings.ToLower(text)
	_, afterPrefix, _ := strings.Cut(canonical, ":")
	w.note(RewriteLetterCase, lower != text && (canonical == lower || afterPrefix == lower))
	w.note(RewriteAddressForm, canonical != text && canonical != lower)
}

func (w *rewriting) email(text, canonical string) {
	local, domain, _ := strings.Cut(text, "@")
	_, toDomain, _ := strings.Cut(canonical, "@")
	w.host(domain, host{text: toDomain, kind: hostDomain})
	w.note(RewriteLetterCase, hasUpper(local))
}

func hasUpper(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' })
}

func isNonASCII(c byte) bool { return c >= utf8.RuneSelf }
