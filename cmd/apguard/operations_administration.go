package main

import (
	"errors"
	"strings"

	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/webhook"
)

// listOperations returns the commands on lists.
func listOperations() []operation {
	describing := func(format field) []field {
		return []field{
			text("name", "`NAME` of the list: letters from a to z, digits, and . _ - between them").needed(),
			format,
			text("status", "`STATUS` of entries without one of their own: BLOCKED or ALLOWED; a new list has BLOCKED"),
			text("reason", reasonUsage),
			text("url", "`URL` of the files, which everyone who may read lists sees"),
			text("every", "`TIME` between two fetches, from 1m to 720h; a new list has 1h"),
		}
	}
	format := text("format", "`FORMAT` of the files: lines, domains, hosts, adblock, rpz, csv, jsonl or eth-phishing-detect")
	name := text("name", "`NAME` of the list").needed()
	doing := []field{
		yes("confirm", "do it although it withdraws or adds many, or the file is empty"),
		yes("dryRun", "count what it would do, and store nothing"),
	}
	return []operation{
		{
			name: "lists list", usage: "print all lists, a JSON object a line", call: "GET /list/list", operators: true,
			list: "lists", asJSON: true,
		},
		{
			name: "lists add", usage: "add a list that holds nothing yet", call: "POST /list/add", operators: true, quiet: true,
			about:  "A list with -url is fetched by a running server from now on. Others are synced with lists sync.",
			fields: describing(format.needed()), guarded: listsFlags,
		},
		{
			name: "lists update", usage: "change what describes a list, except its name",
			about: `What the list holds changes only with its next sync, which looks for mistakes as any other. A running server fetches a
list with a URL at once, unless only -every is given. An empty -url ends that, and the list is synced with lists sync.`,
			call: "POST /list/update", operators: true, repeatable: true, quiet: true,
			fields: describing(format), guarded: listsFlags,
		},
		{
			name: "lists sync", usage: "make a list hold what a file has",
			call: "POST /list/sync", operators: true, repeatable: true, slow: true, stopped: true, asJSON: true, upload: true,
			fields: append([]field{{name: bodyField, flag: bodyField, kind: kindFile, required: true}, name}, doing...),
			local:  program.syncList,
		},
		{
			name: "lists fetch", usage: "make a list hold what the file at its URL has",
			about: "The exit status is 3 if the fetch was stopped before any change; see lists sync.",
			call:  "POST /list/fetch", operators: true, repeatable: true, slow: true, stopped: true, asJSON: true,
			fields: append([]field{name}, doing...), guarded: listsFlags,
		},
		{
			name: "lists remove", usage: "withdraw what a list holds, and remove it",
			call: "POST /list/remove", operators: true, repeatable: true, slow: true, quiet: true, fields: []field{name},
		},
	}
}

// webhookOperations returns the commands on webhooks.
func webhookOperations() []operation {
	on := func(name, usage, path string) operation {
		return operation{
			name: name, usage: usage, call: "POST " + path, operators: true, repeatable: true, quiet: true,
			fields: []field{id("id", "").first()},
		}
	}
	replay := on("webhooks replay", "send the events since a time again", "/webhook/replay")
	replay.fields = append(replay.fields,
		text("from", "`TIME` of the first event, a day or a time such as 2025-06-01T12:00:00Z; without the flag, all events are sent"))
	return []operation{
		{
			name: "webhooks create", usage: "create a webhook and print its secret, once",
			about: "Only the secret, which signs the messages, is written to the standard output.",
			call:  "POST /webhook/create", operators: true, secret: "secret", guarded: webhookFlags,
			fields: []field{
				text("url", "`URL` of the receiver").needed(),
				{
					name: "events", flag: "events", kind: kindTexts, required: true, otherwise: []string{string(webhook.EventStatusChanged)},
					usage: "`EVENTS` to send: some of asset.status_changed,dispute.created,dispute.resolved",
				},
				texts("filter.types", "`TYPES` of assets whose changes are sent, such as URL"),
				texts("filter.statuses", "`STATUSES` after the changes that are sent, such as BLOCKED"),
			},
		},
		{
			name: "webhooks list", usage: "list all webhooks", call: "GET /webhook/list", operators: true,
			list: "webhooks", page: 100, cursor: cursorNext,
			columns: "id state last lastAt failures dueAt:next events filter.types:types filter.statuses:statuses createdAt:created url",
			cells: map[string]func(record) string{
				"state": webhookState, "last": lastOutcome, "dueAt": nextAttempt,
			},
		},
		{
			name: "webhooks get", usage: "show a webhook", call: "GET /webhook/get", operators: true, fields: []field{id("id", "").first()},
		},
		on("webhooks pause", "send nothing until the webhook is resumed", "/webhook/pause"),
		on("webhooks resume", "send again, from the event after the last", "/webhook/resume"),
		{
			name: "webhooks rotate", usage: "print a new secret, once; the old one signs too for a day",
			call: "POST /webhook/rotate", operators: true, secret: "secret", fields: []field{id("id", "").first()},
		},
		{
			name: "webhooks test", usage: "send a test message at once, whatever the state of the webhook is",
			about: "Fails if the receiver does not accept the message.",
			call:  "POST /webhook/test", operators: true, slow: true, guarded: webhookFlags,
			fields: []field{id("id", "").first()}, judge: judgeTest,
		},
		replay,
		on("webhooks remove", "remove a webhook", "/webhook/remove"),
	}
}

// webhookState returns the state as one word, such as disabled:gone.
func webhookState(r record) string {
	state := cell(r, "state")
	if by := cell(r, "disabledBy"); by != "-" {
		state += ":" + by
	}
	return strings.ToLower(state)
}

// lastOutcome returns the status of the last response, or why there was none.
func lastOutcome(r record) string {
	if status := cell(r, "last.status"); status != "-" {
		return status
	}
	return cell(r, "last.failure")
}

// nextAttempt returns when the message that has failed is sent again.
func nextAttempt(r record) string {
	if cell(r, "state") != "ACTIVE" || cell(r, "failures") == "0" {
		return "-"
	}
	return cell(r, "dueAt")
}

// judgeTest returns an error if the receiver did not accept the test message.
func judgeTest(r record, _ error) error {
	if failure := cell(r, "failure"); failure != "-" {
		return errors.New("the test message was not accepted: " + failure)
	}
	return nil
}

// pendingOperations returns the commands on acts that wait for a second operator.
func pendingOperations() []operation {
	comment := text("comment", "`TEXT` that says why")
	return []operation{
		{
			name: "pending list", usage: "list the acts that wait for a second operator, oldest first", call: "GET /pending/list", operators: true,
			fields: []field{text("state", "`STATE` of the acts: PENDING, APPROVED, REJECTED or EXPIRED; without the flag, PENDING")},
			list:   "acts", page: 100, cursor: cursorNext,
			columns: "id kind state actor.fullName:asked-by expiresAt:until about",
			cells:   map[string]func(record) string{"about": aboutAct},
		},
		{
			name: "pending approve", usage: "approve and execute what another operator has asked for",
			call: "POST /pending/approve", operators: true, decides: true, key: true, slow: true,
			fields: []field{id("id", "").first(), comment},
		},
		{
			name: "pending reject", usage: "reject what an operator has asked for", call: "POST /pending/reject",
			operators: true, decides: true, key: true,
			fields: []field{id("id", "").first(), comment},
		},
	}
}

// aboutAct names what an act is about: a list, or the first of its assets.
func aboutAct(r record) string {
	assets, _ := r["assets"].([]any)
	if len(assets) == 0 {
		return cell(r, "list.name")
	}
	first, _ := assets[0].(map[string]any)
	about := cell(first, "content")
	if len(assets) > 1 {
		about += " and others"
	}
	return about
}

// administrationOperations returns the commands of administrators on what many operations have stored.
func administrationOperations() []operation {
	return []operation{
		{
			name: "operator-caller", usage: "tell who the key belongs to, of the operators' API", call: "GET /caller/get",
			operators: true, own: true,
		},
		{
			name: "figures", usage: "tell how the list is kept: blocks, disputes, what waits, and lists that fail",
			call: "GET /figures", operators: true,
		},
		{
			name: "queues", usage: "count the disputes and reports that wait, or wait until that changes",
			call: "GET /queues", operators: true,
			fields: []field{
				text("version", "`VERSION` that is known, after which another one is waited for"),
				text("wait", "`SECONDS` to wait for another version, up to 30"),
				text("open", "`RECORD` that you have open, such as dispute/12 or report/7; the answer names others who have it open"),
			},
		},
		{
			name: "audit", usage: "list who administered what",
			about: `Lists who changed which key, organization, group, user, list or webhook, imported a list, erased a person or
removed old records, newest first.`,
			call: "GET /audit/list", operators: true,
			fields: []field{
				text("kind", "`KIND` of entries: KEY, ORGANIZATION, GROUP, USER, WEBHOOK, IMPORT, ERASURE, LIST, PRUNING or PENDING"),
				id("userId", "`ID` of the user who acted").as("user"),
			},
			list: "entries", page: 100, limit: trail.DefaultLimit, cursor: cursorNext,
			columns: "id at:time by kind action subject organization user.id:user detail",
			cells:   map[string]func(record) string{"by": actorName, "organization": organizationName},
		},
		{
			name: "erase", usage: "erase a person",
			about: `Erases the user with the ID, all users with an e-mail address of the person, their keys, and the e-mail
addresses and texts of their disputes. Prints as JSON how many users and disputes it erased. SECURITY.md says
what remains.`,
			call: "POST /person/erase", operators: true, repeatable: true, slow: true, asJSON: true,
			fields: []field{
				text("email", "e-mail `ADDRESS` of the person"),
				id("userId", "`ID` of the user").as("user"),
			},
		},
		{
			name: "prune", usage: "remove old changes, disputes or reports", call: "POST /prune", operators: true, repeatable: true, slow: true,
			fields: []field{
				text("records", "`RECORDS`: CHANGES, DISPUTES or REPORTS").needed(),
				text("before", dayUsage+", before which they ended").needed(),
			},
			cursor: cursorNext, totals: true, guarded: pruneFlags,
		},
	}
}

// actorName names an actor, such as "user:7,key:0123456789ab".
func actorName(r record) string {
	user := cell(r, "actor.user.id")
	if user == "-" {
		return strings.ToLower(strings.ReplaceAll(cell(r, "actor.channel"), "_", "-"))
	}
	name := "user:" + user
	if key := cell(r, "actor.key"); key != "-" {
		name += ",key:" + key
	}
	return name
}

// organizationName returns the slug of an organization, or its ID if it was removed.
func organizationName(r record) string {
	if slug := cell(r, "organization.slug"); slug != "-" {
		return slug
	}
	return cell(r, "organization.id")
}
