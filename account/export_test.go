package account

// Rotation is a rotation for tests.
type Rotation = rotation
