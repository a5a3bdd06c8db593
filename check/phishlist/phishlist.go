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
//   - Tolerance 0 turns fuzzy matching off. A list without a tolerance has
//     [DefaultTolerance].
//
// A [List] is immutable. A [File] reloads its list when the file changes. Both
// implement [check.ExternalList].
package phishlist
