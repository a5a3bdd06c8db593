package classify

const crc16Size = 2

// crc16 returns the CRC-16/XMODEM of the data. It detects every change within 16
// successive bits, and so of any one character.
func crc16(data []byte) uint16 {
	var sum uint16
	for _, b := range data {
		sum ^= uint16(b) << 8
		for range 8 {
			carry := sum >> 15
			sum = sum<<1 ^ carry*0x1021
		}
	}
	return sum
}
