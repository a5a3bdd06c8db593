package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/testsize"
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
