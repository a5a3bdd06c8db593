// Package lists reads and writes lists of assets in the formats that other programs use.
//
// [Read] yields the entries of a list with their line numbers, and says why it refuses
// one. [Import] sets the statuses of the entries, or plans it in a dry run. [Write] writes
// the assets of a service.
//
// A [Service] keeps a [List] in sync with a file: the list holds a status on each entry of its last file, and
// withdraws it when the entry is gone. Import decides for the operators instead, whose decision stays.
//
// Both directions are streams with bounded memory. Nothing in a list stops the rest of it
// from being read, unless it is a single JSON document that is malformed.
//
// The formats are:
//
//	lines                one asset on each line, # begins a comment          read
//	domains              one host on each line, # begins a comment           read and write
//	hosts                a hosts file                                        read and write
//	adblock              a filter list for ad blockers                       read and write
//	rpz                  a response policy zone for DNS resolvers            read and write
//	csv                  with a header that names the column of contents     read and write
//	jsonl                one JSON object with a content on each line         read and write
//	eth-phishing-detect  config.json of eth-phishing-detect                  read and write
//	stix                 a bundle of STIX 2.1 with indicators                write
//	misp-warninglist     a warninglist of MISP                               write
package lists

import (
	"slices"
	"strings"
)

// Format is the name of a format.
type Format string

// The formats.
const (
	Lines           Format = "lines"
	Hosts           Format = "hosts"
	CSV             Format = "csv"
	JSONLines       Format = "jsonl"
	PhishingDetect  Format = "eth-phishing-detect"
	Domains         Format = "domains"
	RPZ             Format = "rpz"
	AdBlock         Format = "adblock"
	STIX            Format = "stix"
	MISPWarninglist Format = "misp-warninglist"
)

var (
	readable = [...]Format{Lines, Domains, Hosts, AdBlock, RPZ, CSV, JSONLines, PhishingDetect}
	writable = [...]Format{PhishingDetect, Domains, Hosts, RPZ, AdBlock, CSV, JSONLines, STIX, MISPWarninglist}
)

// Readable returns the formats that [Read] reads, in a new slice.
func Readable() []Format { return slices.Clone(readable[:]) }

// Writable returns the formats that [Write] writes, in a new slice.
func Writable() []Format { return slices.Clone(writable[:]) }

// names returns the names of formats for a message.
func names(formats []Format) string {
	texts := make([]string, len(formats))
	for i, format := range formats {
		texts[i] = string(format)
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}
