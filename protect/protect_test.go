package protect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/protect"
)

func identityOf(t *testing.T, content string) asset.Identity {
	t.Helper()
	result, err := classify.Classify(content)
	require.NoError(t, err, content)
	return result.Identity
}

func TestRule_Why(t *testing.T) {
	t.Parallel()
	rule := protect.Rule{Names: protect.Names([]string{"login.bank.com", "wallet.example.co.uk"})}
	for reason, c := range map[string]struct {
		content string
		want    asset.ProtectionReason
		by      string
	}{
		"a public suffix":                     {"github.io", asset.ProtectedSuffix, "github.io"},
		"a top-level domain":                  {"https://com", asset.ProtectedSuffix, "com"},
		"a popular host":                      {"google.com", asset.ProtectedPopular, "google.com"},
		"its URL":                             {"http://google.com/", asset.ProtectedPopular, "google.com"},
		"its name with www":                   {"www.google.com", asset.ProtectedPopular, "www.google.com"},
		"a domain above a popular host":       {"microsoftonline.com", asset.ProtectedPopular, "microsoftonline.com"},
		"a host of a platform":                {"x.com", asset.ProtectedPlatform, "x.com"},
		"its other host":                      {"https://mobile.twitter.com", asset.ProtectedPlatform, "mobile.twitter.com"},
		"a name":                              {"login.bank.com", asset.ProtectedName, "login.bank.com"},
		"a name with www":                     {"www.login.bank.com", asset.ProtectedName, "www.login.bank.com"},
		"the domain above a name":             {"https://bank.com", asset.ProtectedName, "bank.com"},
		"the suffix above a name is a suffix": {"https://co.uk", asset.ProtectedSuffix, "co.uk"},
		"a path of a popular host":            {"https://google.com/amp/s/evil.com", "", ""},
		"a query of a popular host":           {"https://google.com?q=evil", "", ""},
		"a port of a popular host":            {"google.com:8443", "", ""},
		"a host below a popular one":          {"evil.google.com", "", ""},
		"a host beside a name":                {"evil.bank.com", "", ""},
		"a host below a name":                 {"evil.login.bank.com", "", ""},
		"an account of a platform":            {"@scammer", "", ""},
		"a host that ends like a popular one": {"notgoogle.com", "", ""},
		"an e-mail address":                   {"a@google.com", "", ""},
		"any other host":                      {"evil.example.com", "", ""},
	} {
		got, protected := rule.Why(identityOf(t, c.content))
		require.Equal(t, c.want != "", protected, reason)
		if protected {
			require.Equal(t, asset.Protection{Reason: c.want, By: c.by}, got, reason)
		}
	}
	_, protected := protect.Rule{}.Why(identityOf(t, "bank.com"))
	require.False(t, protected, "without names")
}

// Each kind of popular hosts is protected, with the domain above.
func TestRule_Why_popular(t *testing.T) {
	t.Parallel()
	for kind, host := range map[string]string{
		"search": "maps.google.com", "work": "outlook.office.com", "people": "web.whatsapp.com", "knowledge": "en.wikipedia.org",
		"parts of other sites": "cdn.jsdelivr.net", "payment": "paypal.com", "banks": "online.citi.com", "banks elsewhere": "barclays.co.uk", "news and mail": "bbc.co.uk", "wallets": "app.uniswap.org",
	} {
		for range 2 {
			why, protected := protect.Rule{}.Why(identityOf(t, "https://"+host))
			require.True(t, protected, "%s: %s", kind, host)
			require.NotEqual(t, asset.ProtectedName, why.Reason)
			_, host, _ = strings.Cut(host, ".")
		}
	}
}
