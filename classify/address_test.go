package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// networks holds the closed set.
var networks = []classify.Network{
	classify.NetworkEVM, classify.NetworkMove, classify.NetworkBitcoin, classify.NetworkLitecoin,
	classify.NetworkDogecoin, classify.NetworkDash, classify.NetworkZcash, classify.NetworkBitcoinCash,
	classify.NetworkTron, classify.NetworkXRP, classify.NetworkStellar, classify.NetworkCardano,
	classify.NetworkCosmos, classify.NetworkSubstrate, classify.NetworkTON, classify.NetworkAlgorand,
	classify.NetworkTezos, classify.NetworkSolana,
}

func TestNetworksReturnsEveryNetwork(t *testing.T) {
	t.Parallel()
	require.Equal(t, networks, classify.Networks())
}

// goldenAddresses returns the rows of the golden table that are addresses.
func goldenAddresses(tb testing.TB) []goldenRow {
	tb.Helper()
	var addresses []goldenRow
	for _, rows := range goldenRows(tb) {
		for _, row := range rows {
			if row.Type == asset.TypeAddress {
				addresses = append(addresses, row)
			}
		}
	}
	slices.SortFunc(addresses, func(a, b goldenRow) int { return strings.Compare(a.Content, b.Content) })
	return addresses
}

func TestGoldenTableHasEnoughOfEveryNetwork(t *testing.T) {
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

// checkedDigits returns the characters that an address with a checksum is written
// in, and "" for an address without one.
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

// otherDigits returns characters that are not among the given ones, such as those
// that were left out because they read like others.
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

// The checksums of 30 bits and more leave a chance of one in a thousand million
// that a changed character goes unseen. Those of Stellar and TON are shorter, but
// made so as to see every such change. SS58's is short and a hash, so that the
// address may be another one, but never the same.
func TestOneChangedCharacterIsSeen(t *testing.T) {
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

// A damaged address is no handle, page or anything else, unless so much of it is
// gone that nobody could tell.
func TestOneChangedCharacterIsRefused(t *testing.T) {
	t.Parallel()
	for _, row := range goldenAddresses(t) {
		digits := checkedDigits(row)
		if digits == "" || len(row.Content) <= 30 {
			continue
		}
		for at := range row.Content {
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
				require.ErrorIs(t, err, classify.ErrRefused, "%q from %q", changed, row.Content)
			}
		}
	}
}
