package main

// statusOperations returns the commands of operators on statuses.
func statusOperations() []operation {
	return []operation{
		{
			name: "status set", usage: "set the statuses of any number of contents",
			about: `Prints what became of each content. Refusals go to the standard error, and the exit status is then 3. The
contents are sent by 1000, and what was set before an error stays set; the command can be repeated.`,
			call: "POST /asset/setStatuses", operators: true, decides: true, repeatable: true, batch: "items",
			fields: []field{
				contents("items.content"),
				text("items.status", "`STATUS`: BLOCKED, ALLOWED or UNKNOWN").needed(),
				text("items.expiresAt", "`TIME` when the decisions end, such as 2025-06-01T12:00:00Z"),
				text("reason", reasonUsage),
				text("note", noteUsage),
				text("reference", basisUsage),
				yes("confirmProtected", "do it although assets are protected"),
				yes("dryRun", "tell what would happen, and store nothing"),
			},
			list: "results", columns: "id from status type content", refusals: true, guarded: protectedFlags,
		},
		{
			name: "status set-one", usage: "set the status of one content, unless it has changed since you saw it",
			call: "POST /asset/setStatus", operators: true, decides: true, key: true,
			fields: []field{
				text("content", "").first(),
				text("status", "`STATUS`: BLOCKED, ALLOWED or UNKNOWN").needed(),
				text("reason", reasonUsage),
				text("note", noteUsage),
				text("reference", basisUsage),
				text("expiresAt", "`TIME` when the decision ends, such as 2025-06-01T12:00:00Z"),
				text("reviewAt", "`TIME` when the decision is due for review"),
				yes("confirmProtected", "do it although the asset is protected"),
				text("ifStatus", "`STATUS` that the asset must have"),
			},
			guarded: protectedFlags,
		},
		{
			name: "status withdraw", usage: "take back what operators decided on a content",
			call: "POST /asset/withdraw", operators: true, decides: true, key: true,
			fields: []field{
				text("content", "").first(),
				text("reference", basisUsage),
				text("ifStatus", "`STATUS` that the asset must have"),
			},
		},
		{
			name: "status undo", usage: "undo what status set has done",
			about: `FILE has what status set, set-one or withdraw printed with -json, or - is the standard input. Each content has again what
operators decided on it before, or nothing. Where they have decided otherwise since, the content is refused. What
the command prints with -json can be undone in the same way. The exit status is 3 if some were refused.`,
			call: "POST /asset/undo", operators: true, decides: true, repeatable: true, batch: "items",
			fields: []field{
				records("items", "content", "decision", "previous"),
				text("reference", basisUsage),
				yes("confirmProtected", "block again what is protected"),
				yes("dryRun", "tell what would happen, and store nothing"),
			},
			list: "results", columns: "id from status type content", refusals: true, guarded: protectedFlags,
		},
		{
			name: "status preview", usage: "tell what a status would do",
			call: "POST /asset/preview", operators: true, repeatable: true,
			fields: []field{
				text("content", "").first(),
				text("status", "`STATUS`: BLOCKED, ALLOWED or UNKNOWN").needed(),
			},
			guarded: protectedFlags,
		},
		{
			name: "status explain", usage: "tell why a content has its status", call: "GET /asset/explain", operators: true,
			fields: []field{text("content", "").first()},
		},
		{
			name: "status history", usage: "list the changes of one asset, newest first", call: "GET /asset/history", operators: true,
			fields: []field{text("content", "").first()},
			list:   "changes", page: 1000, cursor: cursorNext,
			columns: "updatedAt fromStatus:from toStatus:to cause actor.id:user actor.fullName:name reference",
		},
		{
			name: "status changes", usage: "list the changes at and below a domain, newest first", call: "GET /asset/changes", operators: true,
			fields: []field{text("under", "`DOMAIN`").needed()},
			list:   "changes", page: 1000, cursor: cursorNext, columns: namedChanges,
		},
		{
			name: "status decisions", usage: "list what a user has decided, newest first", call: "GET /decision/list", operators: true,
			fields: []field{id("userId", "`ID` of the user").needed()},
			list:   "changes", page: 1000, cursor: cursorNext, columns: namedChanges,
		},
		{
			name: "status due", usage: "list the decisions that are due for review", call: "GET /asset/due", operators: true,
			fields: []field{text("before", "`TIME` until which they are due, such as 2025-06-01T12:00:00Z; without the flag, now")},
			list:   "assets", page: 1000, cursor: cursorNext,
			columns: "decision.reviewAt:review id type status decision.actor.id:user content",
		},
	}
}

// namedChanges are the columns of changes of several assets.
const namedChanges = "updatedAt fromStatus:from toStatus:to cause actor.id:user actor.fullName:name reference content"
