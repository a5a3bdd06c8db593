-- Times are milliseconds since 1970 in UTC. A time that is not set is the start of year 1.
-- An identifier that is not set is 0. A column that ends in _fold has the text of the
-- column of that name in folded case, for searches. SQLite itself adds the id to the end of
-- every index of a table with an id.

-- +goose Up

CREATE TABLE apguard_organizations (
    id          INTEGER PRIMARY KEY,
    slug        TEXT NOT NULL,
    name        TEXT NOT NULL,
    deactivated INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX apguard_organizations_slug ON apguard_organizations (slug);

CREATE TABLE apguard_groups (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id INTEGER NOT NULL,
    name            TEXT NOT NULL
) STRICT;

CREATE INDEX apguard_groups_organization ON apguard_groups (organization_id);

-- email_key is the form of the email in which addresses are compared.
CREATE TABLE apguard_users (
    id             INTEGER PRIMARY KEY,
    full_name      TEXT NOT NULL,
    full_name_fold TEXT NOT NULL,
    email          TEXT NOT NULL,
    email_fold     TEXT NOT NULL,
    email_key      TEXT NOT NULL,
    automation     INTEGER NOT NULL,
    deactivated    INTEGER NOT NULL
) STRICT;

-- hash is the SHA-256 of the key. The key itself is not stored.
CREATE TABLE apguard_keys (
    hash            BLOB PRIMARY KEY,
    organization_id INTEGER NOT NULL,
    user_id         INTEGER NOT NULL,
    name            TEXT NOT NULL,
    scopes          TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    revoked_at      INTEGER NOT NULL,
    last_used_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX apguard_keys_organization ON apguard_keys (organization_id, created_at);

-- Types, statuses and causes are stored as codes, which package sqlstore lists.
-- identity_hash is a hash of the site, by which an asset and its covers are next to each other in
-- the index, and one of the type and the canonical form, which can be too long for an index.
-- changed_at is the time of the newest change. source is what gives the asset its status: the
-- operators (0), the organizations (-2), the list with the id, or nothing (-3). since is NULL if
-- it is changed_at.
CREATE TABLE apguard_assets (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    identity_hash BLOB NOT NULL,
    type          INTEGER NOT NULL,
    status        INTEGER NOT NULL,
    changed_at    INTEGER NOT NULL DEFAULT -62135596800000,
    canonical     TEXT NOT NULL,
    source        INTEGER NOT NULL DEFAULT -3,
    reason        INTEGER NOT NULL DEFAULT 0,
    since         INTEGER,
    note          TEXT NOT NULL DEFAULT '',
    CHECK (type >= 0 AND status >= 0)
) STRICT;

CREATE UNIQUE INDEX apguard_assets_identity ON apguard_assets (identity_hash);

-- The list of BLOCKED assets, ordered by id. It costs the other assets nothing.
CREATE INDEX apguard_assets_blocked ON apguard_assets (status) WHERE status = 2;

-- What is held on assets: the decision of the operators (source 0), the one that it replaced
-- (source -1), and the decisions of lists, whose source is the id of the list. expires_at and
-- review_at are NULL for a decision without an end or a review.
CREATE TABLE apguard_decisions (
    asset_id   INTEGER NOT NULL REFERENCES apguard_assets (id),
    source     INTEGER NOT NULL,
    status     INTEGER NOT NULL,
    reason     INTEGER NOT NULL,
    cause      INTEGER NOT NULL,
    since      INTEGER NOT NULL,
    expires_at INTEGER,
    review_at  INTEGER,
    actor      INTEGER NOT NULL,
    note       TEXT NOT NULL,
    reference  TEXT NOT NULL,
    PRIMARY KEY (asset_id, source),
    CHECK (status >= 0 AND reason >= 0 AND cause >= 0)
) STRICT, WITHOUT ROWID;

-- The decisions that end, and those of operators that are due for review. One that was replaced is neither.
CREATE INDEX apguard_decisions_expiry ON apguard_decisions (expires_at, asset_id) WHERE expires_at IS NOT NULL AND source >= 0;
CREATE INDEX apguard_decisions_review ON apguard_decisions (review_at, asset_id) WHERE review_at IS NOT NULL AND source = 0;

-- The entries of a list, ordered by asset. It costs the decisions of operators nothing.
CREATE INDEX apguard_decisions_list ON apguard_decisions (source, asset_id) WHERE source > 0;

-- type is the type of the asset, which never changes. The last columns are those of the asset after
-- the change. If the two statuses are the same, only these have changed.
CREATE TABLE apguard_changes (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    asset_id    INTEGER NOT NULL REFERENCES apguard_assets (id),
    type        INTEGER NOT NULL,
    from_status INTEGER NOT NULL,
    to_status   INTEGER NOT NULL,
    changed_at  INTEGER NOT NULL,
    cause       INTEGER NOT NULL,
    actor       INTEGER NOT NULL,
    reference   TEXT NOT NULL,
    source      INTEGER NOT NULL DEFAULT -3,
    reason      INTEGER NOT NULL DEFAULT 0,
    since       INTEGER,
    note        TEXT NOT NULL DEFAULT '',
    CHECK (type >= 0 AND from_status >= 0 AND to_status >= 0 AND cause >= 0)
) STRICT;

-- The changelog is ordered by time. An index for each pair of statuses finds changes that are
-- rare or far apart; a list with one status or none is merged from its pairs.
CREATE INDEX apguard_changes_time ON apguard_changes (changed_at) WHERE from_status <> to_status;
CREATE INDEX apguard_changes_basis ON apguard_changes (changed_at) WHERE from_status = to_status;
CREATE INDEX apguard_changes_asset ON apguard_changes (asset_id, changed_at);
CREATE INDEX apguard_changes_statuses ON apguard_changes (from_status, to_status, changed_at);
CREATE INDEX apguard_changes_type ON apguard_changes (type, from_status, to_status, changed_at);

-- What operators and reviewers have decided (causes 1 to 4). It costs allowlists and lists nothing.
CREATE INDEX apguard_changes_operators ON apguard_changes (actor, changed_at)
    WHERE cause IN (1, 2, 3, 4) AND from_status <> to_status;
CREATE INDEX apguard_changes_figures ON apguard_changes (cause, changed_at)
    WHERE cause IN (1, 2, 3, 4) AND from_status <> to_status;

-- content is the submitted text, or NULL if it equals the canonical form of the asset.
-- group_id may be that of a group that was removed. expires_at is NULL for an entry without an
-- end.
CREATE TABLE apguard_allowlist (
    organization_id INTEGER NOT NULL,
    asset_id        INTEGER NOT NULL REFERENCES apguard_assets (id),
    group_id        INTEGER,
    content         TEXT,
    name            TEXT NOT NULL,
    description     TEXT NOT NULL,
    added_at        INTEGER NOT NULL,
    expires_at      INTEGER,
    PRIMARY KEY (organization_id, asset_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX apguard_allowlist_asset ON apguard_allowlist (asset_id, added_at, organization_id);
CREATE INDEX apguard_allowlist_expiry ON apguard_allowlist (expires_at, organization_id, asset_id) WHERE expires_at IS NOT NULL;

-- email_key is the form of the email in which addresses are compared. In an erased dispute it is
-- the id, and email is empty. assignee is the user who took the dispute up or closed it, or 0.
CREATE TABLE apguard_disputes (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    asset_id        INTEGER NOT NULL REFERENCES apguard_assets (id),
    content         TEXT NOT NULL,
    email           TEXT NOT NULL,
    email_key       TEXT NOT NULL,
    description     TEXT NOT NULL,
    organization_id INTEGER NOT NULL DEFAULT 0,
    created_by      INTEGER NOT NULL DEFAULT 0,
    state           TEXT NOT NULL,
    assignee        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX apguard_disputes_asset_email ON apguard_disputes (asset_id, email_key);

-- Each state is listed on its own, ordered by time. With an index of the time alone, SQLite
-- might search all older disputes for the OPEN ones. The expression keeps SQLite from using
-- the first index for one asset or email, where it would scan all disputes.
CREATE INDEX apguard_disputes_state ON apguard_disputes ((state || ''), created_at);
CREATE INDEX apguard_disputes_asset ON apguard_disputes (asset_id, state, created_at);
CREATE INDEX apguard_disputes_email ON apguard_disputes (email_key, state, created_at);
CREATE INDEX apguard_disputes_assignee ON apguard_disputes (assignee, state, created_at) WHERE assignee <> 0;

-- kind is API, EXTERNAL_LIST, TRANSITION or COMMENT. state is set only for TRANSITION.
CREATE TABLE apguard_dispute_notes (
    dispute_id INTEGER NOT NULL REFERENCES apguard_disputes (id),
    position   INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    text       TEXT NOT NULL,
    author     INTEGER NOT NULL,
    state      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (dispute_id, position)
) STRICT, WITHOUT ROWID;

-- The decisions of disputes, by their time.
CREATE INDEX apguard_dispute_notes_decided ON apguard_dispute_notes (created_at, state) WHERE state IN ('ACCEPTED', 'REJECTED');

-- Disputes that were created (OPEN) or closed, in the order of their commits.
CREATE TABLE apguard_dispute_events (
    position    INTEGER PRIMARY KEY AUTOINCREMENT,
    dispute_id  INTEGER NOT NULL,
    state       TEXT NOT NULL,
    happened_at INTEGER NOT NULL
) STRICT;

CREATE INDEX apguard_dispute_events_dispute ON apguard_dispute_events (dispute_id);

CREATE TABLE apguard_reports (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id  INTEGER NOT NULL,
    title            TEXT NOT NULL,
    title_fold       TEXT NOT NULL,
    description      TEXT NOT NULL,
    description_fold TEXT NOT NULL,
    status           TEXT NOT NULL,
    brand_id         INTEGER NOT NULL,
    reporter_id      INTEGER NOT NULL,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL
) STRICT;

CREATE INDEX apguard_reports_organization ON apguard_reports (organization_id);
CREATE INDEX apguard_reports_organization_status ON apguard_reports (organization_id, status);
CREATE INDEX apguard_reports_status ON apguard_reports (status);

-- content is the submitted text, or NULL if it equals the canonical form of the asset.
-- canonical_fold is the canonical form in folded case. The columns of the review are those
-- of the effective review.
CREATE TABLE apguard_proposals (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    report_id       INTEGER NOT NULL REFERENCES apguard_reports (id),
    asset_id        INTEGER NOT NULL REFERENCES apguard_assets (id),
    content         TEXT,
    canonical_fold  TEXT NOT NULL,
    proposed_status TEXT NOT NULL,
    review_id       INTEGER NOT NULL,
    review_status   TEXT NOT NULL,
    reviewed_by     INTEGER NOT NULL,
    reviewed_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX apguard_proposals_report ON apguard_proposals (report_id);

-- weight is 0 for a withdrawn review, 2 for APPROVE and REJECT, and 1 for others. change_id
-- is the change of the asset that an approval made, or 0, and decided_at is since of its decision.
CREATE TABLE apguard_reviews (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    proposal_id      INTEGER NOT NULL REFERENCES apguard_proposals (id),
    status           TEXT NOT NULL,
    weight           INTEGER NOT NULL,
    reviewed_by      INTEGER NOT NULL,
    reviewed_at      INTEGER NOT NULL,
    comment          TEXT NOT NULL,
    change_id        INTEGER NOT NULL,
    decided_at       INTEGER NOT NULL DEFAULT -62135596800000,
    withdrawn_by     INTEGER NOT NULL,
    withdrawn_at     INTEGER NOT NULL,
    withdrawn_reason TEXT NOT NULL
) STRICT;

CREATE INDEX apguard_reviews_proposal ON apguard_reviews (proposal_id);
CREATE INDEX apguard_reviews_weight ON apguard_reviews (proposal_id, weight);

-- id is a hash of the owner and the text of an idempotency key. answer has the result of the
-- request.
CREATE TABLE apguard_idempotency (
    id          BLOB PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    answer      BLOB NOT NULL,
    claimed_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX apguard_idempotency_time ON apguard_idempotency (claimed_at);

-- Endpoints of webhooks. events and the filters are lists of names with commas. Messages are signed
-- with the secrets, so they are stored as they are. feed_cursor is the text of a cursor, and
-- feed_position its position. batch_first and batch_last are the positions of a message that did
-- not succeed yet, or 0. lease identifies the request that is under way, until due_at.
CREATE TABLE apguard_webhooks (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    created_at       INTEGER NOT NULL,
    url              TEXT NOT NULL,
    events           TEXT NOT NULL,
    filter_types     TEXT NOT NULL,
    filter_statuses  TEXT NOT NULL,
    state            TEXT NOT NULL,
    disabled_by      TEXT NOT NULL,
    secret           TEXT NOT NULL,
    old_secret       TEXT NOT NULL,
    old_secret_until INTEGER NOT NULL,
    feed_cursor      TEXT NOT NULL,
    feed_position    INTEGER NOT NULL,
    dispute_position INTEGER NOT NULL,
    act_position     INTEGER NOT NULL,
    batch_first      INTEGER NOT NULL,
    batch_last       INTEGER NOT NULL,
    batch_dispute    INTEGER NOT NULL,
    batch_act        INTEGER NOT NULL,
    replays          INTEGER NOT NULL,
    failures         INTEGER NOT NULL,
    failing_since    INTEGER NOT NULL,
    last_status      INTEGER NOT NULL,
    last_failure     TEXT NOT NULL,
    last_at          INTEGER NOT NULL,
    last_success_at  INTEGER NOT NULL,
    due_at           INTEGER NOT NULL,
    lease            TEXT NOT NULL
) STRICT;

CREATE INDEX apguard_webhooks_due ON apguard_webhooks (due_at) WHERE state = 'ACTIVE';

-- Lists that are kept in sync with a file. begun is the number of the last sync that has begun.
-- synced_at and entries are those of the last one that was completed, and failed_at, error and
-- failures tell of those that failed since then. url, if there is one, is where the file is fetched
-- from, at next_at and then every so many milliseconds. etag and last_modified are those of the file
-- that the list holds.
CREATE TABLE apguard_lists (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    name          TEXT NOT NULL,
    format        TEXT NOT NULL,
    status        TEXT NOT NULL,
    reason        TEXT NOT NULL,
    url           TEXT NOT NULL,
    every         INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    begun         INTEGER NOT NULL,
    synced_at     INTEGER NOT NULL,
    entries       INTEGER NOT NULL,
    failed_at     INTEGER NOT NULL,
    error         TEXT NOT NULL,
    failures      INTEGER NOT NULL,
    next_at       INTEGER NOT NULL,
    etag          TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    removing      INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX apguard_lists_name ON apguard_lists (name);

-- Acts that wait for a second operator. plan is JSON, and digest is that of the plan. actor and decided_by are the IDs of users,
-- who may have been removed.
CREATE TABLE apguard_pending (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    digest     TEXT NOT NULL,
    plan       TEXT NOT NULL,
    actor      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    state      TEXT NOT NULL,
    decided_by INTEGER NOT NULL,
    decided_at INTEGER NOT NULL,
    comment    TEXT NOT NULL
) STRICT;

CREATE INDEX apguard_pending_digest ON apguard_pending (digest);
CREATE INDEX apguard_pending_state ON apguard_pending (state);

-- The audit trail. Rows are only inserted. actor and user_id are the IDs of users, who may have been
-- removed. A row has no text that somebody has written.
CREATE TABLE apguard_audit (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    happened_at     INTEGER NOT NULL,
    channel         TEXT NOT NULL,
    actor           INTEGER NOT NULL,
    actor_key       TEXT NOT NULL,
    kind            TEXT NOT NULL,
    action          TEXT NOT NULL,
    subject         TEXT NOT NULL,
    organization_id INTEGER NOT NULL,
    user_id         INTEGER NOT NULL,
    detail          TEXT NOT NULL
) STRICT;

CREATE INDEX apguard_audit_kind ON apguard_audit (kind);
CREATE INDEX apguard_audit_actor ON apguard_audit (actor);

-- The only row identifies this database.
CREATE TABLE apguard_store (
    id BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO apguard_store (id) VALUES (randomblob(16));

-- The largest position in the feed of a pruned change, and how often changes were pruned.
CREATE TABLE apguard_pruned (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL,
    prunings INTEGER NOT NULL
) STRICT;

INSERT INTO apguard_pruned (id, position, prunings) VALUES (1, 0, 0);
