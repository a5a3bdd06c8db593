// Package phishlist reads eth-phishing-detect lists and reports whether they block a
// host.
//
// [Load] reads both published formats. [List.Check] follows the rules of the original
// detector:
//
//   - An entry covers its own host and all subdomains. It matches whole labels:
//     example.com covers login.example.com, but not anexample.com.
//   - Allowlists come first. A host that any allowlist in the file covers is not
//     blocked.
//   - Then the lists are checked in file order. Each one blocks the hosts that its
//     blocklist covers, and then the hosts that resemble one of its fuzzy targets.
//   - A host resembles a target if the Levenshtein distance between their names is at
//     most the list's tolerance. A name is a host without its last label. The name of
//     the checked host also loses its first "www.". The distance counts UTF-16 code
//     units.
//   - If several entries cover a host, or several targets resemble it, the first one
//     in the file is the match.
//   - A blocklist entry that is an IPFS content identifier (CID) blocks every link that
//     names it, on any host, whatever the allowlists say. [List.Status] looks for it in the
//     whole link. In an allowlist, a CID has no effect. Unlike in the original, a CID must be
//     a whole word of the link, and any of its first four counts, not only the first one.
//   - Unlike the original, a blocklist entry that is a public suffix of the ICANN section,
//     such as com, has no effect.
//   - Tolerance 0 turns fuzzy matching off. A list without a tolerance has
//     [DefaultTolerance].
//
// A [List] is immutable. A [File] reloads its list when the file changes. Both
// implement [check.ExternalList].
package phishlist

const (
	// MaxBytes is the greatest file size.
	MaxBytes = 256 << 20
	// MaxTolerance is the greatest tolerance of a list. With a greater one, most hosts
	// would resemble a target.
	MaxTolerance = 16
	// MaxTargets is the maximum number of fuzzy targets in a file, in all its lists
	// together. A check may compare the host with each of them.
	MaxTargets = 10_000
	// DefaultTolerance is the tolerance of a list that has none of its own.
	DefaultTolerance = 3
)

// Options configures a [List] or a [File]. The zero value is ready to use.
type Options struct {
	// Name is the name of the list that users see, such as in notes on disputes. If
	// empty, it is "eth-phishing-detect".
	Name string
	// MaxBytes is the maximum file size. Values below 1 and above the constant
	// of the same name mean that constant.
	MaxBytes int64
}

func (o Options) withDefaults() Options {
	if o.Name == "" {
		o.Name = "eth-phishing-detect"
	}
	if o.MaxBytes <= 0 || o.MaxBytes > MaxBytes {
		o.MaxBytes = MaxBytes
	}
	return o
}
