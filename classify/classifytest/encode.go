package classifytest

import (
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"golang.org/x/crypto/blake2b"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

const (
	base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	xrpDigits    = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
	bech32Digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// bitcoinCash holds the examples of the CashAddr specification.
var bitcoinCash = []string{
	"bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
	"bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy",
	"bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r",
	"bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq",
	"bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e",
	"bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37",
}

// withTokens holds the same addresses as wallets with CashTokens write them, by libauth.
var withTokens = map[string]string{
	"bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a": "bitcoincash:zpm2qsznhks23z7629mms6s4cwef74vcwvrqekrq9w",
	"bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy": "bitcoincash:zr95sy3j9xwd2ap32xkykttr4cvcu7as4yg2l8d0rh",
	"bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r": "bitcoincash:zqq3728yw0y47sqn6l2na30mcw6zm78dzqynk3ta4s",
	"bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq": "bitcoincash:rpm2qsznhks23z7629mms6s4cwef74vcwv59yeyr7n",
	"bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e": "bitcoincash:rr95sy3j9xwd2ap32xkykttr4cvcu7as4yl0zg2vc2",
	"bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37": "bitcoincash:rqq3728yw0y47sqn6l2na30mcw6zm78dzqnkt7v7wd",
}

// byron holds the Byron address of CIP-19.
var byron = []string{
	"Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi",
}

func published(addresses ...string) func(t *rapid.T) string {
	return func(t *rapid.T) string { return drawOne(t, addresses...) }
}

func hexOf(size int) func(t *rapid.T) string {
	return func(t *rapid.T) string { return "0x" + hex.EncodeToString(drawBytes(t, size)) }
}

// base58Check draws addresses of a version and 20 bytes.
func base58Check(version string) func(t *rapid.T) string {
	return func(t *rapid.T) string {
		return base58.CheckEncode(append([]byte(version[1:]), drawBytes(t, 20)...), version[0])
	}
}

// drawXRP draws a classic address.
func drawXRP(t *rapid.T) string { return inXRPDigits(base58Check("\x00")(t)) }

// inXRPDigits converts base58 to the XRP Ledger's alphabet.
func inXRPDigits(text string) string { return replaceDigits(text, base58Digits, xrpDigits) }

// replaceDigits replaces each digit of one alphabet with the digit at the same index of
// the other.
func replaceDigits(text, from, to string) string {
	return strings.Map(func(digit rune) rune { return rune(to[strings.IndexRune(from, digit)]) }, text)
}

// drawSolana draws a public key with a fixed start, so that the address has letters of
// both cases.
func drawSolana(t *rapid.T) string {
	return base58.Encode(append([]byte("apguard test key"), drawBytes(t, 16)...))
}

// segwit draws addresses of BIP 173 and BIP 350.
func segwit(prefix string) func(t *rapid.T) string {
	return func(t *rapid.T) string {
		version := rapid.ByteRange(0, 16).Draw(t, "version")
		if version == 0 {
			size := rapid.SampledFrom([]int{20, 32}).Draw(t, "size")
			return must(bech32.Encode(prefix, append([]byte{version}, inFives(drawBytes(t, size))...)))
		}
		size := rapid.IntRange(2, 40).Draw(t, "size")
		return must(bech32.EncodeM(prefix, append([]byte{version}, inFives(drawBytes(t, size))...)))
	}
}

// bech32Of draws addresses of a head and a number of bytes.
func bech32Of(prefix, head string, size int) func(t *rapid.T) string {
	return func(t *rapid.T) string {
		return must(bech32.Encode(prefix, inFives(append([]byte(head), drawBytes(t, size)...))))
	}
}

// inFives returns the data in groups of five bits.
func inFives(data []byte) []byte { return must(bech32.ConvertBits(data, 8, 5, true)) }

var base32Encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// strKey draws addresses of Stellar (SEP-23). The version is given by the first letter.
func strKey(letter byte, size int) func(t *rapid.T) string {
	return func(t *rapid.T) string {
		data := append([]byte{(letter - 'A') << 3}, drawBytes(t, size)...)
		return base32Encoding.EncodeToString(binary.LittleEndian.AppendUint16(data, crc16(data)))
	}
}

func drawAlgorand(t *rapid.T) string {
	key := drawBytes(t, 32)
	sum := sha512.Sum512_256(key)
	return base32Encoding.EncodeToString(append(key, sum[28:]...))
}

// drawSS58 draws an account with the generic prefix.
func drawSS58(t *rapid.T) string { return ss58([]byte{42}, drawBytes(t, 32)) }

// ss58 returns an account with the prefix of a Substrate network.
func ss58(prefix, account []byte) string {
	data := slices.Concat(prefix, account)
	sum := blake2b.Sum512(append([]byte("SS58PRE"), data...))
	return base58.Encode(append(data, sum[:2]...))
}

func drawTON(t *rapid.T) string {
	return drawOne(t, "0:", "-1:") + hex.EncodeToString(drawBytes(t, 32))
}

// friendlyTON draws the user-friendly format of a raw address.
func friendlyTON(t *rapid.T, raw string) string {
	workchain, hash, _ := strings.Cut(raw, ":")
	data := []byte{rapid.SampledFrom([]byte{0x11, 0x51}).Draw(t, "tag"), 0}
	if workchain == "-1" {
		data[1] = 0xff
	}
	data = append(data, must(hex.DecodeString(hash))...)
	data = binary.BigEndian.AppendUint16(data, crc16(data))
	return drawOne(t, base64.URLEncoding.EncodeToString(data), base64.StdEncoding.EncodeToString(data))
}

// crc16 returns the CRC-16/XMODEM of the data.
func crc16(data []byte) uint16 {
	var crc uint16
	for _, b := range data {
		crc ^= uint16(b) << 8
		for range 8 {
			carry := crc&0x8000 != 0
			crc <<= 1
			if carry {
				crc ^= 0x1021
			}
		}
	}
	return crc
}

// must returns the value and panics on an error. The encoders do not fail on drawn data.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func isHex(of classify.Result) bool {
	return of.Network == classify.NetworkEVM || of.Network == classify.NetworkMove
}

// isBech32 reports whether the address may also be in upper case.
func isBech32(of classify.Result) bool {
	var prefixes []string
	switch of.Network {
	case classify.NetworkBitcoin:
		prefixes = []string{"bc1"}
	case classify.NetworkLitecoin:
		prefixes = []string{"ltc1"}
	case classify.NetworkCardano:
		prefixes = []string{"addr1", "stake1"}
	case classify.NetworkCosmos, classify.NetworkBitcoinCash:
		prefixes = []string{""}
	default:
		return false
	}
	for _, prefix := range prefixes {
		if strings.HasPrefix(of.Canonical, prefix) {
			return true
		}
	}
	return false
}
