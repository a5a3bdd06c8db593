package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

func TestDecide_accounts(t *testing.T) {
	t.Parallel()
	const (
		ripple      = "rppwLQ6LAascHbiS8TG9uu72o3S4dsSfKp"
		untagged    = "X7W1bb35cPBfGjU4Z6axcr3rH3ScK42C8cTGAAMR6JSJSdq"
		tag495      = "X7W1bb35cPBfGjU4Z6axcr3rH3ScK4kr2NvE5SGVazS7QQK"
		stellar     = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"
		muxed       = "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ"
		litecoinOld = "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"
		litecoinNew = "MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441"
		litecoinSet = "3J9TzpQYLReDbfaiTY4XN3izFGMyswQgCb" // litecoinNew in its old form
	)
	address := func(canonical string, status asset.Status) statuses {
		return statuses{{Type: asset.TypeAddress, Canonical: canonical}: status}
	}
	both := statuses{
		{Type: asset.TypeAddress, Canonical: ripple}: asset.StatusAllowed,
		{Type: asset.TypeAddress, Canonical: tag495}: asset.StatusBlocked,
	}
	for _, test := range []struct {
		why, content string
		assets       statuses
		want         asset.Status
	}{
		{"an X-address without a tag is the account", untagged, address(ripple, asset.StatusBlocked), asset.StatusBlocked},
		{"a BLOCKED account blocks every tag", tag495, address(ripple, asset.StatusBlocked), asset.StatusBlocked},
		{"an ALLOWED account allows every tag", tag495, address(ripple, asset.StatusAllowed), asset.StatusAllowed},
		{"a BLOCKED tag leaves the account", ripple, address(tag495, asset.StatusBlocked), asset.StatusUnknown},
		{"a BLOCKED tag of an ALLOWED account", tag495, both, asset.StatusBlocked},
		{"an ALLOWED account with a BLOCKED tag", ripple, both, asset.StatusAllowed},
		{"a tag behind the account of an account ID", "xrpl:0:" + ripple + "-495", address(ripple, asset.StatusBlocked), asset.StatusBlocked},
		{"a BLOCKED account of Stellar blocks every number", muxed, address(stellar, asset.StatusBlocked), asset.StatusBlocked},
		{"a BLOCKED number leaves the account", stellar, address(muxed, asset.StatusBlocked), asset.StatusUnknown},
		{"Litecoin in its new form", litecoinNew, address(litecoinSet, asset.StatusBlocked), asset.StatusBlocked},
		{"another account of Litecoin", litecoinNew, address(litecoinOld, asset.StatusBlocked), asset.StatusUnknown},
		{"a payment link", "litecoin:" + litecoinNew + "?amount=1", address(litecoinSet, asset.StatusBlocked), asset.StatusBlocked},
	} {
		t.Run(test.why, func(t *testing.T) {
			t.Parallel()
			covers, err := check.Covers(test.content)
			require.NoError(t, err)
			require.Equal(t, test.want, check.Decide(covers, test.assets.find, nil).Status)
		})
	}
}
