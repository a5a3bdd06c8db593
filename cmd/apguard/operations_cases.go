package main

// disputeOperations returns the commands on disputes.
func disputeOperations() []operation {
	transition := func(name, usage, path string) operation {
		return operation{
			name: name, usage: usage, call: "POST " + path, operators: true, decides: true, key: true,
			fields: []field{id("id", "").first(), text("reason", "`TEXT` that operators see")},
		}
	}
	return []operation{
		{
			name: "dispute create", usage: "dispute the flagging or blocking of a content",
			call: "POST /dispute/create", own: true, decides: true, key: true,
			fields: []field{
				text("content", "").first(),
				text("email", "e-mail `ADDRESS` for questions"),
				text("description", "`TEXT`: why the status is wrong"),
			},
		},
		{
			name: "dispute status", usage: "tell how a dispute of your own organization or user went", call: "GET /dispute/get", own: true,
			about: "On a database, -as or -organization says whose dispute it is.", fields: []field{id("id", "").first()},
		},
		{
			name: "dispute list", usage: "list disputes", call: "GET /dispute/list", operators: true,
			fields: []field{
				texts("states", "`STATES`: some of OPEN,UNDER_REVIEW,ACCEPTED,REJECTED,WITHDRAWN"),
				text("content", "`CONTENT` of the disputed asset"),
				id("assigneeId", "`ID` of the user who took them up"),
				text("email", "e-mail `ADDRESS` of the disputes"),
				text("startDate", "first `DAY`, such as 2025-06-01"),
				text("endDate", "last `DAY`"),
				yes("oldestFirst", "list the oldest first"),
			},
			list: "disputes", page: 100, cursor: cursorNext,
			columns: "id state createdAt updatedAt assignee.id:assignee email content",
		},
		{name: "dispute backlog", usage: "count the disputes that wait", call: "GET /dispute/backlog", operators: true},
		{
			name: "dispute get", usage: "show a dispute with its notes, for operators", call: "GET /dispute/get", operators: true,
			fields: []field{id("id", "").first()},
		},
		{
			name: "dispute start-review", usage: "take up a dispute, or give it to a colleague",
			call: "POST /dispute/startReview", operators: true, decides: true, key: true,
			fields: []field{
				id("id", "").first(),
				id("assigneeId", "`ID` of the user who gets the dispute"),
				text("reason", "`TEXT` about it"),
			},
		},
		transition("dispute release", "give a dispute back that was taken up", "/dispute/release"),
		{
			name: "dispute resolve", usage: "accept or reject a dispute",
			call: "POST /dispute/resolve", operators: true, decides: true, key: true,
			fields: []field{
				id("id", "").first(),
				text("state", "`STATE`: ACCEPTED or REJECTED").needed(),
				text("reason", "`TEXT` that the disputing person can read").needed(),
				text("assetStatus", "`STATUS` of the asset after ACCEPTED: UNKNOWN or ALLOWED"),
			},
		},
		transition("dispute withdraw", "withdraw a dispute", "/dispute/withdraw"),
		transition("dispute reopen", "reopen a dispute", "/dispute/reopen"),
		{
			name: "dispute add-note", usage: "comment on a dispute",
			call: "POST /dispute/addNote", operators: true, decides: true, key: true,
			fields: []field{id("id", "").first(), text("text", "`TEXT` that operators see").needed()},
		},
	}
}

// reportOperations returns the commands on reports.
func reportOperations() []operation {
	filter := []field{
		text("status", "`STATUS`: TODO, IN_PROGRESS or CLOSED"),
		text("searchQuery", "`TEXT` in the title, the description or an asset"),
		text("reporterQuery", "`TEXT` in the name or the e-mail address of the reporter"),
		yes("excludeAutomation", "leave out what programs have filed"),
		yes("onlyRejected", "list only reports with a rejected proposal"),
		texts("reviewStatuses", "`STATUSES` of reviews: some of APPROVE,REJECT,SKIP,ESCALATE"),
		id("reviewedByUserId", "`ID` of a reviewer"),
		text("startDate", dayUsage+", the first"),
		text("endDate", dayUsage+", the last"),
		ids("brandIds", "`IDS` of brands"),
	}
	columns := "id status createdAt organization.slug:organization reporter.id:reporter title"
	return []operation{
		{
			name: "report create", usage: "report contents for an organization",
			call: "POST /report/create", decides: true, organization: true, key: true, batch: "proposals",
			fields: []field{
				contents("proposals.content"),
				text("proposals.proposedStatus", "`STATUS` that the contents are to have: BLOCKED, ALLOWED or UNKNOWN").needed(),
				text("title", "`TITLE`"),
				text("description", "`TEXT`"),
			},
		},
		{
			name: "report own", usage: "list the reports of your own organization", call: "GET /organization/reports", organization: true,
			fields: filter, list: "reports", page: 100, cursor: cursorNext, columns: "id status createdAt reporter.id:reporter title",
		},
		{
			name: "report list", usage: "list reports", call: "GET /report/list", operators: true,
			fields: append([]field{
				organization("`SLUG` or ID of an organization"),
				text("content", "an `ASSET` in any spelling"),
				yes("oldestFirst", "list the oldest first"),
			}, filter...),
			list: "reports", page: 100, cursor: cursorNext, columns: columns,
		},
		{
			name: "report backlog", usage: "count the reports that wait", call: "GET /report/backlog", operators: true,
			fields: []field{organization("`SLUG` or ID of an organization")},
		},
		{
			name: "report get", usage: "show a report with its proposals", call: "GET /report/get", operators: true,
			fields: []field{id("id", "").first()},
		},
		{
			name: "report reviews", usage: "list the reviews of a proposal", call: "GET /report/reviews", operators: true,
			fields: []field{id("proposalId", "").first()},
			list:   "reviews", columns: "id reviewStatus:review reviewedAt reviewedBy.id:user withdrawnAt comment",
		},
		{
			name: "report review", usage: "decide on a proposal of a report",
			call: "POST /report/review", operators: true, decides: true, key: true,
			fields: []field{
				id("proposalId", "").first(),
				text("reviewStatus", "`REVIEW`: APPROVE, REJECT, SKIP or ESCALATE").needed(),
				shown("ifReview", "`ID` of the review that counts, as report get shows it, or 0 if there is none: the review is refused if another one counts").needed(),
				text("comment", "`TEXT` that operators see"),
				yes("confirmProtected", "do it although the asset is protected"),
			},
			guarded: protectedFlags,
		},
		{
			name: "report withdraw", usage: "withdraw a review",
			call: "POST /report/withdraw", operators: true, decides: true, key: true,
			fields: []field{
				id("reviewId", "").first(),
				text("reason", "`TEXT` that operators see"),
				shown("ifReview", "`ID` of the review that must count"),
			},
		},
		{
			name: "report escalate", usage: "escalate the undecided proposals of a report",
			call: "POST /report/escalate", operators: true, decides: true, key: true,
			fields: []field{id("id", "").first(), text("comment", "`TEXT` that operators see")},
		},
	}
}
