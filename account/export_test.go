package account

// Rotation is a rotation for tests.
type Rotation = rotation

// MaxCached is the number of records that are cached.
const MaxCached = maxCached
