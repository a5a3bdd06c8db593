package classify

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/apguard/apguard/asset"
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
		w.note(RewritePlatformHost, true)
		w.name(text, result.Canonical[strings.IndexByte(result.Canonical, '/')+1:])
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
		w.note(RewriteSchemeDropped, true)
		return
	}
	slashes := rest[:len(rest)-len(strings.TrimLeft(rest, `/\`))]
	w.note(RewriteSchemeCase, hasUpper(scheme))
	w.note(RewriteSlashes, len(slashes) != len("//"))
	w.note(RewriteBackslashes, strings.Contains(slashes, `\`))
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
	w.note(RewriteDefaultPort, port != "" && l.port == "")
	w.note(RewritePortZeros, l.port != "" && port != l.port)
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
	decoded := percentDecode(text, func(byte) bool { return true })
	w.note(RewritePercentDecoded, decoded != text)
	domain, dot := cutTrailingDot(decoded)
	w.note(RewriteTrailingDot, dot != "")
	if to.kind != hostDomain {
		w.note(RewriteIPNotation, domain != to.text)
		return
	}
	w.note(RewriteHostCase, hasUpper(domain))
	if isASCII(decoded) {
		return
	}
	w.note(RewritePunycode, countPunycode(to.text) > countPunycode(domain))
	unmapped, _ := idna.Punycode.ToASCII(lowerASCII(domain))
	w.note(RewriteHostMapped, unmapped != to.text || !isASCII(dot))
}

// path compares a path with the parsed one.
func (w *rewriting) path(text, to string) {
	slashed := strings.ReplaceAll(text, `\`, "/")
	w.note(RewriteBackslashes, slashed != text)
	resolved := resolvePath(text)
	w.note(RewriteDotSegments, len(resolved) < len(slashed))
	w.escapes(resolved, to)
}

// escapes compares the percent-encoding of a part of a link with the parsed part.
func (w *rewriting) escapes(text, to string) {
	normal := mapEscapes(text, func(escape string) string {
		normal := normalEscape(escape)
		w.note(RewritePercentDecoded, len(normal) < len(escape))
		w.note(RewriteEscapeCase, len(normal) == len(escape) && normal != escape)
		w.note(RewritePercentEncoded, len(normal) > len(escape))
		return normal
	})
	w.note(RewritePercentEncoded, normal != to)
}

// tail compares the path, query and fragment of a URL or PAGE.
func (w *rewriting) tail(path, rest string, l link) {
	w.note(RewriteSlashAdded, path == "" && l.canonicalPath() != "")
	w.note(RewriteSlashDropped, path != "" && l.canonicalPath() == "")
	query, fragment := cutQuery(rest)
	w.note(RewriteEmptyQueryDropped, query == "?")
	w.note(RewriteFragmentDropped, fragment != "" && l.route == "")
	if l.query != "" {
		w.escapes(query, l.query)
	}
	if l.route != "" {
		w.escapes(fragment, l.route)
	}
}

// platform compares a link to a platform identifier with the canonical form.
func (w *rewriting) platform(path, rest string, l link, canonical string) {
	toHost, toPath, _ := strings.Cut(canonical, "/")
	from := l.host.text
	if from != toHost {
		for _, prefix := range commonPrefixes {
			if site, ok := strings.CutPrefix(from, prefix); ok {
				w.note(RewriteHostPrefix, true)
				from = site
				break
			}
		}
	}
	w.note(RewritePlatformHost, from != toHost)
	w.note(RewriteSlashDropped, path != "" && strings.HasSuffix(l.path, "/"))

	w.identifier(strings.Trim(l.path, "/"), toPath)
	w.note(RewriteQueryDropped, strings.HasPrefix(rest, "?"))
	w.note(RewriteFragmentDropped, strings.Contains(rest, "#"))
}

// identifier compares the normalized path of a platform identifier with the canonical
// one.
func (w *rewriting) identifier(path, to string) {
	decoded := percentDecode(path, func(c byte) bool { return c == '@' })
	w.note(RewritePercentDecoded, decoded != path)

	// The identifier is the end of the path.
	words := strings.Count(decoded, "/") - strings.Count(to, "/")
	w.note(RewritePlatformPath, words > 0 || path == "" && to != "")
	for ; words > 0; words-- {
		_, decoded, _ = strings.Cut(decoded, "/")
	}
	w.name(decoded, to)
}

// name compares the name in an identifier, or a handle, with the canonical one.
func (w *rewriting) name(from, to string) {
	if name, at := strings.CutPrefix(from, "@"); at && !strings.HasPrefix(to, "@") {
		w.note(RewriteAtDropped, true)
		from = name
	}
	const ending = ".git"
	if repo := len(from) - len(ending); repo > 0 && strings.EqualFold(from[repo:], ending) && !strings.HasSuffix(to, ending) {
		w.note(RewriteGitDropped, true)
		from = from[:repo]
	}
	from, to = percentDecode(from, isNonASCII), percentDecode(to, isNonASCII)
	composed := norm.NFC.String(from)
	w.note(RewriteNameComposed, composed != from)
	// The canonical form may add the + of an invitation.
	w.note(RewriteNameCase, !strings.HasSuffix(to, composed))
}

func (w *rewriting) address(text, canonical string) {
	lower := strings.ToLower(text)
	switch _, afterPrefix, _ := strings.Cut(canonical, ":"); {
	case canonical == text:
	case canonical == lower:
		w.note(RewriteAddressCase, true)
	case afterPrefix == lower:
		w.note(RewriteAddressCase, lower != text)
		w.note(RewriteAddressPrefix, true)
	default:
		w.note(RewriteAddressForm, true)
	}
}

func (w *rewriting) email(text, canonical string) {
	local, domain, _ := strings.Cut(text, "@")
	_, toDomain, _ := strings.Cut(canonical, "@")
	w.host(domain, host{text: toDomain, kind: hostDomain})
	w.note(RewriteNameCase, hasUpper(local))
}

// cutTrailingDot splits a domain before its trailing dot.
func cutTrailingDot(domain string) (before, dot string) {
	r, size := utf8.DecodeLastRuneInString(domain)
	if !isDot(r) {
		return domain, ""
	}
	return domain[:len(domain)-size], domain[len(domain)-size:]
}

func countPunycode(domain string) int {
	n := 0
	for _, label := range strings.FieldsFunc(domain, isDot) {
		if hasPunycode(label) {
			n++
		}
	}
	return n
}

func hasUpper(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' })
}

// lowerASCII puts the letters A to Z in lower case, and no letters of other scripts.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

func isNonASCII(c byte) bool { return c >= utf8.RuneSelf }
