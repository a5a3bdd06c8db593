package classify

import "github.com/btcsuite/btcd/btcutil/bech32"

const (
	// shelleyMainNet is the network in the lower half of an address' first byte. The
	// upper half is its type (CIP-19).
	shelleyMainNet = 1
	// shelleyHash is the size of the hash of a key or script.
	shelleyHash = 28
)

// isShelleyPayment reports whether the data is an address of Cardano's Shelley
// era that can be paid to (CIP-19): of a payment part with a stake part, with a
// pointer to one, or alone.
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

// isShelleyStake reports whether the data is an address that rewards are paid to.
func isShelleyStake(data []byte, checksum bech32.Version) bool {
	address := fromBase32(data)
	if checksum != bech32.Version0 || len(address) != 1+shelleyHash || address[0]&0x0f != shelleyMainNet {
		return false
	}
	return address[0]>>4 == 14 || address[0]>>4 == 15
}

// isChainPointer reports whether the data are three numbers, of a slot, a
// transaction and a certificate in it. A number is in groups of seven bits, all
// but the last of them marked with the eighth, and has no zeros in front.
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
