package check

import "fmt"

// ErrTooMany reports that a batch has more than [MaxContents] contents. The error is an
// [*asset.InputError].
var ErrTooMany = fmt.Errorf("more than %d contents", MaxContents)
