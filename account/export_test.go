package account

// Rotation is a rotation for tests.
type Rotation = rotation

// MaxRemembered is the number of records that are remembered.
const MaxRemembered = maxRemembered
