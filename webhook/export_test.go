package webhook

// For tests in package webhook_test.
var (
	RetryDelay      = retryDelay
	ParseRetryAfter = parseRetryAfter
)
