package main

import "slices"

// operations returns the commands of all operations of both APIs, in the order of the help.
//
// To add an operation, add a row to the table of its subject: TestOperations names what is missing.
func operations() []operation {
	return slices.Concat(publicOperations(), statusOperations(), disputeOperations(), reportOperations(), accountOperations(),
		keyOperations(), listOperations(), pendingOperations(), webhookOperations(), administrationOperations())
}

// The paths of fields that several operations have, and their columns.
const (
	basisUsage  = "`TEXT` that operators see with the decision"
	noteUsage   = "`TEXT` of up to 200 bytes that everybody sees"
	reasonUsage = "`REASON` that everybody sees, such as PHISHING; those of BLOCKED, or FALSE_POSITIVE, LEGITIMATE and OTHER"
	dayUsage    = "`DAY` such as 2025-06-01, or a time"
)

// cursorNext is the field of most responses with the position of the next page.
const cursorNext = "nextCursor"
