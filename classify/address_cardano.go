package classify

import "github.com/btcsuite/btcd/btcutil/bech32"

const (
	// shelleyMainNet is the network ID in the lower half of an address's first byte. The
	// upper half is the type (CIP-19).
	shelleyMainNet = 1
	// shelleyHash is the size of the hash of a key or script.
	shelleyHash = 28
)

// isShelleyPayment reports whether the data is a Shelley payment address (CIP-19): a
// payment part alone, with a stake part, or with a pointer to one.
func isShelleyPayment(data []byte, checksum bech32.Version) bool {
	address := fromBase32(data)
	if checksum != bech32.Version0 || len(address) < 1+shelleyHash || address[0]&0x0f != shelleyMainNet {
		return false
	}
	switch stake := address[1+shelleyHash:]; address[0] >> 4 {
	case 0, 1, 2, 3:
		return len(stake) == shelleyHash
	case 4, 5:
		return isChainPointer(stake)
	case 6, 7:
		return len(stake) == 0
	}
	return false
}

// isShelleyStake reports whether the data is a Shelley stake address.
func isShelleyStake(data []byte, checksum bech32.Version) bool {
	address := fromBase32(data)
	if checksum != bech32.Version0 || len(address) != 1+shelleyHash || address[0]&0x0f != shelleyMainNet {
		return false
	}
	return address[0]>>4 == 14 || address[0]>>4 == 15
}

// isChainPointer reports whether the data are three numbers: a slot, a transaction and a
// certificate. Numbers are groups of seven bits, without leading zeros. The eighth bit
// marks all groups of a number except the last.
func isChainPointer(data []byte) bool {
	numbers, inside := 0, false
	for _, group := range data {
		if !inside && group == 0x80 {
			return false
		}
		if inside = group&0x80 != 0; !inside {
			numbers++
		}
	}
	return numbers == 3 && !inside
}
