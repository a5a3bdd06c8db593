package classify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
)

func TestRefang(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ content, want string }{
		"scheme and host":       {" hxxps://evil[.]com/x ", "https://evil.com/x"},
		"capital letters":       {"HXXPS://evil[DOT]com", "httpS://evil.com"},
		"colon and slashes":     {"hxxp[:]//evil(.)com", "http://evil.com"},
		"all of ://":            {"hxxp[://]evil{.}com", "http://evil.com"},
		"an e-mail address":     {"bob[at]evil(dot)com", "bob@evil.com"},
		"an IPv6 address stays": {"http://[2001:db8::1]/", "http://[2001:db8::1]/"},
		"hxxp within a name":    {"hxxp.example.com", "hxxp.example.com"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, classify.Refang(c.content))
		})
	}
}

// What analysts do to the host of a link is undone, and Classify refuses the link until then.
func TestRefang_Law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		canonical := classifytest.URL().Draw(t, "link").Canonical
		scheme, rest, _ := strings.Cut(canonical, "://")
		host, tail, _ := strings.Cut(rest, "/")
		dot := rapid.SampledFrom([]string{".", "[.]", "(.)", "[dot]", "(DOT)"}).Draw(t, "dot")
		disarmed := strings.Replace(scheme, "tt", "xx", 1) + "://" + strings.ReplaceAll(host, ".", dot)
		armed := scheme + "://" + host
		if tail != "" {
			disarmed, armed = disarmed+"/"+tail, armed+"/"+tail
		}
		require.Equal(t, classify.ReasonDefanged, classify.Explain(disarmed).Err.Reason)
		if classify.Refang(tail) == tail {
			require.Equal(t, armed, classify.Refang(disarmed))
		}
	})
}
