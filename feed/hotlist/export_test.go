package hotlist

// What the tests need of time stamps.
var (
	NewStamp   = newStamp
	PositionOf = positionOf
)

const (
	IdentityBits = identityBits
	MaxPosition  = maxPosition
)
