package classify

import "github.com/btcsuite/btcd/btcutil/bech32"

// segwit is the format of native SegWit addresses with the given human-readable part:
// bech32 for version 0, bech32m for versions 1 to 16. The shortest address has a
// version, a program of two bytes and a checksum, so it is as short as a handle.
func segwit(prefix string) format { return bech32Format(prefix, 1+4+6, isWitness) }

// isWitness reports whether the data is a valid witness version and program for the kind
// of checksum.
func isWitness(data []byte, checksum bech32.Version) bool {
	if len(data) == 0 {
		return false
	}
	program := fromBase32(data[1:])
	if data[0] == 0 {
		return checksum == bech32.Version0 && (len(program) == 20 || len(program) == 32)
	}
	return checksum == bech32.VersionM && data[0] <= 16 && 2 <= len(program) && len(program) <= 40
}
