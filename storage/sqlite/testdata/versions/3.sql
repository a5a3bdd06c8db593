DELETE FROM apguard_organizations;
INSERT INTO apguard_organizations (id, slug, name, deactivated) VALUES (1, 'acme', '', 0);
INSERT INTO apguard_organizations (id, slug, name, deactivated) VALUES (2, 'removed', '', 0);
INSERT INTO apguard_organizations (id, slug, name, deactivated) VALUES (3, 'texts', 'O''Brien "Straße" \ 東京
🙂', 0);
DELETE FROM apguard_groups;
INSERT INTO apguard_groups (id, organization_id, name) VALUES (1, 1, '');
INSERT INTO apguard_groups (id, organization_id, name) VALUES (2, 1, '');
INSERT INTO apguard_groups (id, organization_id, name) VALUES (3, 1, 'O''Brien "Straße" \ 東京
🙂');
DELETE FROM apguard_users;
INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation, deactivated) VALUES (1, 'Ada', 'ADA', 'ada@acme.example', 'ADA@ACME.EXAMPLE', 'ada@acme.example', 0, 0);
INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation, deactivated) VALUES (2, '', '', '', '', '', 0, 0);
INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation, deactivated) VALUES (3, 'O''Brien "Straße" \ 東京
🙂', 'O''BRIEN "STRAßE" \ 東京
🙂', 'Zoë@Texts.example', 'ZOË@TEXTS.EXAMPLE', 'zoë@texts.example', 1, 0);
DELETE FROM apguard_keys;
INSERT INTO apguard_keys (hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at) VALUES (X'0000000000000000000000000000000000000000000000000000000000000000', 1, 1, '', '', 1736071200000, -62135596800000, -62135596800000, -62135596800000);
INSERT INTO apguard_keys (hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at) VALUES (X'0700000000000000000000000000000000000000000000000000000000000000', 0, 0, '', '', 1736071200000, -62135596800000, 1736071200000, -62135596800000);
INSERT INTO apguard_keys (hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at) VALUES (X'0800000000000000000000000000000000000000000000000000000000000000', 0, 0, '', '', 1736071200000, 1736071200000, -62135596800000, -62135596800000);
INSERT INTO apguard_keys (hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at) VALUES (X'0900000000000000000000000000000000000000000000000000000000000000', 1, 3, 'O''Brien "Straße" \ 東京
🙂', 'changelog,dispute,allowlist,reports,report:write,check', 1736071200000, 2020068000000, -62135596800000, -62135596800000);
DELETE FROM apguard_assets;
INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical, source, reason, since, note) VALUES (1, X'F1625EE8AF4F7F57BE99C3A1E8A11B0AAE5446BA5B0758F0', 0, 0, -62135596800000, 'https://a.example', -3, 0, NULL, '');
INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical, source, reason, since, note) VALUES (2, X'5D67541CD1F3951D2DCB1EB82014CAD8C1D114E700AC200F', 0, 2, 1736071200000, 'https://b-0.example', 0, 10, 1736071200001, '');
INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical, source, reason, since, note) VALUES (3, X'93BE0BC7C883F3073260A2C7057F4014775AF645C12B2EC2', 0, 2, 1736071200000, 'https://b-1.example', 0, 10, 1736071200001, '');
INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical, source, reason, since, note) VALUES (4, X'2413D1EEF51C9A27CF40784BBF1473A6FBBD31B84631200C', 0, 1, 1736071200000, 'https://b-2.example', -2, 0, NULL, '');
INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical, source, reason, since, note) VALUES (6, X'5202E4FCD0DF8B8F17B0D47340DA2F215ACEF172EB813F40', 0, 2, 1736071200000, 'https://listed.example', 1, 1, NULL, '');
INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical, source, reason, since, note) VALUES (7, X'AF909B268488C19AC246E7C426F50AA20AC1C34836BC8FB1', 0, 2, 1736071200000, 'https://ending.example', 0, 10, NULL, '');
INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical, source, reason, since, note) VALUES (8, X'47E8E9A12822BF24F7D3CA6E7EE507629498F287E4D6C4C8', 0, 0, -62135596800000, 'https://pruned.example', -3, 0, NULL, '');
INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical, source, reason, since, note) VALUES (9, X'4720219B8A13B3BC26F65E20F8491DB5FE9BBDD2585B5FE9', 0, 2, 1736071200000, 'https://texts.example', 0, 2, 1736071200001, 'O''Brien "Straße" \ 東京 🙂');
DELETE FROM apguard_decisions;
INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, expires_at, review_at, actor, note, reference) VALUES (2, 0, 2, 10, 4, 1736071200001, NULL, NULL, 0, '', '');
INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, expires_at, review_at, actor, note, reference) VALUES (3, 0, 2, 10, 1, 1736071200001, NULL, NULL, 0, '', 'report/2');
INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, expires_at, review_at, actor, note, reference) VALUES (6, 1, 2, 1, 8, 1736071200000, NULL, NULL, 0, '', '');
INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, expires_at, review_at, actor, note, reference) VALUES (7, 0, 2, 10, 4, 1736071200000, 1736071260000, NULL, 0, '', '');
INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, expires_at, review_at, actor, note, reference) VALUES (9, 0, 2, 2, 4, 1736071200001, 1767607200000, 1736074800000, 3, 'O''Brien "Straße" \ 東京 🙂', 'O''Brien "Straße" \ 東京
🙂');
DELETE FROM apguard_changes;
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (1, 2, 0, 0, 1, 1736071200000, 0, 0, '', -2, 0, NULL, '');
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (2, 3, 0, 0, 1, 1736071200000, 0, 0, '', -2, 0, NULL, '');
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (3, 4, 0, 0, 1, 1736071200000, 0, 0, '', -2, 0, NULL, '');
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (4, 3, 0, 1, 2, 1736071200000, 1, 0, 'report/2', 0, 10, 1736071200001, '');
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (5, 2, 0, 1, 2, 1736071200000, 4, 0, '', 0, 10, 1736071200001, '');
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (6, 6, 0, 0, 2, 1736071200000, 8, 0, '', 1, 1, NULL, '');
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (7, 7, 0, 0, 2, 1736071200000, 4, 0, '', 0, 10, NULL, '');
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (8, 9, 0, 0, 1, 1736071200000, 0, 0, '', -2, 0, NULL, '');
INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference, source, reason, since, note) VALUES (9, 9, 0, 1, 2, 1736071200000, 4, 3, 'O''Brien "Straße" \ 東京
🙂', 0, 2, 1736071200001, 'O''Brien "Straße" \ 東京 🙂');
DELETE FROM apguard_allowlist;
INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at) VALUES (1, 2, NULL, NULL, '', '', 1736071200000, NULL);
INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at) VALUES (1, 3, NULL, NULL, '', '', 1736071200000, NULL);
INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at) VALUES (1, 4, NULL, NULL, '', '', 1736071200000, 1738749600000);
INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at) VALUES (1, 9, 3, 'HTTPS://Texts.Example/', 'O''Brien "Straße" \ 東京
🙂', 'O''Brien "Straße" \ 東京
🙂', 1736071200000, NULL);
DELETE FROM apguard_disputes;
INSERT INTO apguard_disputes (id, asset_id, content, email, email_key, description, organization_id, created_by, state, assignee, created_at, updated_at) VALUES (1, 1, 'https://a.example', 'ada@acme.example', 'ada@acme.example', '', 0, 0, 'OPEN', 0, 1736071200000, 1736071200000);
INSERT INTO apguard_disputes (id, asset_id, content, email, email_key, description, organization_id, created_by, state, assignee, created_at, updated_at) VALUES (2, 8, 'https://pruned.example', 'ada@acme.example', 'ada@acme.example', '', 0, 0, 'REJECTED', 0, 1736071200000, 1736071200000);
INSERT INTO apguard_disputes (id, asset_id, content, email, email_key, description, organization_id, created_by, state, assignee, created_at, updated_at) VALUES (3, 9, 'HTTPS://Texts.Example/', 'ada@acme.example', 'ada@acme.example', 'O''Brien "Straße" \ 東京
🙂', 1, 3, 'UNDER_REVIEW', 3, 1736071200000, 1736071200000);
DELETE FROM apguard_dispute_notes;
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES (1, 0, 'API', 'note', 0, '', 1736071200000, 0);
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES (2, 0, 'API', 'note', 0, '', 1736071200000, 0);
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES (2, 1, 'TRANSITION', '', 0, 'REJECTED', 1736071200000, 0);
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES (3, 0, 'API', 'O''Brien "Straße" \ 東京
🙂', 0, '', 1736071200000, 0);
INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at, assignee) VALUES (3, 1, 'TRANSITION', 'O''Brien "Straße" \ 東京
🙂', 3, 'UNDER_REVIEW', 1736071200000, 0);
DELETE FROM apguard_dispute_events;
INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at) VALUES (1, 1, 'OPEN', 1736071200000);
INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at) VALUES (2, 2, 'OPEN', 1736071200000);
INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at) VALUES (3, 2, 'REJECTED', 1736071200000);
INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at) VALUES (4, 3, 'OPEN', 1736071200000);
DELETE FROM apguard_reports;
INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold, status, brand_id, reporter_id, created_at, updated_at) VALUES (1, 1, 'Title', 'TITLE', '', '', 'TODO', 0, 0, 1736071200000, 1736071200000);
INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold, status, brand_id, reporter_id, created_at, updated_at) VALUES (2, 1, 'Title', 'TITLE', '', '', 'CLOSED', 0, 0, 1736071200000, 1736071200000);
INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold, status, brand_id, reporter_id, created_at, updated_at) VALUES (3, 1, 'Title', 'TITLE', '', '', 'CLOSED', 0, 0, 1736071200000, 1736071200000);
INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold, status, brand_id, reporter_id, created_at, updated_at) VALUES (4, 1, 'O''Brien "Straße" \ 東京
🙂', 'O''BRIEN "STRAßE" \ 東京
🙂', 'O''Brien "Straße" \ 東京
🙂', 'O''BRIEN "STRAßE" \ 東京
🙂', 'TODO', 7, 3, 1736071200000, 1736071200000);
DELETE FROM apguard_proposals;
INSERT INTO apguard_proposals (id, report_id, asset_id, content, canonical_fold, proposed_status, review_id, review_status, reviewed_by, reviewed_at) VALUES (1, 1, 1, NULL, 'HTTPS://A.EXAMPLE', 'BLOCKED', 0, '', 0, -62135596800000);
INSERT INTO apguard_proposals (id, report_id, asset_id, content, canonical_fold, proposed_status, review_id, review_status, reviewed_by, reviewed_at) VALUES (2, 2, 3, NULL, 'HTTPS://B-1.EXAMPLE', 'BLOCKED', 2, 'APPROVE', 0, 1736071200000);
INSERT INTO apguard_proposals (id, report_id, asset_id, content, canonical_fold, proposed_status, review_id, review_status, reviewed_by, reviewed_at) VALUES (3, 3, 8, NULL, 'HTTPS://PRUNED.EXAMPLE', 'BLOCKED', 3, 'REJECT', 0, 1736071200000);
INSERT INTO apguard_proposals (id, report_id, asset_id, content, canonical_fold, proposed_status, review_id, review_status, reviewed_by, reviewed_at) VALUES (4, 4, 9, 'HTTPS://Texts.Example/', 'HTTPS://TEXTS.EXAMPLE', 'BLOCKED', 0, '', 0, -62135596800000);
DELETE FROM apguard_reviews;
INSERT INTO apguard_reviews (id, proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, decided_at, withdrawn_by, withdrawn_at, withdrawn_reason) VALUES (1, 2, 'REJECT', 0, 0, 1736071200000, '', 0, -62135596800000, 0, 1736071200000, '');
INSERT INTO apguard_reviews (id, proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, decided_at, withdrawn_by, withdrawn_at, withdrawn_reason) VALUES (2, 2, 'APPROVE', 2, 0, 1736071200000, '', 4, 1736071200001, 0, -62135596800000, '');
INSERT INTO apguard_reviews (id, proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, decided_at, withdrawn_by, withdrawn_at, withdrawn_reason) VALUES (3, 3, 'REJECT', 2, 0, 1736071200000, '', 0, -62135596800000, 0, -62135596800000, '');
DELETE FROM apguard_idempotency;
INSERT INTO apguard_idempotency (id, fingerprint, answer, claimed_at) VALUES (X'3DBFBBAB54F2BE0421747F59CBCF5B46BAA3AEE7FF9ADC0B33513E78CAC83034', X'D1C71EE448DDE774E93E5B23A4D471C4D4E868AFBFD1242BAF3DFC4399F169D0', X'7B226964223A312C2261737365744964223A312C226E6F746573223A5B7B226B696E64223A22415049222C2274657874223A226E6F7465222C22637265617465644174223A22323032352D30312D30355431303A30303A30305A227D5D2C22637265617465644174223A22323032352D30312D30355431303A30303A30305A227D', 1736071200000);
DELETE FROM apguard_webhooks;
INSERT INTO apguard_webhooks (id, created_at, url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret, old_secret_until, feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since, last_status, last_failure, last_at, last_success_at, due_at, lease) VALUES (1, -62135596800000, '', '', '', '', 'ACTIVE', '', '', '', -62135596800000, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, -62135596800000, 0, '', -62135596800000, -62135596800000, -62135596800000, '');
INSERT INTO apguard_webhooks (id, created_at, url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret, old_secret_until, feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since, last_status, last_failure, last_at, last_success_at, due_at, lease) VALUES (2, -62135596800000, '', '', '', '', 'ACTIVE', '', '', '', -62135596800000, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, -62135596800000, 0, '', -62135596800000, -62135596800000, -62135596800000, '');
INSERT INTO apguard_webhooks (id, created_at, url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret, old_secret_until, feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since, last_status, last_failure, last_at, last_success_at, due_at, lease) VALUES (3, 1736071200000, 'https://texts.example/hook?a=''b''', 'asset.status_changed,dispute.created,dispute.resolved,pending.created', 'URL,PAGE', 'BLOCKED', 'PAUSED', '', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 1736071200000, '', 0, 0, 0, 0, 0, 0, 0, 0, 2, 1736071200000, 0, '', 1736071200000, 1736071200000, 1736071200000, '');
DELETE FROM apguard_lists;
INSERT INTO apguard_lists (id, name, format, status, reason, url, every, created_at, begun, synced_at, entries, failed_at, error, failures, next_at, etag, last_modified, removing) VALUES (1, 'list', '', '', '', '', 0, -62135596800000, 0, -62135596800000, 0, -62135596800000, '', 0, -62135596800000, '', '', 0);
INSERT INTO apguard_lists (id, name, format, status, reason, url, every, created_at, begun, synced_at, entries, failed_at, error, failures, next_at, etag, last_modified, removing) VALUES (2, 'removed', '', '', '', '', 0, -62135596800000, 0, -62135596800000, 0, -62135596800000, '', 0, -62135596800000, '', '', 0);
INSERT INTO apguard_lists (id, name, format, status, reason, url, every, created_at, begun, synced_at, entries, failed_at, error, failures, next_at, etag, last_modified, removing) VALUES (3, 'texts', 'hosts', 'BLOCKED', 'MALWARE', 'O''Brien "Straße" \ 東京
🙂', 3600000, 1736071200000, 2, 1736071200000, 7, 1736071200001, 'O''Brien "Straße" \ 東京
🙂', 3, 1736074800000, 'O''Brien "Straße" \ 東京
🙂', 'O''Brien "Straße" \ 東京
🙂', 1);
DELETE FROM apguard_pending;
INSERT INTO apguard_pending (id, digest, plan, actor, created_at, expires_at, state, decided_by, decided_at, comment) VALUES (1, '70f8d706b952379ffb36567f2c17974ff2f5a2d00948c935ac897ee40233d61f', '{"kind":"BLOCK_PROTECTED","assets":[{"identity":{"type":"URL","canonical":"https://asked.example"},"status":"","protection":{"Reason":"","By":""}}]}', 1, 1736071200000, 1736157600000, 'PENDING', 0, -62135596800000, '');
DELETE FROM apguard_audit;
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (1, 1736071200000, 'APPLICATION', 0, '', 'KEY', 'REVOKED', '070000000000', 0, 0, '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (2, 1736071200000, '', 0, '', 'USER', 'CREATED', '1', 0, 0, '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (3, 1736071200000, '', 0, '', 'USER', 'CREATED', '2', 0, 0, '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (4, 1736071200000, '', 0, '', 'USER', 'CREATED', '7', 0, 0, '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (5, 1736071200000, '', 0, '', 'USER', 'CREATED', '7', 0, 0, '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (6, 1736071200000, '', 0, '', 'USER', 'CREATED', '3', 0, 0, '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (7, 1736071200000, '', 0, '', 'USER', 'CREATED', '7', 0, 0, 'changelog,dispute,allowlist,reports,report:write,check');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (8, 1736071200000, '', 0, '', 'USER', 'CREATED', '3', 0, 0, '');
INSERT INTO apguard_audit (id, happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail) VALUES (9, 1736071200000, '', 0, '', 'USER', 'CREATED', '3', 0, 0, '');
DELETE FROM apguard_store;
INSERT INTO apguard_store (id) VALUES (X'AA6601401320570A5D35766BE65B5B33');
DELETE FROM apguard_pruned;
INSERT INTO apguard_pruned (id, position, prunings) VALUES (1, 0, 0);
DELETE FROM apguard_rules;
INSERT INTO apguard_rules (id, version) VALUES (1, 1);
