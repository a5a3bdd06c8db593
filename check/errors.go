package check

import (
	"fmt"

	"github.com/apguard/apguard/asset"
)

// ErrTooMany reports that a batch has more than [MaxItems] contents. The error is an
// [*asset.InputError].
var ErrTooMany = fmt.Errorf("more than %d contents", MaxItems)

// ErrListFailed reports that an external list did not answer. It matches [asset.ErrUnavailable].
var ErrListFailed = fmt.Errorf("external list did not answer: %w", asset.ErrUnavailable)
