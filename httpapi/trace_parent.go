package httpapi

import (
	"net/http"
	"strings"
)

// traceParentHeader is the header of the W3C Trace Context with the trace of the client.
const traceParentHeader = "Traceparent"

// traceParent names a span of the client. It is zero if there is none.
type traceParent struct {
	// traceID and spanID have 32 and 16 lower-case hexadecimal digits.
	traceID, spanID string
}

// traceParentOf returns the span that the header of a request names. It ignores a header that is
// repeated, malformed or of another version than 00.
func traceParentOf(request http.Header) traceParent {
	values := request.Values(traceParentHeader)
	if len(values) != 1 {
		return traceParent{}
	}
	return parseTraceParent(values[0])
}

// parseTraceParent returns the span of a value such as
// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, or zero if it is malformed.
func parseTraceParent(value string) traceParent {
	const version = "00-"
	if len(value) != len(version)+32+1+16+1+2 || value[:3] != version || value[35] != '-' || value[52] != '-' {
		return traceParent{}
	}
	p := traceParent{traceID: value[3:35], spanID: value[36:52]}
	if !validHexID(p.traceID) || !validHexID(p.spanID) || !lowerHex(value[53:]) {
		return traceParent{}
	}
	return p
}

// validHexID reports whether an ID is hexadecimal and not zero.
func validHexID(id string) bool { return lowerHex(id) && strings.Trim(id, "0") != "" }

func lowerHex(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') })
}

// requestID returns the ID of a request that has none of its own, or "" if there is no span.
func (p traceParent) requestID() string {
	if p.traceID == "" {
		return ""
	}
	return p.traceID + "-" + p.spanID
}
