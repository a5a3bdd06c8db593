package classifytest

import (
	"encoding/hex"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"pgregory.net/rapid"
)

// drawSecret draws a private key or seed in a common format, with or without an @.
func drawSecret(t *rapid.T) string {
	forms := []func(t *rapid.T) string{
		func(t *rapid.T) string { return hex.EncodeToString(drawBytes(t, 32)) },
		func(t *rapid.T) string { return base58.CheckEncode(drawBytes(t, 32), 0x80) },
		func(t *rapid.T) string { return base58.CheckEncode(append(drawBytes(t, 32), 1), 0xb0) },
		func(t *rapid.T) string { return base58.Encode(append([]byte{1}, drawBytes(t, 63)...)) },
		drawXRPSeed,
		strKey('S', 32),
		bech32Key("nsec", 32),
		bech32Key("age-secret-key-", 32),
		bech32Key("stake_shared_xsk", 96),
		bech32Key("secret-extended-key-main", 169),
	}
	return drawOne(t, "", "@") + rapid.SampledFrom(forms).Draw(t, "form")(t)
}

// drawXRPSeed draws a seed, mistyped or not. A mistyped seed contains a digit and
// letters of both cases, whatever else is drawn.
func drawXRPSeed(t *rapid.T) string {
	seed := inXRPDigits(base58.CheckEncode(drawBytes(t, 16), 0x21))
	if rapid.Bool().Draw(t, "as it is") {
		return seed
	}
	at := rapid.IntRange(1, len(seed)-4).Draw(t, "at")
	return seed[:at] + drawOne(t, "Ol0", "Il0", "O1l", "aB2") + seed[at+3:]
}

// bech32Key draws keys of a number of bytes, in lower or upper case.
func bech32Key(prefix string, size int) func(t *rapid.T) string {
	return func(t *rapid.T) string {
		key := must(bech32.Encode(prefix, inFives(drawBytes(t, size))))
		return drawOne(t, key, strings.ToUpper(key))
	}
}
