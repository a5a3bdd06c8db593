package request

import "bytes"

// MaxNames is the maximum number of names in a JSON object. Finding duplicates takes the
// decoder many times the memory of the names.
const MaxNames = 1000

// tooManyNames reports whether an object in a JSON text has more than limit names. If
// the text is invalid, it reports so for the valid part in front of the error, and may
// report it for the rest.
func tooManyNames(text []byte, limit int) bool {
	if bytes.Count(text, []byte{':'}) <= limit {
		return false // as in nearly every body
	}
	var names []uint32 // of each open object
	for i := 0; i < len(text); i++ {
		last := len(names) - 1
		switch text[i] {
		case '"':
			i += quotedLength(text[i:]) - 1
		case '{':
			names = append(names, 0)
		case '}':
			names = names[:max(last, 0)]
		case ':':
			if last < 0 {
				return false // invalid
			}
			if names[last]++; int(names[last]) > limit {
				return true
			}
		}
	}
	return false
}

// quotedLength returns the length of the string at the start of text, with its quotes.
func quotedLength(text []byte) int {
	for end := 1; ; end++ {
		length := bytes.IndexByte(text[end:], '"')
		if length < 0 {
			return len(text)
		}
		end += length
		backslashes := 0
		for text[end-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return end + 1
		}
	}
}
