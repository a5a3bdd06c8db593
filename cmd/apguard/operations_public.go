package main

import (
	"errors"
	"strings"

	"github.com/apguard/apguard/asset"
)

// callHashes is the operation that needs the hash lists of all assets.
const callHashes = "GET /asset/hashes"

// errBlocked reports that a content is BLOCKED.
const errBlocked = negativeError("blocked")

// errUnchecked reports that a content could not be checked.
var errUnchecked = errors.New("a content is not recognized: do not show it")

// publicOperations returns the commands of the operations that are for everybody, and for organizations.
func publicOperations() []operation {
	return []operation{
		{
			name: "check", usage: "tell whether links, addresses and handles may be shown",
			about: `Prints the status of each content, and the asset that decided.

The exit status is 3 if a content is BLOCKED, and otherwise 1 if one is not recognized.`,
			call: "POST /asset/check/batch", repeatable: true,
			fields: []field{contents("contents")}, batch: "contents", list: "results",
			columns: "status decidedBy content",
			cells:   map[string]func(record) string{"decidedBy": decidedBy},
			judge:   judgeCheck,
		},
		{
			name: "check-one", usage: "tell everything about the check of one content",
			about: "The exit status is 3 if the content is BLOCKED, and 2 if it is not recognized.",
			call:  "POST /asset/check", repeatable: true,
			fields: []field{text("content", "").first()},
			judge:  judgeCheck,
		},
		{
			name: "assets list", usage: "list assets with their statuses",
			call: "GET /asset/list",
			fields: []field{
				text("status", "`STATUS`: UNKNOWN, ALLOWED or BLOCKED"),
				text("type", "`TYPE` such as URL"),
				text("prefix", "`START` of the canonical form"),
				text("changedSince", dayUsage+", since which the status changed"),
			},
			list: "assets", page: 10_000, cursor: cursorNext,
			columns: "id type status reason by updatedAt canonical",
		},
		{
			name: "changelog", usage: "list the changes of statuses", call: "POST /asset/changelog", repeatable: true,
			fields: []field{
				text("type", "`TYPE` of the assets, such as URL"),
				text("content", "`CONTENT` of one asset"),
				text("fromStatus", "`STATUS` before the change"),
				text("toStatus", "`STATUS` after the change"),
				text("startDate", "first `DAY`, such as 2025-06-01"),
				text("endDate", "last `DAY`"),
			},
			list: "changelog", columns: "updatedAt assetId:asset type fromStatus:from toStatus:to content",
		},
		{
			name: "feed", usage: "list all changes since a cursor",
			about: "Prints the cursor after the last change to the standard error. -cursor end begins at the end.",
			call:  "GET /asset/feed",
			fields: []field{
				text("wait", "`SECONDS` to wait for changes at the end, up to 30"),
			},
			list: "changes", page: 1000, cursor: "cursor",
			columns: "updatedAt assetId:asset type fromStatus:from toStatus:to reason by content",
		},
		{
			name: "export", usage: "write a list of assets",
			call: "GET /asset/export/{format}", raw: true, slow: true,
			fields: []field{
				text("format", "`FORMAT` of the list: eth-phishing-detect, domains, hosts, rpz, adblock, csv, jsonl, stix or misp-warninglist").needed(),
				text("status", "`STATUS` of the assets: BLOCKED, or ALLOWED for misp-warninglist; for csv and jsonl either, or any for both"),
			},
			local: program.exportList,
		},
		{
			name: "hashes", usage: "write the hash lists for checks that tell nobody", call: callHashes, raw: true,
			fields: []field{text("version", "`VERSION` of the lists that a client has, to get what has changed")},
		},
		{
			name: "allowlist add", usage: "add contents to the allowlist of an organization",
			about: "Prints the assets that were added. Refusals go to the standard error, and the exit status is then 3.",
			call:  "POST /organization/assets", key: true, organization: true, decides: true, batch: "assets",
			fields: []field{
				contents("assets.content"),
				text("assets.name", "`NAME` of each asset"),
				text("assets.description", "`TEXT` about each asset"),
				id("assets.groupId", "`ID` of the group, as groups list shows it"),
				text("assets.expiresAt", "`TIME` when the entries end, such as 2025-06-01T12:00:00Z"),
				yes("assets.refuseBlocked", "refuse assets that are BLOCKED"),
				yes("dryRun", "tell what would happen, and store nothing"),
			},
			list: "results", columns: "id content", refusals: true,
		},
		{
			name: "allowlist list", usage: "list the allowlist of an organization", call: "GET /organization/assets", organization: true,
			fields: []field{
				text("status", "`STATUS` of the assets"),
				id("groupId", "`ID` of a group"),
				text("prefix", "`START` of the canonical form"),
			},
			list: "assets", page: 1000, cursor: cursorNext,
			columns: "id type status groupId addedAt expiresAt name content",
		},
		{
			name: "allowlist remove", usage: "remove contents, or IDs, from the allowlist of an organization",
			about: "Refusals go to the standard error, and the exit status is then 3.",
			call:  "POST /organization/assets/remove", key: true, organization: true, decides: true, batch: "contents",
			fields: []field{contents("contents"), ids("ids", "`IDS` of entries, in place of contents")},
			list:   "results", columns: "id content", refusals: true,
		},
		{name: "caller", usage: "tell who the key belongs to, and what it may do", call: "GET /caller/get", own: true},
	}
}

// decidedBy names what decided a check.
func decidedBy(r record) string {
	switch {
	case r["error"] != nil:
		return refusal(r)
	case r["match"] != nil:
		by := cell(r, "match.kind") + " " + cell(r, "match.content")
		if reason := cell(r, "match.reason"); reason != "-" {
			by += " (" + reason + ")"
		}
		return by
	case r["source"] == "LIST":
		return "LIST"
	}
	return "-"
}

// refusal returns why a content is refused.
func refusal(r record) string {
	message, _ := r["error"].(string)
	if reason := cell(r, "reason"); reason != "-" {
		message += " (" + reason + ")"
	}
	return plainMessage(message)
}

// judgeCheck returns errBlocked or else errUnchecked if there was such a content.
func judgeCheck(r record, before error) error {
	switch {
	case r["status"] == string(asset.StatusBlocked):
		return errBlocked
	case r["error"] != nil && before == nil:
		return errUnchecked
	}
	return before
}

// lower returns the text of a field in lower case.
func lower(path string) func(record) string {
	return func(r record) string { return strings.ToLower(cell(r, path)) }
}
