package main

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/apguard/apguard/webhook"
)

// printWebhooks prints a table of the webhooks.
func (p program) printWebhooks(all iter.Seq2[webhook.Endpoint, error]) error {
	// Only Flush can fail.
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ID\tSTATE\tLAST\tLAST AT\tFAILURES\tNEXT\tEVENTS\tTYPES\tSTATUSES\tCREATED\tURL")
	for e, err := range all {
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(table, strings.Join([]string{
			strconv.FormatInt(e.ID, 10),
			webhookState(e),
			lastOutcome(e),
			minute(e.LastAt),
			strconv.Itoa(e.Failures),
			nextAttempt(e),
			joined(e.Events),
			joined(e.Filter.Types),
			joined(e.Filter.Statuses),
			minute(e.CreatedAt),
			plain(e.URL),
		}, "\t"))
	}
	return table.Flush()
}

// webhookState returns the state as one word, such as disabled:gone.
func webhookState(e webhook.Endpoint) string {
	state := strings.ToLower(string(e.State))
	if e.DisabledBy != "" {
		state += ":" + strings.ToLower(string(e.DisabledBy))
	}
	return state
}

// nextAttempt returns when the message that has failed is sent again.
func nextAttempt(e webhook.Endpoint) string {
	if e.State != webhook.StateActive || e.Failures == 0 {
		return "-"
	}
	return minute(e.DueAt)
}

func lastOutcome(e webhook.Endpoint) string {
	if e.LastAt.IsZero() {
		return "-"
	}
	return describeOutcome(e.Last)
}

// describeOutcome returns the status of the response, or why there was none.
func describeOutcome(o webhook.Outcome) string {
	if o.Status != 0 {
		return strconv.Itoa(o.Status)
	}
	return string(o.Failure)
}
