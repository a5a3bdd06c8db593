package client

// The bodies of responses, which a test compares with the OpenAPI document.
type (
	CheckResponse      = checkResponse
	CheckBatchResponse = checkBatchResponse
)
