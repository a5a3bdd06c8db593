package main

import (
	"errors"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"

	"github.com/apguard/apguard/internal/unicode17"
	"github.com/apguard/apguard/internal/unicode17/layout"
)

// checkVersions returns an error if the tables of this version of Go are of another version of Unicode.
func checkVersions() error {
	for name, version := range map[string]string{
		"unicode": unicode.Version, "golang.org/x/text/unicode/norm": norm.Version, "golang.org/x/text/unicode/bidi": bidi.UnicodeVersion,
		"golang.org/x/net/idna": idna.UnicodeVersion,
	} {
		if version != unicode17.Version {
			return fmt.Errorf("%s has Unicode %s, want %s: use Go 1.27", name, version, unicode17.Version)
		}
	}
	return nil
}

// eachRune calls do for each code point that is not a surrogate.
func eachRune(do func(r rune)) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) {
			do(r)
		}
	}
}

// properties returns a record for each range of equal properties.
func properties(joinsRight map[rune]bool) []byte {
	var records []byte
	before := -1
	eachRune(func(r rune) {
		class := norm.NFC.PropertiesString(string(r)).CCC()
		p := layout.Properties(categoryOf(r), bidiOf(r), joiningOf(r, class, joinsRight), int(class))
		if p != before {
			records = appendUint24(appendUint24(records, int(r)), p)
			before = p
		}
	})
	return records
}

func categoryOf(r rune) layout.Category {
	switch {
	case unicode.Is(unicode.L, r):
		return layout.Letter
	case unicode.Is(unicode.M, r):
		return layout.Mark
	case unicode.Is(unicode.N, r):
		return layout.Number
	}
	return layout.Other
}

func bidiOf(r rune) layout.Bidi {
	properties, _ := bidi.LookupString(string(r))
	switch properties.Class() {
	case bidi.L:
		return layout.BidiL
	case bidi.R:
		return layout.BidiR
	case bidi.AL:
		return layout.BidiAL
	case bidi.AN:
		return layout.BidiAN
	case bidi.EN:
		return layout.BidiEN
	case bidi.ES:
		return layout.BidiES
	case bidi.CS:
		return layout.BidiCS
	case bidi.ET:
		return layout.BidiET
	case bidi.ON:
		return layout.BidiON
	case bidi.BN:
		return layout.BidiBN
	case bidi.NSM:
		return layout.BidiNSM
	default:
		return layout.BidiNone
	}
}

// joiners accepts the non-joiner only between letters that join.
var joiners = idna.New(idna.CheckJoiners(true), idna.StrictDomainName(false))

// joiningOf finds the joining type of a character. Package idna does not export it, but applies it.
// It takes any letter after a non-joiner, so the letters that join the one before are an argument.
func joiningOf(r rune, class uint8, joinsRight map[rune]bool) layout.Joining {
	const dual, nonJoiner, virama = "\u0628", "\u200c", 9
	valid := func(label string) bool {
		_, err := joiners.ToASCII(label)
		return err == nil
	}
	c := string(r)
	switch {
	case r < utf8.RuneSelf:
		return layout.JoinsNone
	case class == virama:
		return layout.JoinsTransparent
	case valid(c+nonJoiner+dual) && valid(dual+nonJoiner+c):
		return layout.JoinsDual
	case valid(c + nonJoiner + dual):
		return layout.JoinsLeft
	case valid(dual + c + nonJoiner + dual):
		return layout.JoinsTransparent
	case joinsRight[r]:
		return layout.JoinsRight
	}
	return layout.JoinsNone
}

// readJoinsRight reads the characters that only join the one before.
func readJoinsRight(path string) (map[rune]bool, error) {
	var file struct {
		Rows []struct {
			Range []string
			Type  string
		} `json:"DerivedJoiningType"`
	}
	if err := readJSON(path, &file); err != nil {
		return nil, err
	}
	found := make(map[rune]bool)
	for _, row := range file.Rows {
		if row.Type != "R" || len(row.Range) == 0 {
			continue
		}
		first, err := strconv.ParseInt(row.Range[0], 16, 32)
		if err != nil {
			return nil, err
		}
		last, err := strconv.ParseInt(row.Range[len(row.Range)-1], 16, 32)
		if err != nil {
			return nil, err
		}
		for r := first; r <= last; r++ {
			found[rune(r)] = true //nolint:gosec // ParseInt returned 32 bits
		}
	}
	if len(found) == 0 {
		return nil, errors.New("no joining type R")
	}
	return found, nil
}

// decompositions returns the records of the characters with a canonical decomposition, and the
// full decompositions. Those of Hangul syllables are computed.
func decompositions() (records, texts []byte) {
	eachRune(func(r rune) {
		text := norm.NFD.String(string(r))
		if text == string(r) || unicode.Is(unicode.Hangul, r) {
			return
		}
		records = appendUint24(appendUint24(records, int(r)), layout.Text(len(texts), len(text)))
		texts = append(texts, text...)
	})
	return records, texts
}

// compositions returns the records of the pairs that are composed, in their order.
func compositions() []byte {
	pairs := make(map[int]int)
	eachRune(func(r rune) {
		text := norm.NFD.String(string(r))
		if text == string(r) || norm.NFC.String(text) != string(r) || unicode.Is(unicode.Hangul, r) {
			return
		}
		_, size := utf8.DecodeLastRuneInString(text)
		first, _ := utf8.DecodeRuneInString(norm.NFC.String(text[:len(text)-size]))
		second, _ := utf8.DecodeLastRuneInString(text)
		pairs[int(first)<<24|int(second)] = int(r)
	})
	var records []byte
	for _, pair := range sorted(pairs) {
		records = appendUint24(appendUint24(appendUint24(records, pair>>24), pair&0xffffff), pairs[pair])
	}
	return records
}

// lower returns the records of the characters outside ASCII with a simple lower case.
func lower() []byte {
	var records []byte
	eachRune(func(r rune) {
		if lower := unicode.ToLower(r); lower != r && r >= utf8.RuneSelf {
			records = appendUint24(appendUint24(records, int(r)), int(lower))
		}
	})
	return records
}
