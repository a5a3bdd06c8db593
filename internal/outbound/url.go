// Package outbound has the rules for the URLs that operators give the server to connect to: which of them it
// accepts, and which addresses are public. It connects to nothing itself.
package outbound

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/apguard/apguard/asset"
)

// MaxURL is the maximum length of a URL in bytes.
const MaxURL = 2048

// ErrNotPublic reports that the host of a URL is localhost, a name below it, or an address that is not public.
var ErrNotPublic = errors.New("host is not public")

// CheckURL adds an issue with the field unless the text is a URL to which the server may connect. With
// private, the scheme may be http, and the host one that is not public. An issue about a host that is
// not public matches [ErrNotPublic].
//
// Whether a name leads to a public address is not known before a connection is made; see [Public].
func CheckURL(issues *asset.Issues, field, text string, private bool) {
	before := len(*issues)
	issues.CheckTextLength(field, text, MaxURL)
	if len(*issues) > before {
		return
	}
	u, err := url.Parse(text)
	if err != nil { // its text could contain a password
		issues.Add(field, "must be a URL")
		return
	}
	issues.Check(u.Scheme == "https" || private && u.Scheme == "http", field, "must start with "+schemes(private))
	issues.Check(u.User == nil, field, "must not have a user name or password")
	issues.Check(!strings.Contains(text, "#"), field, "must not have a fragment")
	issues.Check(validPort(u.Port()), field, "must have a port from 1 to 65535")
	if u.Opaque != "" {
		issues.Add(field, "must have a host")
		return
	}
	checkHost(issues, field, u.Hostname(), private)
}

// validPort reports whether a port is one to which a connection can be made. It can be empty.
func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// checkHost adds an issue with the field unless the host is a name, or an address to which the server may
// connect.
func checkHost(issues *asset.Issues, field, host string, private bool) {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	addr, err := netip.ParseAddr(host)
	switch {
	case name == "":
		issues.Add(field, "must have a host")
	case err == nil && !private && !Public(addr):
		*issues = append(*issues, asset.Issue{Field: field, Message: "must not have an address that is not public", Err: ErrNotPublic})
	case err != nil && endsInNumber(name):
		issues.Add(field, "must have a name or an IP address as its host, an IPv4 address as four numbers from 0 to 255")
	case !private && (name == localhost || strings.HasSuffix(name, "."+localhost)):
		*issues = append(*issues, asset.Issue{Field: field, Message: "must not have the host localhost, which is the server itself", Err: ErrNotPublic})
	}
}

// localhost is the name of the machine itself, and so are the names below it (RFC 6761, section 6.3).
const localhost = "localhost"

// endsInNumber reports whether the last label of a host is a number. No name ends in one, but
// resolvers read 0, 127.1 and 0x7f000001 as addresses.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil || last != "" && strings.Trim(last, "0123456789") == ""
}

func schemes(private bool) string {
	if private {
		return "https:// or http://"
	}
	return "https://"
}
