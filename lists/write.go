package lists

import (
	"bufio"
	"cmp"
	"io"
	"iter"
	"slices"

	"github.com/apguard/apguard/asset"
)

// Source yields assets, such as those of [asset.Service.All].
type Source func(filter asset.Filter) iter.Seq2[asset.Listed, error]

// WriteOptions are the optional settings of [Write]. The zero value is valid.
type WriteOptions struct {
	// Statuses are those that the list has, from [Statuses]. None means those of the empty name.
	Statuses []asset.Status
	// Serial is the serial number of an rpz zone and the version of a warninglist, which must grow with
	// each change of them.
	Serial uint32
}

// Statuses returns the statuses of a list by their name: "BLOCKED", "ALLOWED", or "any" for
// both. An empty name means BLOCKED, or ALLOWED for misp-warninglist. Assets that are UNKNOWN are
// never in a list.
//
// The error is an [*asset.InputError] if the format cannot be written or cannot have the
// statuses. Only csv and jsonl show the status of an asset, and may have any. A warninglist names
// what is harmless, so it is ALLOWED, and the other formats name what readers block.
func Statuses(format Format, name string) ([]asset.Status, error) {
	var (
		issues   asset.Issues
		statuses []asset.Status
	)
	only := asset.StatusBlocked
	if format == MISPWarninglist {
		only = asset.StatusAllowed
	}
	switch cmp.Or(name, string(only)) {
	case string(asset.StatusBlocked):
		statuses = []asset.Status{asset.StatusBlocked}
	case string(asset.StatusAllowed):
		statuses = []asset.Status{asset.StatusAllowed}
	case "any":
		statuses = []asset.Status{asset.StatusAllowed, asset.StatusBlocked}
	}
	issues.Check(slices.Contains(writable[:], format), "format", "must be "+names(writable[:]))
	switch format {
	case CSV, JSONLines:
		issues.Check(statuses != nil, "status", "must be BLOCKED, ALLOWED or any")
	default:
		issues.Check(len(statuses) == 1 && statuses[0] == only, "status", "must be "+string(only))
	}
	return statuses, issues.Err()
}

// Summary says what a list has and what it lacks.
type Summary struct {
	// Written is the number of assets in the list.
	Written int64
	// LeftOut has the numbers of assets that the format cannot represent, by reason.
	// Reasons without assets are omitted.
	LeftOut []LeftOut
}

// LeftOut is the number of assets that were left out of a list for one reason.
type LeftOut struct {
	Reason string
	Count  int64
}

// The reasons to leave an asset out, in the order of a [Summary].
const (
	noHost      = "has no host"
	hasPath     = "has a path or query"
	hasPort     = "has a port"
	isIP        = "is an IP address"
	noDomain    = "is not a domain name"
	specialUse  = "is a special-use name"
	isSuffix    = "is a public suffix, or above one"
	manyLabels  = "has too many labels to cover its subdomains"
	longForZone = "is too long for a zone"
	zoneTrigger = "is a trigger of a zone"
	duplicate   = "has a host that is in the list already"
	allowedURL  = "is an ALLOWED URL, not a page"
	platform    = "is an ALLOWED host of a platform"
	aboveBlock  = "is ALLOWED, but has or is above something BLOCKED"
)

var leftOutReasons = [...]string{
	noHost, hasPath, hasPort, isIP, noDomain, specialUse, isSuffix, manyLabels, longForZone, zoneTrigger, duplicate,
	allowedURL, platform, aboveBlock,
}

// Write writes the assets of a source as a list. Assets with the same statuses in the same
// order, and the same options, make the same bytes.
//
// The formats hosts, domains, rpz, adblock, eth-phishing-detect and misp-warninglist have hosts. A PAGE or URL
// of a bare host is a host, and so is an identifier of a platform with a host of its own. All
// other assets are left out. The lists say at their end how many and why: in comments, or in a
// member of the JSON document. A host with several assets appears once, and is BLOCKED if one of
// them is.
//
// Lists of hosts never say more than a check. Many of their readers take a host for all its
// subdomains. So they lack public suffixes, hosts above one, single labels and special-use names;
// rpz, adblock and eth-phishing-detect also lack hosts with more labels than [classify.Covering]
// covers. There are two exceptions: the host of a BLOCKED URL is in the list, although the check
// of a subdomain may not be BLOCKED, and readers of rpz and adblock block all subdomains of a
// host, even those that are ALLOWED. All readers block whole hosts, with every port and path, even
// those that are ALLOWED. If the host of a platform is BLOCKED that is not its main host, such as
// twitter.com, this includes the links to accounts, for which a check asks the main host.
//
// The format eth-phishing-detect has the BLOCKED hosts as blacklist and the ALLOWED ones as
// whitelist, and the whitelist wins for all subdomains of its hosts. So an ALLOWED host is left out
// if it belongs to a platform or if anything on it or below it is BLOCKED, and so is an ALLOWED
// URL, which allows less than its host. A reader then blocks them if a host above is BLOCKED.
//
// The format misp-warninglist is such a whitelist, of the type hostname and without IP addresses:
// MISP takes each host for all its subdomains, and what it matches for a false positive. Its
// description says what was left out.
//
// The format stix has an indicator for each BLOCKED asset, whose pattern is one comparison with a
// domain name, an IP address, a link, an e-mail address or a blockchain address. Only a PAGE with a
// port, path or query has two, for the links with https and http. An identifier of a platform is
// its link. A PAGE that is a bare host is left out as in the format domains. A bundle has no place
// for what was left out.
//
// For lists of hosts, Write reads the source more than once, and keeps about 40 bytes in memory for
// each BLOCKED URL of a bare host, and for a whitelist for each ALLOWED host. A status that changes
// meanwhile may be the old or the new one in each part of the list.
//
// The format csv is exact and for programs: a spreadsheet takes a content that begins with
// an equals sign or the like for a formula.
//
// The error is the one of the source or of w, or an [*asset.InputError] if the format cannot be
// written.
func Write(w io.Writer, format Format, source Source, opts WriteOptions) (Summary, error) {
	statuses, err := Statuses(format, "")
	if err != nil {
		return Summary{}, err
	}
	if len(opts.Statuses) == 0 {
		opts.Statuses = statuses
	}
	l := &writer{out: bufio.NewWriterSize(w, bufferSize), opts: opts, leftOut: make(map[string]int64), urls: make(map[hostKey]bool)}
	switch format {
	case CSV:
		err = l.writeCSV(source)
	case JSONLines:
		err = l.writeJSONLines(source)
	case PhishingDetect:
		err = l.writePhishingDetect(source)
	case STIX:
		err = l.writeSTIX(source)
	case MISPWarninglist:
		err = l.writeWarninglist(source)
	default:
		err = l.writeHosts(source, hostFormats(opts)[format])
	}
	if err != nil {
		return l.summary(), err
	}
	return l.summary(), l.out.Flush()
}

const bufferSize = 32 << 10

// writer writes a list.
type writer struct {
	out  *bufio.Writer
	opts WriteOptions
	// line is a buffer for a part of the list.
	line    []byte
	written int64
	leftOut map[string]int64
	// urls has the hosts of BLOCKED URLs, and whether they are in the list.
	urls map[hostKey]bool
}

// each writes the assets with the statuses. The function adds an asset to the line, or
// returns why it is left out.
func (l *writer) each(source Source, statuses []asset.Status, add func(line []byte, one asset.Listed) ([]byte, string)) error {
	return read(source, asset.Filter{}, statuses, func(one asset.Listed) error {
		line, reason := add(l.line[:0], one)
		l.line = line
		if reason != "" {
			l.leftOut[reason]++
			return nil
		}
		l.written++
		_, err := l.out.Write(line)
		return err
	})
}

// read calls do with the assets that have one of the statuses and match the filter.
func read(source Source, filter asset.Filter, statuses []asset.Status, do func(asset.Listed) error) error {
	if len(statuses) == 1 {
		filter.Status = statuses[0]
	}
	for one, err := range source(filter) {
		if err != nil {
			return err
		}
		if !slices.Contains(statuses, one.Status) {
			continue
		}
		if err := do(one); err != nil {
			return err
		}
	}
	return nil
}

func (l *writer) summary() Summary {
	s := Summary{Written: l.written}
	for _, reason := range leftOutReasons {
		if count := l.leftOut[reason]; count > 0 {
			s.LeftOut = append(s.LeftOut, LeftOut{reason, count})
		}
	}
	return s
}
