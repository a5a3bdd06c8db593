package check

import "context"

// Checker checks contents. [Service] reads a store, and mirror.Mirror a copy in memory.
type Checker interface {
	// Check returns the verdict for a content; see [Service.Check].
	Check(ctx context.Context, content string) (Verdict, error)
	// CheckBatch returns a result for each content, in order; see [Service.CheckBatch].
	CheckBatch(ctx context.Context, contents []string) ([]Result, error)
}
