package classifytest

import (
	"bytes"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Damage is a damaged content.
type Damage struct {
	// Content is the content of an asset with one defect, or a secret key.
	Content string
	// Of is the asset before the damage, or the one that a secret key replaces.
	Of classify.Result
	// Reason is why the content is refused. If it is empty, the content may be another
	// asset, but never Of.
	Reason classify.Reason
}

// Damaged draws contents of every type with one defect, and secret keys in place of
// addresses and handles. [classify.Classify] refuses them or finds another asset.
func Damaged() *rapid.Generator[Damage] {
	valid := rapid.OneOf(Content(), Address()) // addresses have the most defects
	return rapid.Custom(func(t *rapid.T) Damage {
		of := valid.Draw(t, "valid").Result
		damages := ownDamages(t, of)
		if drawChance(t, "as any content") {
			damages = anyDamages(of.Canonical)
		}
		drawn := rapid.SampledFrom(damages).Draw(t, "damage")
		return Damage{Content: drawn.content, Of: of, Reason: drawn.reason}
	})
}

// ownDamages returns the damages that only contents of this type can have.
func ownDamages(t *rapid.T, of classify.Result) []damage {
	secret := damage{drawSecret(t), classify.ReasonSecret}
	switch of.Type {
	case asset.TypeURL:
		return urlDamages(of.Canonical)
	case asset.TypePage:
		return pageDamages(of.Canonical)
	case asset.TypeEmail:
		return emailDamages(of.Canonical)
	case asset.TypeAddress:
		return append(addressDamages(t, of), secret)
	default:
		return append(identifierDamages(of), secret)
	}
}

type damage struct {
	content string
	reason  classify.Reason
}

// anyDamages returns the damages that contents of every type can have.
func anyDamages(text string) []damage {
	first, rest := text[:1], text[1:]
	var damages []damage
	for _, r := range []string{"\x00", "\t", "\n", " ", "\x7f", "\u0085", "\u00a0", "\u2028", "\u200e", "\u202e", "\u2067", "\ufeff"} {
		damages = append(damages, damage{first + r + rest, classify.ReasonForbiddenCharacter})
	}
	return append(damages,
		damage{first + "\xff" + rest, classify.ReasonEncoding},
		damage{text + "\xc3", classify.ReasonEncoding},
		damage{first + "\xed\xa0\x80" + rest, classify.ReasonEncoding},
		damage{text + strings.Repeat("a", classify.MaxContent), classify.ReasonTooLong},
		damage{strings.Repeat(" ", len(text)), classify.ReasonEmpty},
	)
}

func urlDamages(canonical string) []damage {
	scheme, rest, _ := strings.Cut(canonical, "://")
	host, port, tail := cutLink(rest)
	other := map[string]string{"http": "https", "https": "http"}[scheme]
	return []damage{
		{"ftp://" + rest, classify.ReasonUnknownScheme},
		{"hxxps://" + rest, classify.ReasonDefanged},
		{"hXXp://" + rest, classify.ReasonDefanged},
		{"hxxp[:]//" + rest, classify.ReasonDefanged},
		{"https[://]" + rest, classify.ReasonDefanged},
		{scheme + "://evil[.]example" + port + tail, classify.ReasonDefanged},
		{"x-" + canonical, classify.ReasonUnknownScheme},
		{scheme + ":" + rest, classify.ReasonMissingSlashes},
		{scheme + "://", classify.ReasonInvalidHost},
		{scheme + "://:80" + tail, classify.ReasonInvalidHost},
		{scheme + "://a<b>." + rest, classify.ReasonInvalidHost},
		{scheme + "://a%20b." + rest, classify.ReasonInvalidHost},
		{scheme + "://a^b." + rest, classify.ReasonInvalidHost},
		{scheme + "://a|b." + rest, classify.ReasonInvalidHost},
		{scheme + "://" + host + ".." + port + tail, classify.ReasonInvalidHost},
		{scheme + "://[" + host + port + tail, classify.ReasonInvalidHost},
		{scheme + "://[::1" + tail, classify.ReasonInvalidHost},
		{scheme + "://256.256.256.256" + tail, classify.ReasonInvalidHost},
		{scheme + "://xn--a.\u00fc" + tail, classify.ReasonInvalidHost},
		{scheme + "://" + host + ":65536" + tail, classify.ReasonInvalidPort},
		{scheme + "://" + host + ":a" + tail, classify.ReasonInvalidPort},
		{scheme + "://" + host + ":-1" + tail, classify.ReasonInvalidPort},
		{scheme + "://" + host + ":80:80" + tail, classify.ReasonInvalidPort},
		{other + "://" + rest, ""},
		{scheme + "://www1.example.com" + port + tail, ""},
		{scheme + "://" + host + ":9" + tail, ""},
		{scheme + "://" + host + port + "/0" + tail, ""},
		{rest, ""},
	}
}

func pageDamages(canonical string) []damage {
	host, port, tail := cutLink(canonical)
	end := port + tail
	damages := []damage{
		{"shop.notatld" + end, classify.ReasonUnknownSuffix},
		{"shop1.test" + end, classify.ReasonUnknownSuffix},
		{"shop[.]com" + end, classify.ReasonDefanged},
		{"shop(.)com" + end, classify.ReasonDefanged},
		{"shop[DOT]com" + end, classify.ReasonDefanged},
		{"shop(dot)com" + end, classify.ReasonDefanged},
		{"hxxps:" + "shop.com" + end, classify.ReasonDefanged},
		{"co.uk" + end, classify.ReasonBareSuffix},
		{"a..example.com" + end, classify.ReasonInvalidHost},
		{".example.com" + end, classify.ReasonInvalidHost},
		{"a+b.example.com" + end, classify.ReasonInvalidHost},
		{"a%2fb.example.com" + end, classify.ReasonInvalidHost},
		{strings.Repeat("a", 64) + ".com" + end, classify.ReasonInvalidHost},
		{strings.Repeat("a.", 126) + "com" + end, classify.ReasonInvalidHost},
		{"1.2.3" + end, classify.ReasonInvalidHost},
		{"1.2.3.256" + end, classify.ReasonInvalidHost},
		{"0x7f.0.0.1" + end, classify.ReasonInvalidHost},
		{"[::1" + tail, classify.ReasonInvalidHost},
		{host + ":65536" + tail, classify.ReasonInvalidPort},
		{host + ":http" + tail, classify.ReasonInvalidPort},
		{"my_user:secret@" + canonical, classify.ReasonUserInfo},
		{`\` + canonical, classify.ReasonUnrecognized},
		{`\\` + canonical, classify.ReasonUnrecognized},
		{"ftp://" + canonical, classify.ReasonUnknownScheme},
		{"https://" + canonical, ""},
		{host + ":9" + tail, ""},
		{host + port + "/0" + tail, ""},
	}
	if host[0] != '[' {
		damages = append(damages, damage{"www1." + canonical, ""})
	}
	return damages
}

func emailDamages(canonical string) []damage {
	local, domain, _ := strings.Cut(canonical, "@")
	return []damage{
		{local + "@" + domain + "t", ""},
		{local + "@shop.notatld", classify.ReasonUnknownSuffix},
		{local + "@co.uk", classify.ReasonBareSuffix},
		{local + "@a_b." + domain, classify.ReasonInvalidHost},
		{local + "@a.." + domain, classify.ReasonInvalidHost},
		{local + "@1.2.3.4", classify.ReasonUnknownSuffix},
		{"bob@shop[.]com", classify.ReasonDefanged},
		{"bob[at]" + domain, classify.ReasonDefanged},
		{"x" + canonical, ""},
		{"." + canonical, ""},
		{local + ".@" + domain, ""},
		{local + "..x@" + domain, ""},
		{local + "@x@" + domain, ""},
		{strings.Repeat("a", 65) + "@" + domain, ""},
		{"Bob<" + canonical + ">", ""},
		{`"` + local + `"@` + domain, ""},
		{"mailto:" + canonical, ""},
		{domain, ""},
	}
}

// identifierDamages returns damages of handles and links to platforms.
func identifierDamages(of classify.Result) []damage {
	host, path, _ := strings.Cut(of.Canonical, "/")
	damages := []damage{
		{of.Canonical + "/" + strings.Repeat("a", 101), ""},
		{of.Canonical + "/a/b/c", ""},
		{host + "//" + path, ""},
		{host + ":8443/" + path, ""},
		{"https://" + host + ":8443/" + path, ""},
		{"www1." + of.Canonical, ""},
		{"ftp://" + of.Canonical, classify.ReasonUnknownScheme},
		{"https:" + of.Canonical, classify.ReasonMissingSlashes},
		{`\` + of.Canonical, classify.ReasonUnrecognized},
		{"my_user:secret@" + of.Canonical, classify.ReasonUserInfo},
		{"@home", classify.ReasonReservedWord},
		{"@Settings", classify.ReasonReservedWord},
		{"@" + strings.Repeat("a", 31), classify.ReasonInvalidHandle},
		{"@a-b", classify.ReasonInvalidHandle},
		{"@a..b", classify.ReasonInvalidHandle},
		{"@@a", classify.ReasonInvalidHandle},
		{"@", classify.ReasonInvalidHandle},
		{"123456789", classify.ReasonUnrecognized},
		{"Localhost", classify.ReasonReservedDomain},
		{"com", classify.ReasonReservedDomain},
		{"+15550100", classify.ReasonTelephone},
		{"+1 (555) 010-0100", classify.ReasonTelephone},
	}
	if isCaseKept(of) && strings.ToLower(of.Canonical) != of.Canonical {
		damages = append(damages, damage{strings.ToLower(of.Canonical), ""})
	}
	return damages
}

// addressDamages returns damages of addresses. Without a checksum, these are other
// addresses.
func addressDamages(t *rapid.T, of classify.Result) []damage {
	text := of.Canonical
	// changed returns the text with one digit of a range changed.
	changed := func(from, to int, alphabet string) string {
		return swapped(text, rapid.IntRange(from, to-1).Draw(t, "at"), alphabet)
	}
	cut := text[:rapid.IntRange(1, len(text)-1).Draw(t, "length")]
	switch {
	case isHex(of):
		const leadingZeros = 4 // that a Move address may lack
		return []damage{
			{text + "0", classify.ReasonHexLength},
			{text[:len(text)-1-leadingZeros], classify.ReasonHexLength},
			{changed(len("0x"), len(text), digits+"abcdef"), ""},
			{text[len("0x"):], ""},
		}
	case isBech32(of):
		from := strings.LastIndexAny(text, "1:") + 1
		return []damage{
			{changed(from, len(text), bech32Digits), classify.ReasonChecksum},
			{strings.ToUpper(text[:1]) + text[1:], classify.ReasonInvalidAddress},
			{cut, ""},
		}
	}
	switch of.Network {
	case classify.NetworkTON:
		return []damage{{changed(strings.Index(text, ":")+1, len(text), digits+"abcdef"), ""}, {cut, ""}}
	case classify.NetworkSolana, classify.NetworkSubstrate, classify.NetworkCardano:
		return []damage{{changed(0, len(text), base58Digits), ""}, {cut, ""}}
	case classify.NetworkStellar, classify.NetworkAlgorand:
		// The first two digits hold the version, the last one may hold less than five bits.
		return []damage{
			{changed(2, len(text)-1, base32Digits), classify.ReasonChecksum},
			{strings.ToLower(text), ""},
			{cut, ""},
		}
	default:
		return []damage{base58Damage(of, changed(0, len(text), base58Digits)), {strings.ToLower(text), ""}, {cut, ""}}
	}
}

// base58Damage returns the damage of a base58 address with one digit changed. With an
// unchanged length and version, its checksum is certainly wrong.
func base58Damage(of classify.Result, changed string) damage {
	decode := base58.Decode
	if of.Network == classify.NetworkXRP {
		decode = func(text string) []byte { return base58.Decode(replaceDigits(text, xrpDigits, base58Digits)) }
	}
	const hashAndChecksum = 20 + 4
	before, after := decode(of.Canonical), decode(changed)
	version := before[:len(before)-hashAndChecksum]
	if len(before) == len(after) && bytes.HasPrefix(after, version) {
		return damage{changed, classify.ReasonChecksum}
	}
	return damage{changed, ""}
}

// swapped replaces the digit at an index with another digit of the alphabet.
func swapped(text string, at int, alphabet string) string {
	next := (strings.IndexByte(alphabet, text[at]) + 1) % len(alphabet)
	return text[:at] + alphabet[next:next+1] + text[at+1:]
}
