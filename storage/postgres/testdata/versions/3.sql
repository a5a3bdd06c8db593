DELETE FROM apguard_organizations;
INSERT INTO apguard_organizations (id, slug, name, deactivated) VALUES ('1', 'acme', '', 'false');
INSERT INTO apguard_organizations (id, slug, name, deactivated) VALUES ('2', 'removed', '', 'false');
INSERT INTO apguard_organizations (id, slug, name, deactivated) VALUES ('3', 'texts', E'O''Brien "Straße" \\ 東京
🙂', 'false');
DELETE FROM apguard_groups;
INSERT INTO apguard_groups (id, organization_id, name) VALUES ('1', '1', '');
INSERT INTO apguard_groups (id, organization_id, name) VALUES ('2', '1', '');
INSERT INTO apguard_groups (id, organization_id, name) VALUES ('3', '1', E'O''Brien "Straße" \\ 東京
🙂');
DELETE FROM apguard_users;
INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation, deactivated) VALUES ('1', 'Ada', 'ADA', 'ada@acme.example', 'ADA@ACME.EXAMPLE', 'ada@acme.example', 'false', 'false');
INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation, deactivated) VALUES ('2', '', '', '', '', '', 'false', 'false');
INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation, deactivated) VALUES ('3', E'O''Brien "Straße" \\ 東京
🙂', E'O''BRIEN "STRAßE" \\ 東京
🙂', 'Zoë@Texts.example', 'ZOË@TEXTS.EXAMPLE', 'zoë@texts.example', 'true', 'false');
DELETE FROM apguard_keys;
INSERT INTO apguard_keys (hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at) VALUES (E'\\x0000000000000000000000000000000000000000000000000000000000000000', '1', '1', '', '', '1736071200000', '-62135596800000', '-62135596800000', '-62135596800000');
INSERT INTO apguard_keys (hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at) VALUES (E'\\x0700000000000000000000000000000000000000000000000000000000000000', '0', '0', '', '', '1736071200000', '-62135596800000', '1736071200000', '-62135596800000');
INSERT INTO apguard_keys (hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at) VALUES (E'\\x0800000000000000000000000000000000000000000000000000000000000000', '0', '0', '', '', '1736071200000', '1736071200000', '-62135596800000', '-62135596800000');
INSERT INTO apguard_keys (hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at) VALUES (E'\\x0900000000000000000000000000000000000000000000000000000000000000', '1', '3', E'O''Brien "Straße" \\ 東京
🙂', 'changelog,dispute,allowlist,reports,report:write,check', '1736071200000', '2020068000000', '-62135596800000', '-62135596800000');
DELETE FROM apguard_assets;
INSERT INTO apguard_assets (id, changed_at, type, status, identity_hash, reason, source, since, canonical, note) VALUES ('1', '-62135596800000', '0', '0', E'\\xf1625ee8af4f7f57be99c3a1e8a11b0aae5446ba5b0758f0', '0', '-3', NULL, 'https://a.example', '');
INSERT INTO apguard_assets (id, changed_at, type, status, identity_hash, reason, source, since, canonical, note) VALUES ('2', '1736071200000', '0', '2', E'\\x5d67541cd1f3951d2dcb1eb82014cad8c1d114e700ac200f', '10', '0', '1736071200001', 'https://b-0.example', '');
INSERT INTO apguard_assets (id, changed_at, type, status, identity_hash, reason, source, since, canonical, note) VALUES ('3', '1736071200000', '0', '2', E'\\x93be0bc7c883f3073260a2c7057f4014775af645c12b2ec2', '10', '0', '1736071200001', 'https://b-1.example', '');
INSERT INTO apguard_assets (id, changed_at, type, status, identity_hash, reason, source, since, canonical, note) VALUES ('4', '1736071200000', '0', '1', E'\\x2413d1eef51c9a27cf40784bbf1473a6fbbd31b84631200c', '0', '-2', NULL, 'https://b-2.example', '');
INSERT INTO apguard_assets (id, changed_at, type, status, identity_hash, reason, source, since, canonical, note) VALUES ('6', '1736071200000', '0', '2', E'\\x5202e4fcd0df8b8f17b0d47340da2f215acef172eb813f40', '1', '1', NULL, 'https://listed.example', '');
INSERT INTO apguard_assets (id, changed_at, type, status, identity_hash, reason, source, since, canonical, note) VALUES ('7', '1736071200000', '0', '2', E'\\xaf909b268488c19ac246e7c426f50aa20ac1c34836bc8fb1', '10', '0', NULL, 'https://ending.example', '');
INSERT INTO apguard_assets (id, changed_at, type, status, identity_hash, reason, source, since, canonical, note) VALUES ('8', '-62135596800000', '0', '0', E'\\x47e8e9a12822bf24f7d3ca6e7ee507629498f287e4d6c4c8', '0', '-3', NULL, 'https://pruned.example', '');
INSERT INTO apguard_assets (id, changed_at, type, status, identity_hash, reason, source, since, canonical, note) VALUES ('9', '1736071200000', '0', '2', E'\\x4720219b8a13b3bc26f65e20f8491db5fe9bbdd2585b5fe9', '2', '0', '1736071200001', 'https://texts.example', E'O''Brien "Straße" \\ 東京 🙂');
DELETE FROM apguard_decisions;
INSERT INTO apguard_decisions (asset_id, source, since, expires_at, review_at, actor, status, reason, cause, note, reference) VALUES ('2', '0', '1736071200001', NULL, NULL, '0', '2', '10', '4', '', '');
INSERT INTO apguard_decisions (asset_id, source, since, expires_at, review_at, actor, status, reason, cause, note, reference) VALUES ('3', '0', '1736071200001', NULL, NULL, '0', '2', '10', '1', '', 'report/2');
INSERT INTO apguard_decisions (asset_id, source, since, expires_at, review_at, actor, status, reason, cause, note, reference) VALUES ('6', '1', '1736071200000', NULL, NULL, '0', '2', '1', '8', '', '');
INSERT INTO apguard_decisions (asset_id, source, since, expires_at, review_at, actor, status, reason, cause, note, reference) VALUES ('7', '0', '1736071200000', '1736071260000', NULL, '0', '2', '10', '4', '', '');
INSERT INTO apguard_decisions (asset_id, source, since, expires_at, review_at, actor, status, reason, cause, note, reference) VALUES ('9', '0', '1736071200001', '1767607200000', '1736074800000', '3', '2', '2', '4', E'O''Brien "Straße" \\ 東京 🙂', E'O''Brien "Straße" \\ 東京
🙂');
DELETE FROM apguard_changes;
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('1', '2', '1736071200000', '0', '0', '0', '1', '0', '0', '-2', NULL, '', '');
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('1001', '3', '1736071200000', '0', '0', '1', '2', '1', '10', '0', '1736071200001', 'report/2', '');
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('2', '3', '1736071200000', '0', '0', '0', '1', '0', '0', '-2', NULL, '', '');
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('2001', '2', '1736071200000', '0', '0', '1', '2', '4', '10', '0', '1736071200001', '', '');
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('3', '4', '1736071200000', '0', '0', '0', '1', '0', '0', '-2', NULL, '', '');
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('3001', '6', '1736071200000', '0', '0', '0', '2', '8', '1', '1', NULL, '', '');
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('4001', '7', '1736071200000', '0', '0', '0', '2', '4', '10', '0', NULL, '', '');
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('5001', '9', '1736071200000', '0', '0', '0', '1', '0', '0', '-2', NULL, '', '');
INSERT INTO apguard_changes (id, asset_id, changed_at, actor, type, from_status, to_status, cause, reason, source, since, reference, note) VALUES ('6001', '9', '1736071200000', '3', '0', '1', '2', '4', '2', '0', '1736071200001', E'O''Brien "Straße" \\ 東京
🙂', E'O''Brien "Straße" \\ 東京 🙂');
DELETE FROM apguard_allowlist;
INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at) VALUES ('1', '2', NULL, NULL, '', '', '1736071200000', NULL);
INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at) VALUES ('1', '3', NULL, NULL, '', '', '1736071200000', NULL);
INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at) VALUES ('1', '4', NULL, NULL, '', '', '1736071200000', '1738749600000');
INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at) VALUES ('1', '9', '3', 'HTTPS://Texts.Example/', E'O''Brien "Straße" \\ 東京
🙂', E'O''Brien "Straße" \\ 東京
🙂', '1736071200000', NULL);
DELETE FROM apguard_disputes;
INSERT INTO apguard_disputes (id, asset_id, content, email, email_key, description, organization_id, created_by, state, assignee, created_at, updated_at) VALUES ('1', '1', 'https://a.example', 'ada@acme.example', 'ada@acme.example', '', '0', '0', 'OPEN', '0', '1736071200000', '1736071200000');
INSERT INTO apguard_disputes (id, asset_id, content, email, email_key, description, organization_id, created_by, state, assignee, created_at, updated_at) VALUES ('2', '8', 'https://pruned.example', 'ada@acme.example', 'ada@acme.example', '', '0', '0', 'REJECTED', '0', '1736071200000', '1736071200000');
INSERT INTO apguard_disputes (id, asset_id, content, email, email_key, description, organization_id, created_by, state, assignee, created_at, updated_at) VALUES ('3', '9', 'HTTPS://Texts.Example/', 'ada@acme.example', 'ada@acme.example', E'O''Brien "Straße" \\ 東京
🙂', '1', '3', 'UNDER_REVIEW', '3', '1736071200000', '1736071200000');
DELETE FROM apguard_dispute_notes;
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES ('1', '0', 'API', 'note', '0', '', '1736071200000', '0');
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES ('2', '0', 'API', 'note', '0', '', '1736071200000', '0');
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES ('2', '1', 'TRANSITION', '', '0', 'REJECTED', '1736071200000', '0');
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES ('3', '0', 'API', E'O''Brien "Straße" \\ 東京
🙂', '0', '', '1736071200000', '0');
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES ('3', '1', 'TRANSITION', E'O''Brien "Straße" \\ 東京
🙂', '3', 'UNDER_REVIEW', '1736071200000', '0');
DELETE FROM apguard_dispute_events;
INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at) VALUES ('1', '1', 'OPEN', '1736071200000');
INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at) VALUES ('2', '2', 'OPEN', '1736071200000');
INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at) VALUES ('3', '2', 'REJECTED', '1736071200000');
INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at) VALUES ('4', '3', 'OPEN', '1736071200000');
DELETE FROM apguard_reports;
INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold, status, brand_id, reporter_id, created_at, updated_at) VALUES ('1', '1', 'Title', 'TITLE', '', '', 'TODO', '0', '0', '1736071200000', '1736071200000');
INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold, status, brand_id, reporter_id, created_at, updated_at) VALUES ('2', '1', 'Title', 'TITLE', '', '', 'CLOSED', '0', '0', '1736071200000', '1736071200000');
INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold, status, brand_id, reporter_id, created_at, updated_at) VALUES ('3', '1', 'Title', 'TITLE', '', '', 'CLOSED', '0', '0', '1736071200000', '1736071200000');
INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold, status, brand_id, reporter_id, created_at, updated_at) VALUES ('4', '1', E'O''Brien "Straße" \\ 東京
🙂', E'O''BRIEN "STRAßE" \\ 東京
🙂', E'O''Brien "Straße" \\ 東京
🙂', E'O''BRIEN "STRAßE" \\ 東京
🙂', 'TODO', '7', '3', '1736071200000', '1736071200000');
DELETE FROM apguard_proposals;
INSERT INTO apguard_proposals (id, report_id, asset_id, content, canonical_fold, proposed_status, review_id, review_status, reviewed_by, reviewed_at) VALUES ('1', '1', '1', NULL, 'HTTPS://A.EXAMPLE', 'BLOCKED', '0', '', '0', '-62135596800000');
INSERT INTO apguard_proposals (id, report_id, asset_id, content, canonical_fold, proposed_status, review_id, review_status, reviewed_by, reviewed_at) VALUES ('2', '2', '3', NULL, 'HTTPS://B-1.EXAMPLE', 'BLOCKED', '2', 'APPROVE', '0', '1736071200000');
INSERT INTO apguard_proposals (id, report_id, asset_id, content, canonical_fold, proposed_status, review_id, review_status, reviewed_by, reviewed_at) VALUES ('3', '3', '8', NULL, 'HTTPS://PRUNED.EXAMPLE', 'BLOCKED', '3', 'REJECT', '0', '1736071200000');
INSERT INTO apguard_proposals (id, report_id, asset_id, content, canonical_fold, proposed_status, review_id, review_status, reviewed_by, reviewed_at) VALUES ('4', '4', '9', 'HTTPS://Texts.Example/', 'HTTPS://TEXTS.EXAMPLE', 'BLOCKED', '0', '', '0', '-62135596800000');
DELETE FROM apguard_reviews;
INSERT INTO apguard_reviews (id, proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, decided_at, withdrawn_by, withdrawn_at, withdrawn_reason) VALUES ('1', '2', 'REJECT', '0', '0', '1736071200000', '', '0', '-62135596800000', '0', '1736071200000', '');
INSERT INTO apguard_reviews (id, proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, decided_at, withdrawn_by, withdrawn_at, withdrawn_reason) VALUES ('2', '2', 'APPROVE', '2', '0', '1736071200000', '', '1001', '1736071200001', '0', '-62135596800000', '');
INSERT INTO apguard_reviews (id, proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, decided_at, withdrawn_by, withdrawn_at, withdrawn_reason) VALUES ('3', '3', 'REJECT', '2', '0', '1736071200000', '', '0', '-62135596800000', '0', '-62135596800000', '');
DELETE FROM apguard_idempotency;
INSERT INTO apguard_idempotency (id, fingerprint, answer, claimed_at) VALUES (E'\\x3dbfbbab54f2be0421747f59cbcf5b46baa3aee7ff9adc0b33513e78cac83034', E'\\xd1c71ee448dde774e93e5b23a4d471c4d4e868afbfd1242baf3dfc4399f169d0', E'\\x7b226964223a312c2261737365744964223a312c226e6f746573223a5b7b226b696e64223a22415049222c2274657874223a226e6f7465222c22637265617465644174223a22323032352d30312d30355431303a30303a30305a227d5d2c22637265617465644174223a22323032352d30312d30355431303a30303a30305a227d', '1736071200000');
DELETE FROM apguard_webhooks;
INSERT INTO apguard_webhooks (id, created_at, url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret, old_secret_until, feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since, last_status, last_failure, last_at, last_success_at, due_at, lease) VALUES ('1', '-62135596800000', '', '', '', '', 'ACTIVE', '', '', '', '-62135596800000', '', '0', '0', '0', '0', '0', 'false', 'false', '0', '0', '-62135596800000', '0', '', '-62135596800000', '-62135596800000', '-62135596800000', '');
INSERT INTO apguard_webhooks (id, created_at, url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret, old_secret_until, feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since, last_status, last_failure, last_at, last_success_at, due_at, lease) VALUES ('2', '-62135596800000', '', '', '', '', 'ACTIVE', '', '', '', '-62135596800000', '', '0', '0', '0', '0', '0', 'false', 'false', '0', '0', '-62135596800000', '0', '', '-62135596800000', '-62135596800000', '-62135596800000', '');
INSERT INTO apguard_webhooks (id, created_at, url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret, old_secret_until, feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since, last_status, last_failure, last_at, last_success_at, due_at, lease) VALUES ('3', '1736071200000', 'https://texts.example/hook?a=''b''', 'asset.status_changed,dispute.created,dispute.resolved,pending.created', 'URL,PAGE', 'BLOCKED', 'PAUSED', '', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '1736071200000', '', '0', '0', '0', '0', '0', 'false', 'false', '0', '2', '1736071200000', '0', '', '1736071200000', '1736071200000', '1736071200000', '');
DELETE FROM apguard_lists;
INSERT INTO apguard_lists (id, name, format, status, reason, url, every, created_at, begun, synced_at, entries, failed_at, error, failures, next_at, etag, last_modified, removing) VALUES ('1', 'list', '', '', '', '', '0', '-62135596800000', '0', '-62135596800000', '0', '-62135596800000', '', '0', '-62135596800000', '', '', 'false');
INSERT INTO apguard_lists (id, name, format, status, reason, url, every, created_at, begun, synced_at, entries, failed_at, error, failures, next_at, etag, last_modified, removing) VALUES ('2', 'removed', '', '', '', '', '0', '-62135596800000', '0', '-62135596800000', '0', '-62135596800000', '', '0', '-62135596800000', '', '', 'false');
INSERT INTO apguard_lists (id, name, format, status, reason, url, every, created_at, begun, synced_at, entries, failed_at, error, failures, next_at, etag, last_modified, removing) VALUES ('3', 'texts', 'hosts', 'BLOCKED', 'MALWARE', E'O''Brien "Straße" \\ 東京
🙂', '3600000', '1736071200000', '2', '1736071200000', '7', '1736071200001', E'O''Brien "Straße" \\ 東京
🙂', '3', '1736074800000', E'O''Brien "Straße" \\ 東京
🙂', E'O''Brien "Straße" \\ 東京
🙂', 'true');
DELETE FROM apguard_pending;
INSERT INTO apguard_pending (id, digest, plan, actor, created_at, expires_at, state, decided_by, decided_at, comment) VALUES ('1', '70f8d706b952379ffb36567f2c17974ff2f5a2d00948c935ac897ee40233d61f', '{"kind":"BLOCK_PROTECTED","assets":[{"identity":{"type":"URL","canonical":"https://asked.example"},"status":"","protection":{"Reason":"","By":""}}]}', '1', '1736071200000', '1736157600000', 'PENDING', '0', '-62135596800000', '');
DELETE FROM apguard_audit;
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('1', '1736071200000', 'APPLICATION', '0', '', 'KEY', 'REVOKED', '070000000000', '0', '0', '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('2', '1736071200000', '', '0', '', 'USER', 'CREATED', '1', '0', '0', '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('3', '1736071200000', '', '0', '', 'USER', 'CREATED', '2', '0', '0', '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('4', '1736071200000', '', '0', '', 'USER', 'CREATED', '7', '0', '0', '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('5', '1736071200000', '', '0', '', 'USER', 'CREATED', '7', '0', '0', '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('6', '1736071200000', '', '0', '', 'USER', 'CREATED', '3', '0', '0', '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('7', '1736071200000', '', '0', '', 'USER', 'CREATED', '7', '0', '0', 'changelog,dispute,allowlist,reports,report:write,check');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('8', '1736071200000', '', '0', '', 'USER', 'CREATED', '3', '0', '0', '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES ('9', '1736071200000', '', '0', '', 'USER', 'CREATED', '3', '0', '0', '');
DELETE FROM apguard_locks;
INSERT INTO apguard_locks (name, taken) VALUES ('groups', '3');
INSERT INTO apguard_locks (name, taken) VALUES ('lists', '3');
INSERT INTO apguard_locks (name, taken) VALUES ('organizations', '4');
INSERT INTO apguard_locks (name, taken) VALUES ('pending', '1');
INSERT INTO apguard_locks (name, taken) VALUES ('pruning', '0');
DELETE FROM apguard_store;
INSERT INTO apguard_store (id, last_position, last_dispute_event, published_at) VALUES (E'\\xa0eb24659f5f439b830602cbf052bf78', '9', '4', '1796062678976');
DELETE FROM apguard_pruned;
INSERT INTO apguard_pruned (id, position, prunings) VALUES ('1', '0', '0');
DELETE FROM apguard_feed;
INSERT INTO apguard_feed (first_change, position, changes) VALUES ('1', '1', '3');
INSERT INTO apguard_feed (first_change, position, changes) VALUES ('1001', '4', '1');
INSERT INTO apguard_feed (first_change, position, changes) VALUES ('2001', '5', '1');
INSERT INTO apguard_feed (first_change, position, changes) VALUES ('3001', '6', '1');
INSERT INTO apguard_feed (first_change, position, changes) VALUES ('4001', '7', '1');
INSERT INTO apguard_feed (first_change, position, changes) VALUES ('5001', '8', '1');
INSERT INTO apguard_feed (first_change, position, changes) VALUES ('6001', '9', '1');
DELETE FROM apguard_dispute_queue;
DELETE FROM apguard_rules;
INSERT INTO apguard_rules (id, version) VALUES ('1', '1');
SELECT setval('apguard_assets_id_seq', 10);
SELECT setval('apguard_audit_id_seq', 9);
SELECT setval('apguard_changes_id_seq', 6001);
SELECT setval('apguard_dispute_queue_id_seq', 4);
SELECT setval('apguard_disputes_id_seq', 3);
SELECT setval('apguard_groups_id_seq', 3);
SELECT setval('apguard_lists_id_seq', 3);
SELECT setval('apguard_pending_id_seq', 1);
SELECT setval('apguard_proposals_id_seq', 4);
SELECT setval('apguard_reports_id_seq', 4);
SELECT setval('apguard_reviews_id_seq', 3);
SELECT setval('apguard_schema_version_id_seq', 4);
SELECT setval('apguard_webhooks_id_seq', 3);
