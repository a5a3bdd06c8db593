package phishlist

const (
	// MaxBytes is the greatest file size.
	MaxBytes = 1 << offsetBits
	// MaxTolerance is the greatest tolerance of a list. With a greater one, most hosts
	// would resemble a target.
	MaxTolerance = 16
	// MaxTargets is the maximum number of fuzzy targets in a file, in all its lists
	// together. A check may compare the host with each of them.
	MaxTargets = 10_000
	// DefaultTolerance is the tolerance of a list that has none of its own.
	DefaultTolerance = 3
)

// Options configures a [List] or a [File]. The zero value is ready to use.
type Options struct {
	// Name is the name of the list that users see, such as in notes on disputes. If
	// empty, it is "eth-phishing-detect".
	Name string
	// MaxBytes is the maximum file size. Values below 1 and above the constant
	// of the same name mean that constant.
	MaxBytes int64
}

func (o Options) withDefaults() Options {
	if o.Name == "" {
		o.Name = "eth-phishing-detect"
	}
	if o.MaxBytes <= 0 || o.MaxBytes > MaxBytes {
		o.MaxBytes = MaxBytes
	}
	return o
}
