package classify_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
)

func address(canonical string) asset.Identity {
	return asset.Identity{Type: asset.TypeAddress, Canonical: canonical}
}

func TestCovering_address(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ why, canonical, account string }{
		{"a tag of the XRP Ledger", "X7W1bb35cPBfGjU4Z6axcr3rH3ScK4kr2NvE5SGVazS7QQK", "rppwLQ6LAascHbiS8TG9uu72o3S4dsSfKp"},
		{"a muxed account of Stellar", "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ", "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"},
		{"an account of the XRP Ledger", "rppwLQ6LAascHbiS8TG9uu72o3S4dsSfKp", ""},
		{"an X-address without a tag, which is not canonical", "X7W1bb35cPBfGjU4Z6axcr3rH3ScK42C8cTGAAMR6JSJSdq", ""},
		{"a damaged X-address", "X7W1bb35cPBfGjU4Z6axcr3rH3ScK4kr2NvE5SGVazS7QQa", ""},
		{"an account of Stellar", "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ", ""},
		{"a damaged muxed account", "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR", ""},
		{"a short text that begins with M", "M", ""},
		{"a short text that begins with X", "X", ""},
		{"nothing", "", ""},
	} {
		t.Run(test.why, func(t *testing.T) {
			t.Parallel()
			want := []classify.Cover{{Identity: address(test.canonical), Kind: classify.CoverExact}}
			site := test.canonical
			if test.account != "" {
				want = append(want, classify.Cover{Identity: address(test.account), Kind: classify.CoverAccount, Step: 1})
				site = test.account
			}
			require.Equal(t, want, classify.Covering(address(test.canonical)))
			require.Equal(t, site, classify.Site(address(test.canonical)))
		})
	}
}

// A covering account is an ADDRESS of the same network and site, and has no account itself.
func TestCovering_addressLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		of := classifytest.Address().Draw(t, "address")
		covers := classify.Covering(of.Identity)
		require.Equal(t, classify.Cover{Identity: of.Identity, Kind: classify.CoverExact}, covers[0])
		tagged := of.Network == classify.NetworkXRP && of.Canonical[0] == 'X' || of.Network == classify.NetworkStellar && of.Canonical[0] == 'M'
		require.Equal(t, tagged, len(covers) == 2, "%q", of.Canonical)
		for _, cover := range covers[1:] {
			account, err := classify.Classify(cover.Canonical)
			require.NoError(t, err)
			require.Equal(t, cover.Identity, account.Identity)
			require.Equal(t, of.Network, account.Network)
			require.Len(t, classify.Covering(account.Identity), 1)
			require.Equal(t, classify.Site(account.Identity), classify.Site(of.Identity))
		}
	})
}

func TestClassify_oneAccount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		why, canonical string
		texts          []string
	}{
		{"SS58 of Polkadot, Kusama and Astar", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", []string{"15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F"}},
		{"an X-address without a tag", "rppwLQ6LAascHbiS8TG9uu72o3S4dsSfKp", []string{"X7W1bb35cPBfGjU4Z6axcr3rH3ScK42C8cTGAAMR6JSJSdq"}},
		{"CashTokens", "bitcoincash:qq9nq4t6nlzwjr3ntp7693lvzym9hq99egut9wk68z", []string{"bitcoincash:zq9nq4t6nlzwjr3ntp7693lvzym9hq99egmpkscuc3", "zq9nq4t6nlzwjr3ntp7693lvzym9hq99egmpkscuc3"}},
		{"TEX of Zcash", "t1JtmLk7UuQqCtEuLit5H3iaW3ndTNGTjVH", []string{"tex1pvc9275lcn5suv6c0k3v0mq3xedcpfw290yvvc"}},
		{"Starknet without zeros", "0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7", []string{"0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7"}},
		{"TON in both forms", "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8", []string{"EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N", "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI"}},
	} {
		t.Run(test.why, func(t *testing.T) {
			t.Parallel()
			for _, text := range append(test.texts, test.canonical) {
				got, err := classify.Classify(text)
				require.NoError(t, err, text)
				require.Equal(t, address(test.canonical), got.Identity, text)
			}
		})
	}
}

// A refusal never advises a web link where a payment link is meant.
func TestReason_paymentLink(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"solana:7v91", "lightning:lnbc1", "nano:nano_1abc", "bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "ton://transfer/x", "foo:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
	} {
		_, err := classify.Classify(content)
		require.ErrorIs(t, err, classify.ErrInvalidFormat, content)
		require.NotContains(t, err.Error(), "use http", content)
		require.NotContains(t, err.Error(), "http://", content)
	}
}
