package main

// accountOperations returns the commands on organizations, groups and users.
func accountOperations() []operation {
	on := func(name, usage, path string) operation {
		return operation{
			name: name, usage: usage, call: "POST " + path, operators: true, repeatable: true, fields: []field{id("id", "").first()},
		}
	}
	const groupUsage = "`SLUG` or ID of the organization of the group"
	return []operation{
		{
			name: "organizations list", usage: "list all organizations", call: "GET /organization/list", operators: true,
			fields: []field{text("searchQuery", "`TEXT` in the name or the slug, or an ID")},
			list:   "organizations", page: 100, cursor: cursorNext, columns: "id slug name deactivated",
		},
		{
			name: "organizations get", usage: "show an organization", call: "GET /organization/get", operators: true,
			fields: []field{id("id", "").first()},
		},
		{
			name: "organizations create", usage: "create an organization",
			call: "POST /organization/create", operators: true,
			fields: []field{text("slug", "unique `SLUG`, such as acme").needed(), text("name", "full `NAME`")},
			local:  program.createOrganization,
		},
		{
			name: "organizations rename", usage: "change the names of an organization",
			call: "POST /organization/rename", operators: true, repeatable: true,
			fields: []field{id("id", "").first(), text("slug", "unique `SLUG`"), text("name", "full `NAME`")},
		},
		on("organizations deactivate", "suspend the access of an organization", "/organization/deactivate"),
		on("organizations reactivate", "restore the access of an organization", "/organization/reactivate"),
		{
			name: "allowlist entries", usage: "list the allowlist of any organization, for operators", call: "GET /allowlist/list", operators: true,
			fields: entryFields(),
			list:   "assets", page: 1000, cursor: cursorNext, columns: "id type status addedAt expiresAt content",
		},
		{
			name: "allowlist clear", usage: "remove entries from the allowlist of any organization, for operators",
			about: `Removes all entries, or those that match every flag, also of an organization that was deactivated or removed.
Prints how many it removed, and how many assets changed their status. Removed entries cannot be restored: look at
them with allowlist entries, and try it with -dry-run.`,
			call: "POST /allowlist/clear", operators: true, repeatable: true, slow: true,
			fields: append(entryFields(), yes("dryRun", "count what would be removed, and change nothing")),
			cursor: cursorNext, totals: true,
		},
		on("organizations remove", "remove an organization, its groups and its keys", "/organization/remove"),
		{
			name: "groups list", usage: "list the groups of an organization", call: "GET /group/list", operators: true,
			fields: []field{organization("`SLUG` or ID of the organization").needed()},
			list:   "groups", columns: "id organizationId:organization name",
		},
		{
			name: "groups create", usage: "create a group", call: "POST /group/create", operators: true,
			fields: []field{organization(groupUsage).needed(), text("name", "`NAME`").needed()},
		},
		{
			name: "groups rename", usage: "change the name of a group", call: "POST /group/rename", operators: true, repeatable: true,
			fields: []field{id("id", "").first(), organization(groupUsage).needed(), text("name", "`NAME`").needed()},
		},
		{
			name: "groups remove", usage: "remove a group", call: "POST /group/remove", operators: true, repeatable: true,
			fields: []field{id("id", "").first(), organization(groupUsage).needed()},
		},
		{
			name: "users list", usage: "list users, or those with an e-mail address", call: "GET /user/list", operators: true,
			fields: []field{text("searchQuery", "`TEXT` in the name or the e-mail address, or an ID")},
			list:   "users", page: 100, cursor: cursorNext, columns: "id fullName email automation deactivated",
			local: program.listUsers, localFlag: "email",
		},
		{
			name: "users get", usage: "show a user", call: "GET /user/get", operators: true, fields: []field{id("id", "").first()},
		},
		{
			name: "users create", usage: "create a user",
			about: "Prints the user as a JSON object. The key of an operator needs the ID of the user.",
			call:  "POST /user/create", operators: true, asJSON: true,
			fields: []field{
				text("fullName", "full `NAME`").as("name").needed(),
				text("email", "e-mail `ADDRESS`"),
				yes("automation", "the user is a program"),
			},
		},
		{
			name: "users rename", usage: "change the names of a user", call: "POST /user/rename", operators: true, repeatable: true,
			fields: []field{id("id", "").first(), text("fullName", "full `NAME`").as("name"), text("email", "e-mail `ADDRESS`")},
		},
		on("users deactivate", "suspend the access of a user", "/user/deactivate"),
		on("users reactivate", "restore the access of a user", "/user/reactivate"),
		on("users remove", "remove a user and its keys", "/user/remove"),
	}
}

// keyOperations returns the commands on API keys.
func keyOperations() []operation {
	const fingerprintUsage = "FINGERPRINT of the key, as keys list shows it"
	return []operation{
		{
			name: "keys create", usage: "create a key and print it, once", call: "POST /key/create", operators: true, secret: "key",
			fields: []field{
				texts("scopes", "`SCOPES`").needed(),
				organization("`SLUG` of the organization of the key").as("organization"),
				id("userId", "`ID` of the user of the key").as("user"),
				text("name", "`TEXT` that tells keys apart"),
				seconds("expiresInSeconds", "`TIME` until the key expires").as("expires"),
			},
			local: program.createKey,
		},
		{
			name: "keys list", usage: "list all keys, or those of an organization, by their fingerprints", call: "GET /key/list", operators: true,
			fields: []field{organization("`SLUG` or ID of an organization").as("organization")},
			list:   "keys", page: 100, cursor: cursorNext,
			columns: "fingerprint organization.slug:organization user.id:user scopes createdAt:created expiresAt:expires lastUsedAt:last_used state name",
			cells:   map[string]func(record) string{"state": lower("state")},
		},
		{
			name: "keys rotate", usage: "replace a key and print the new one, once", call: "POST /key/rotate", operators: true, secret: "key",
			fields: []field{
				text("fingerprint", fingerprintUsage).first(),
				seconds("graceSeconds", "`TIME` that the old key still works, such as 24h; without the flag, it is revoked").as("grace"),
			},
			about: "The new key lasts as long as the old one did from its beginning to its end.",
		},
		{
			name: "keys revoke", usage: "revoke a key", call: "POST /key/revoke", operators: true, repeatable: true, quiet: true,
			fields: []field{text("fingerprint", fingerprintUsage).first()},
		},
		{
			name: "keys revoke-all", usage: "revoke all keys of a user", call: "POST /key/revokeAll", operators: true, repeatable: true,
			fields: []field{id("userId", "").first()},
		},
	}
}

// entryFields are the fields that select entries of an allowlist for operators.
func entryFields() []field {
	return []field{
		organization("`SLUG` or ID of the organization; its ID if it was removed").needed(),
		text("status", "present `STATUS` of the assets"),
		text("prefix", "`START` of the canonical form"),
		text("addedSince", dayUsage+", from which on the entries were added"),
		text("addedBefore", dayUsage+", before which the entries were added"),
	}
}
