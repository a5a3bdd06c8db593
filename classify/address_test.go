package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"

	"github.com/apguard/apguard/internal/test/testsize"
)

// networks holds every network, in order.
var networks = []classify.Network{
	classify.NetworkEVM, classify.NetworkMove, classify.NetworkBitcoin, classify.NetworkLitecoin,
	classify.NetworkDogecoin, classify.NetworkDash, classify.NetworkZcash, classify.NetworkBitcoinCash,
	classify.NetworkTron, classify.NetworkXRP, classify.NetworkStellar, classify.NetworkCardano,
	classify.NetworkCosmos, classify.NetworkSubstrate, classify.NetworkTON, classify.NetworkAlgorand,
	classify.NetworkTezos, classify.NetworkSolana,
}

func TestNetworks(t *testing.T) {
	t.Parallel()
	require.Equal(t, networks, classify.Networks())
}

// goldenAddresses returns the addresses of the golden table, each in the usual form.
func goldenAddresses(tb testing.TB) []goldenRow {
	tb.Helper()
	var addresses []goldenRow
	for name, rows := range goldenRows(tb) {
		for _, row := range rows {
			if name != "address-uri" && name != "address-form" && row.Type == asset.TypeAddress {
				addresses = append(addresses, row)
			}
		}
	}
	slices.SortFunc(addresses, func(a, b goldenRow) int { return strings.Compare(a.Content, b.Content) })
	return addresses
}

func TestGolden_networks(t *testing.T) {
	t.Parallel()
	accepted := map[classify.Network]map[string]bool{}
	sources := map[classify.Network]map[string]bool{}
	for _, row := range goldenAddresses(t) {
		require.Contains(t, networks, row.Network)
		if accepted[row.Network] == nil {
			accepted[row.Network], sources[row.Network] = map[string]bool{}, map[string]bool{}
		}
		if row.Source == "" {
			continue
		}
		accepted[row.Network][row.Canonical] = true
		project, _, _ := strings.Cut(row.Source, ",")
		sources[row.Network][project] = true
	}
	for _, network := range networks {
		require.GreaterOrEqual(t, len(accepted[network]), 20, "addresses of %s from a source", network)
		require.GreaterOrEqual(t, len(sources[network]), 2, "sources of addresses of %s", network)
	}
}

const (
	base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	bech32Digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// checkedDigits returns the digits of an address with a checksum, and "" for an address
// without one.
func checkedDigits(row goldenRow) string {
	switch row.Network {
	case classify.NetworkEVM, classify.NetworkMove, classify.NetworkSolana:
		return ""
	case classify.NetworkStellar, classify.NetworkAlgorand:
		return base32Digits
	case classify.NetworkTON:
		switch {
		case strings.Contains(row.Content, ":"):
			return ""
		case strings.ContainsAny(row.Content, "+/"):
			return base64Digits + "+/"
		}
		return base64Digits + "-_"
	default:
		switch {
		case !isCaseFree(row.Content, row.result()):
			return base58Digits
		case row.Content == strings.ToUpper(row.Content):
			return strings.ToUpper(bech32Digits)
		}
		return bech32Digits
	}
}

// otherDigits returns characters that are not among the digits, such as those that
// resemble a digit.
func otherDigits(digits string) string {
	switch digits {
	case base58Digits:
		return "0OIl"
	case base32Digits:
		return "0189"
	case bech32Digits:
		return "bio1"
	case strings.ToUpper(bech32Digits):
		return "BIO1"
	default: // base64
		return "=~"
	}
}

// A checksum of 30 bits or more misses a change with a probability of one in a thousand
// million. Those of Stellar and TON are shorter, but detect every such change. The
// checksum of SS58 is a short hash, so the changed address may be valid, but not equal.
func TestClassify_changedAddress(t *testing.T) {
	t.Parallel()
	rows := slices.DeleteFunc(goldenAddresses(t), func(row goldenRow) bool { return checkedDigits(row) == "" })
	require.NotEmpty(t, rows)
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.SampledFrom(rows).Draw(t, "address")
		at := rapid.IntRange(0, len(row.Content)-1).Draw(t, "at")
		digits := strings.ReplaceAll(checkedDigits(row), row.Content[at:at+1], "")
		digit := rapid.SampledFrom([]byte(digits)).Draw(t, "digit")
		changed := row.Content[:at] + string(digit) + row.Content[at+1:]

		got, err := classify.Classify(changed)
		switch {
		case err != nil:
		case row.Network == classify.NetworkSubstrate:
			require.NotEqual(t, row.result().Identity, got.Identity, "%q", changed)
		default:
			require.NotEqual(t, row.Network, got.Network, "%q", changed)
		}
	})
}

// A damaged address is not accepted as anything else if enough of it remains.
func TestClassify_damagedAddress(t *testing.T) {
	t.Parallel()
	for _, row := range goldenAddresses(t) {
		digits := checkedDigits(row)
		if digits == "" || len(row.Content) <= 30 {
			continue
		}
		for at := 0; at < len(row.Content); at += testsize.Of(16, 3, 1) {
			changes := otherDigits(digits)
			if row.Network != classify.NetworkSubstrate {
				next := (strings.IndexByte(digits, row.Content[at]) + 1) % len(digits)
				changes += digits[next : next+1]
			}
			for _, digit := range changes {
				changed := row.Content[:at] + string(digit) + row.Content[at+1:]
				if changed == row.Content {
					continue
				}
				_, err := classify.Classify(changed)
				require.ErrorIs(t, err, classify.ErrInvalidFormat, "%q from %q", changed, row.Content)
			}
		}
	}
}

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
