// Package postgres is a store in a PostgreSQL database.
//
// [Open] connects with a connection string, brings an older schema up to date and
// refuses a newer one. [New] and [Migrate] do the same on a pool that the host has
// opened, and [InTx] in a transaction that the host has begun. The driver is
// github.com/jackc/pgx/v5. The tests ran on PostgreSQL 15; it must be 13 or
// later.
//
// # What it promises
//
// A call that returns without error is committed: it survives what the server's
// settings let a commit survive. A call that returns an error has stored nothing,
// but for [ErrOutcomeUnknown]. A context that ends also ends the wait for a lock;
// once the server was told to commit, the call waits for its answer instead.
//
// Any number of stores, in any number of processes, may use the same database, and
// may open it for the first time at the same moment. Writers wait for each other
// only where they write the same things.
//
// # The feed of changes
//
// asset.Store's Since gives each change its position in the feed after it was
// committed, so that a transaction which commits late comes late. It writes when
// there are changes that no follower has asked for yet, and is then alone in that:
// a second follower waits, and those who record changes do not. What a follower
// that is lost on the way has written is rolled back, or there for all others.
//
// The longer some transaction of the same database stays open, such as a dump, the
// more following costs meanwhile: the server cannot clear away what it has to look
// past, and each call looks past all changes that were first followed since then.
//
// # Repetitions
//
// A call that writes is one transaction with READ COMMITTED, whatever the server's
// default is. The store runs it again from its beginning, at most
// [Options].MaxRetries times,
//
//   - when the server has ended it in favor of another one: a serialization
//     failure (40001), a deadlock (40P01), or an identifier that another one
//     was taking at that moment (23505). In a host's transaction with REPEATABLE
//     READ, which is not run again, the code can also mean an entry of an allowlist
//     that another one has added since;
//   - when the connection was lost before the server was told to commit, as the
//     server rolls back then.
//
// Before each repetition it waits for a random time, at most 4 milliseconds the
// first time, twice as long each time after that, and never longer than half a
// second. The end of the context ends the wait. Calls that read are repeated in
// the same way. A connection that cannot be made is not tried again: the error is
// [ErrUnreachable].
//
// # Pools of the host
//
// By itself, pgx cuts a connection when the context of a statement ends, and the
// server can take up to 15 seconds to notice and to give up its locks. Open makes
// pgx cancel the statement instead, with pgconn's CancelRequestContextWatcherHandler;
// a host should do so for its own pool too. Behind a pooler that gives each
// transaction another connection, set default_query_exec_mode=exec.
//
// # Names
//
// All tables and indexes have names that begin with "apguard_", so that a host may
// keep its own beside them. They are made in the current schema: the first of the
// search path that exists, and which must stay the same for all stores.
//
// # CockroachDB and YugabyteDB
//
// The statements are meant to be those that these two have as well: there are no
// triggers, no advisory locks, no LISTEN, no LOCK TABLE and no extensions. Neither
// was run. Of CockroachDB, FOR NO KEY UPDATE, READ COMMITTED, WITH ORDINALITY,
// unnest with several arrays and the code 40003 were looked up; of YugabyteDB, FOR
// NO KEY UPDATE, READ COMMITTED, ON CONFLICT with RETURNING and the cache of
// sequences. The largest value of an identity column, last_value of its sequence
// and indexes on expressions were not. These differences are known:
//
//   - CockroachDB takes FOR NO KEY UPDATE as FOR UPDATE, so that more calls wait for
//     each other. Its code 40003, whose outcome nobody knows, is
//     [ErrOutcomeUnknown] when it answers a commit.
//   - Both run READ COMMITTED as a stricter level where it is switched off, and
//     then end more transactions with 40001, which are repeated.
//   - YugabyteDB gives each connection a hundred identifiers at a time, so they
//     grow on each connection only and not from one call to the next, unless its
//     setting ysql_sequence_cache_minval is 1. The feed of changes relies on that
//     setting for its order; it misses no change without it. Of the decisions on a
//     proposal the one with the largest identifier stands, and a withdrawal finds in
//     the same way what has changed an asset last, so without that setting an earlier
//     decision can stand and an asset can keep or get back the wrong status. On
//     PostgreSQL, too, no sequence may be given a cache.
package postgres
