// Package contentstest draws contents and statuses for tests that compare checks with each other.
package contentstest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Contents draws contents that have covers in common, in many spellings. It is not safe for concurrent
// use.
type Contents struct {
	*rand.Rand
	// names is the number of registrable domains, accounts, IP addresses and so on.
	names int
}

// New returns Contents with this number of registrable domains, accounts, IP addresses and so on. It draws
// the same ones each time.
func New(names int) Contents {
	return Contents{rand.New(rand.NewPCG(15, 9)), names} //nolint:gosec // it must be repeatable
}

func (c Contents) pick(of ...string) string { return of[c.IntN(len(of))] }

// name returns a number. Small ones are drawn more often, so that some sites have many assets
// and others few.
func (c Contents) name() int { return min(c.IntN(c.names), c.IntN(c.names)) }

// Content draws a content of any kind.
func (c Contents) Content() string {
	return c.pick("", "", "", "", "", " ", "\t", "\r\n") + c.spelling(c.kind()) + c.pick("", "", "", "", "", " ", "\n ")
}

func (c Contents) kind() string {
	switch n := c.IntN(100); {
	case n < 56:
		return c.link()
	case n < 80:
		return c.account()
	case n < 88:
		return c.pick("ada", "Bob.B", "c+d") + "@" + c.subdomain() + c.domain()
	case n < 92:
		return fmt.Sprintf("0x%040x", c.name())
	case n < 95:
		return c.pick("", " ", "\t\n", "\u00a0")
	case n < 98:
		return c.opened()
	default:
		return c.refused()
	}
}

// spelling returns the content in another letter case, where that is free.
func (c Contents) spelling(content string) string {
	if scheme, rest, ok := strings.Cut(content, "://"); ok && c.IntN(4) == 0 {
		host, path, _ := strings.Cut(rest, "/")
		return strings.ToUpper(scheme+"://"+host) + strings.TrimSuffix("/"+path, "/")
	}
	return content
}

func (c Contents) link() string {
	host := c.subdomain() + c.domain()
	if c.IntN(12) == 0 {
		host = fmt.Sprintf(c.pick("192.0.%d.%d", "[2001:db8::%x:%x]"), c.name()/256, c.name()%256)
	}
	path := c.pick("", "", "/", "/a", "/a/", "/a/b", "/a/%62/", "/c/../a/b", "/a/b/c.html", "/1/2/3/4/5/6/7/8", "/1/2/3/4/5/6/7/9", "/x"+strconv.Itoa(c.name()))
	return c.pick("https://", "https://", "http://", "") + host + c.pick("", "", "", "", ":443", ":8443") +
		path + c.pick("", "", "", "?q=1", "?q=1&r", "#/route", "?q=1#/route", "#top")
}

// domain draws a registrable domain, or the host of a project.
func (c Contents) domain() string {
	n := c.name()
	suffixes := []string{".com", ".co.uk", ".github.io", ".de"}
	return "shop" + strconv.Itoa(n) + suffixes[n%len(suffixes)]
}

func (c Contents) subdomain() string {
	return c.pick("", "", "", "www.", "login.", "a.login.", "b.a.login.", "xn--bcher-kva.", strings.Repeat("d.", 7), strings.Repeat("d.", 100))
}

func (c Contents) account() string {
	user := "user" + strconv.Itoa(c.name())
	repo := "/repo" + strconv.Itoa(c.name())
	return c.pick(
		"github.com/"+user, "https://github.com/"+user+repo, "http://www.GitHub.com/"+user+repo+"/tree/main?x#y", "https://gist.github.com/"+user,
		user+".medium.com/"+repo, "https://t.me/"+user+repo, "https://x.com/"+user+repo, "https://www.youtube.com/@"+user+repo, "github.com/"+user+repo,
		user+".medium.com", "https://"+user+".medium.com/post-1?x", "https://medium.com/@"+user+"/post-2", "medium.com/@"+user,
		"@"+user, "https://x.com/"+user+"/status/20", "twitter.com/"+user+"/", "https://t.me/"+user, user+".t.me", "https://youtube.com/@"+user,
		"https://help.github.com/"+user, "https://github.com:8443/"+user+"/repo",
	)
}

// opened draws a content that names no asset, but that a browser opens as a link.
func (c Contents) opened() string {
	host := c.subdomain() + c.domain()
	return c.pick("https:", "https://\t", "http:/\n/", "//") + host + c.pick("", "..", ":8443") +
		c.pick("/a b", "/\x00", "/a/b#/ ", "/"+strings.Repeat("a", classify.MaxContent), "/a/b/"+strings.Repeat("c/", classify.MaxContent))
}

// refused draws a content that names no asset and that no browser opens.
func (c Contents) refused() string {
	return c.pick(
		"no asset", "https://", "https://shop 0.com", "https://xn--a.shop0.com", "https://shop0.com:99999", "https://shop0\x00.com", "0x12",
		"a@b@shop0.com", strings.Repeat("a.", 127)+"com", strings.Repeat("a", classify.MaxContent+1),
	)
}

// Identities draws different identities, each of which covers a content.
func (c Contents) Identities(n int) []asset.Identity {
	drawn := make(map[asset.Identity]bool, n)
	list := make([]asset.Identity, 0, n)
	for len(list) < n {
		if identity, ok := c.identity(); ok && !drawn[identity] {
			drawn[identity] = true
			list = append(list, identity)
		}
	}
	return list
}

// identity draws a cover of a content, of each kind as often as of the others. It reports false
// if the content has none.
func (c Contents) identity() (asset.Identity, bool) {
	result, err := classify.Classify(c.Content())
	if err != nil {
		return asset.Identity{}, false
	}
	kinds := classify.CoverKinds()
	kind := kinds[c.IntN(len(kinds))]
	covers := slices.DeleteFunc(classify.Covering(result.Identity), func(cover classify.Cover) bool { return cover.Kind != kind })
	if len(covers) == 0 {
		return asset.Identity{}, false
	}
	return covers[c.IntN(len(covers))].Identity, true
}

// Status draws a status.
func (c Contents) Status() asset.Status {
	statuses := asset.Statuses()
	return statuses[c.IntN(len(statuses))]
}
