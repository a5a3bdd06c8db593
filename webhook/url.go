package webhook

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/apguard/apguard/asset"
)

// MaxURL is the maximum length of the URL of an endpoint in bytes.
const MaxURL = 2048

// checkURL adds an issue with the field unless the text is a URL to which messages can be sent.
// With private, the scheme may be http, and the host an address that is not public.
func checkURL(issues *asset.Issues, field, text string, private bool) {
	issues.CheckTextLength(field, text, MaxURL)
	if len(*issues) > 0 || len(text) > MaxURL {
		return
	}
	u, err := url.Parse(text)
	if err != nil { // its text could contain a password
		issues.Add(field, "must be a URL")
		return
	}
	issues.Check(u.Scheme == "https" || private && u.Scheme == "http", field, "must start with "+schemes(private))
	issues.Check(u.Hostname() != "" && u.Opaque == "", field, "must have a host")
	issues.Check(u.User == nil, field, "must not have a user name or password")
	issues.Check(!strings.Contains(text, "#"), field, "must not have a fragment")
	if addr, err := netip.ParseAddr(u.Hostname()); err == nil && !private {
		issues.Check(Public(addr), field, "must not have an address that is not public")
	}
}

func schemes(private bool) string {
	if private {
		return "https:// or http://"
	}
	return "https://"
}
