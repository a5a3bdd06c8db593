package metrics

import (
	"strconv"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
)

// All returns all metrics, in the order in which [Counts.Read] returns them.
func All() []Metric {
	var all []Metric
	for _, group := range table() {
		for _, row := range group.rows {
			all = append(all, row.Metric)
		}
	}
	return all
}

// durationBounds are the bounds of the histogram of requests, in seconds.
func durationBounds() []float64 {
	return []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}
}

// group is a part of the table whose metrics are read together, or not at all.
type group struct {
	has  func(*state) bool
	rows []row
}

// row is a metric and how its samples are read. read is called only if the group has values, and with mu held.
type row struct {
	Metric
	read func(*state) []Sample
}

func table() []group {
	always := func(*state) bool { return true }
	// A mirror without a Guard has no requests of its own.
	server := func(s *state) bool { return s.from.Guard != nil || s.from.Mirror == nil }
	byOperation, byList := label("operation"), Label{"list", "apguard.list.name"}
	return append([]group{
		{server, []row{
			{
				counter("apguard.requests", "{request}", "Requests by status; status 0 is a request that was aborted before its reply.",
					byOperation, Label{"method", "http.request.method"}, Label{"status", "http.response.status_code"}),
				func(s *state) []Sample {
					return samples(s.requests, func(r request) []string { return []string{r.operation, r.method, strconv.Itoa(r.status)} })
				},
			},
			{counter("apguard.request.errors", "{request}", "Requests with an error of the server.", byOperation),
				operations(func(o *operation) int64 { return o.failed })},
			{counter("apguard.requests_aborted", "{request}", "Requests whose reply was cut off.", byOperation),
				operations(func(o *operation) int64 { return o.aborted })},
			{counter("apguard.requests_client_gone", "{request}", "Requests whose client disconnected before the end of the reply.", byOperation),
				operations(func(o *operation) int64 { return o.gone })},
			{counter("apguard.request.body", "By", "Bytes of request bodies that were read completely.", byOperation),
				operations(func(o *operation) int64 { return o.received })},
			{counter("apguard.reply.body", "By", "Bytes of reply bodies.", byOperation),
				operations(func(o *operation) int64 { return o.sent })},
			{
				Metric{"apguard.request.duration", "s", Histogram, "Time from the start of the handler to the end of the reply.",
					[]Label{byOperation}, durationBounds()},
				durations,
			},
		}},
		{always, []row{
			{counter("apguard.checks", "{content}", "Checked contents by status, and by what decided: an asset, a list or nothing.",
				label("status"), label("source")),
				func(s *state) []Sample {
					return samples(s.verdicts, func(v verdict) []string { return []string{string(v.status), string(v.source)} })
				}},
			{counter("apguard.checks_refused", "{content}", "Checked contents that name no asset, by reason.", label("reason")),
				func(s *state) []Sample { return samples(s.refused, text) }},
		}},
		{server, []row{
			{counter("apguard.changes", "{change}", "Changes of status that this server has made, by the new status.", label("status")),
				func(s *state) []Sample { return samples(s.changes, text) }},
			{counter("apguard.allowlist.items", "{item}", "Assets to add to allowlists and to remove, by the reason for a refusal, or NONE.",
				label("action"), label("reason")),
				func(s *state) []Sample {
					return samples(s.items, func(i item) []string { return []string{i.action, string(i.reason)} })
				}},
			{counter("apguard.webhook.messages", "{message}", "Messages that receivers of webhooks have accepted."),
				func(s *state) []Sample { return number(s.messages.delivered) }},
			{counter("apguard.webhook.refused", "{request}", "Requests to receivers of webhooks that have failed.", Label{"failure", "error.type"}),
				func(s *state) []Sample { return samples(s.messages.refused, text) }},
			{counter("apguard.webhook.lost", "{loss}", "Times that a webhook lost its place in the feed, and so may have missed changes that were pruned."),
				func(s *state) []Sample { return number(s.messages.lost) }},
			{counter("apguard.webhook.errors", "{error}", "Errors of the store, or of the place of a webhook, that kept messages from being sent. "+
				"One that repeats counts once."),
				func(s *state) []Sample { return number(s.messages.failed) }},
		}},
		{func(s *state) bool { return s.stats != nil }, []row{
			{gauge("apguard.store.connections", "{connection}", "Open connections of the pool to the database, by state.", label("state")),
				func(s *state) []Sample {
					return []Sample{{Values: []string{"idle"}, Value: float64(s.stats.Idle)}, {Values: []string{"in_use"}, Value: float64(s.stats.InUse)}}
				}},
			{gauge("apguard.store.connections_max", "{connection}", "Size of the pool of connections."),
				func(s *state) []Sample { return number(s.stats.MaxConnections) }},
			{counter("apguard.store.connection_wait", "s", "Time that calls have waited for the pool to give them a connection."),
				func(s *state) []Sample { return seconds(s.stats.Waited) }},
			{gauge("apguard.store.calls_waiting", "{call}", "Calls that wait for their turn to read or write.", label("kind")),
				queues(func(q storage.Queue) []Sample { return number(q.Waiting) })},
			{counter("apguard.store.call_wait", "s", "Time that calls have waited for their turn. Its rate is how many wait on average.", label("kind")),
				queues(func(q storage.Queue) []Sample { return seconds(q.Waited) })},
		}},
		{func(s *state) bool { return s.feed != nil }, []row{
			{gauge("apguard.feed.behind", "s", "Time since the feed had every committed change. On a standby, at most how far that is behind, and a second."),
				func(s *state) []Sample { return seconds(s.feed.Behind) }},
		}},
		{func(s *state) bool { return s.endpoints != nil }, []row{
			{gauge("apguard.webhook.disabled", "{webhook}", "Webhooks that wait for an operator, because their receiver is gone or has failed for days.",
				label("reason")),
				func(s *state) []Sample { return samples(s.endpoints.disabled, text) }},
			{gauge("apguard.webhook.pending", "{webhook}", "Active webhooks with a message that is being sent, or waits to be sent again."),
				func(s *state) []Sample { return number(s.endpoints.pending) }},
			{gauge("apguard.webhook.failing", "s", "Time since the first failure of the active webhook that has failed for longest, or 0."),
				func(s *state) []Sample { return seconds(s.endpoints.failing) }},
		}},
		{func(s *state) bool { return s.disputes != nil }, []row{
			{gauge("apguard.disputes", "{dispute}", "Disputes that wait for a decision, by state.", label("state")),
				func(s *state) []Sample {
					return []Sample{
						{Values: []string{string(dispute.StateOpen)}, Value: float64(s.disputes.Open)},
						{Values: []string{string(dispute.StateUnderReview)}, Value: float64(s.disputes.UnderReview)},
					}
				}},
			{gauge("apguard.dispute.oldest", "s", "Age of the oldest dispute that waits for a decision, or 0."),
				func(s *state) []Sample { return s.age(s.disputes.OldestAt) }},
		}},
		{func(s *state) bool { return s.reports != nil }, []row{
			{gauge("apguard.report.oldest", "s", "Age of the oldest report that waits for reviews, or 0."),
				func(s *state) []Sample { return s.age(s.reports.OldestAt) }},
		}},
		{func(s *state) bool { return s.due != nil }, []row{
			{gauge("apguard.decisions.overdue", "{decision}", "Decisions of operators whose review is due."),
				func(s *state) []Sample { return number(s.due.Overdue) }},
		}},
		{func(s *state) bool { return s.lists != nil }, []row{
			{gauge("apguard.list.entries", "{entry}", "Entries of a list after its last sync.", byList),
				perList(func(_ *state, list lists.List) []Sample { return number(list.Entries) })},
			{gauge("apguard.list.age", "s", "Time since the last sync of a list was completed, or since the list was added.", byList),
				perList(func(s *state, list lists.List) []Sample { return s.age(synced(list)) })},
			{gauge("apguard.list.failures", "{failure}", "Syncs and fetches of a list that have failed since one was completed.", byList),
				perList(func(_ *state, list lists.List) []Sample { return number(list.Failures) })},
		}},
		{func(s *state) bool { return s.from.Guard != nil && s.from.Guard.Replica != nil }, []row{
			{gauge("apguard.replica.age", "s", "Age of the copies of all statuses, for hash lists, MetaMask's lists and checks "+
				"from memory: every change that is older is in them. Before they are filled, the time since the start."),
				func(s *state) []Sample {
					if copies := s.from.Guard.Replica.State(); copies.Filled {
						return s.age(copies.ReadAt)
					}
					return s.age(s.started)
				}},
		}},
		{func(s *state) bool { return s.from.Publishes }, []row{
			{gauge("apguard.published.age", "s", "Age of the manifest in the folder for clients: every change that is older is in its files. "+
				"Before there is one, the time since the start."),
				func(s *state) []Sample {
					if s.published.IsZero() {
						return s.age(s.started)
					}
					return s.age(s.published)
				}},
		}},
		{func(s *state) bool { return s.from.Mirror != nil && s.from.Mirror.State().Filled }, []row{
			{gauge("apguard.mirror.age", "s", "Age of the copy: every change that is older is in it."),
				func(s *state) []Sample { return s.age(s.from.Mirror.State().ReadAt) }},
		}},
		{func(s *state) bool { return s.from.Mirror != nil }, []row{
			{gauge("apguard.mirror.filled", "", "1 if the mirror has copied all statuses, or 0 until then."),
				func(s *state) []Sample {
					if s.from.Mirror.State().Filled {
						return number(1)
					}
					return number(0)
				}},
			{gauge("apguard.mirror.assets", "{asset}", "Assets in the copy, which are ALLOWED or BLOCKED."),
				func(s *state) []Sample { return number(s.from.Mirror.State().Assets) }},
		}},
	}, processGroups()...)
}
