// Package postgres implements storage.Store on a PostgreSQL database.
//
// [Open] connects with a connection string, upgrades an older schema and refuses a
// newer one. [New] and [Migrate] use a pool that the host application has opened, and
// [InTx] and [InSQLTx] use one of its transactions. The driver is github.com/jackc/pgx/v5.
// The server must be PostgreSQL 13 or later; the tests ran on PostgreSQL 15.
//
// # Guarantees
//
// A call that returns nil is committed, with the durability that the settings of the
// server give to a commit. A call that returns an error has stored nothing, except
// for asset.ErrOutcomeUnknown. The end of the context also ends the wait for a lock.
//
// Once COMMIT is sent, nothing cancels it, and the call waits for the answer: for at most 30
// seconds, and at most one second after the end of the context. Then it returns
// asset.ErrOutcomeUnknown. The commit keeps its connection and its place among the writes until the
// server answers. A server that waits for a synchronous standby can take long. To cancel the commit
// then would make it durable on one server only. If the call is repeated with its idempotency key, it
// waits behind the commit.
//
// Any number of stores in any number of processes may use the same database, and may
// open it for the first time at the same moment. Writers wait for each other only if
// they write the same rows.
//
// # The feed
//
// A committed change has no position until asset.FeedStore.PublishChanges gives it one, so a
// transaction that commits late appears late. Guard.Run of package apguard calls it 20 times a
// second. Only one publication runs at a time. Calls that record changes do not wait for it, and
// reading the feed writes nothing. If there are no changes, a publication records its time once a
// second, so that a reader on a standby server knows how far that is behind. So the primary always
// writes some of its log.
//
// An event of a dispute waits in a queue, from which a publication moves it to its position.
//
// The changes of a batch get their positions at once, from one row: their IDs follow each other,
// and other batches take theirs from another block of 1,000. So the IDs of changes have gaps.
//
// A long transaction in the same database, such as a dump, slows the feed down. The server
// cannot remove old row versions meanwhile, and each publication scans those of all batches that
// were published since the transaction began.
//
// # Retries
//
// A call that writes is one transaction with READ COMMITTED, whatever the default of
// the server. The store retries it from the beginning, at most [Options].MaxRetries
// times, after
//
//   - a serialization failure (40001);
//   - a deadlock (40P01);
//   - an identifier that another transaction has taken (23505);
//   - the loss of the connection before COMMIT was sent, or the failover of a server that hangs;
//   - the answer that the server cannot be written, if the configuration asks for one that can.
//
// Before each retry the store waits for a random time: at most 4 ms before the first,
// doubling up to half a second. The end of the context ends the wait. Calls that only
// read are retried in the same way. A connection that cannot be established is not
// retried; the error is [ErrUnreachable], [ErrLoginRejected] or [ErrNoDatabase].
//
// # Connections
//
// Two connections of the pool are kept for Ping and for calls that read a single record, such as an
// API key, and one for publications. About half of the others are for calls that write. About a
// quarter of the rest, but at least one, is for searches in reports, and the others are for lists.
// A pool with fewer than 7 connections works too, but keeps fewer. See [ParseConfig] for the
// default size.
//
// # Failover
//
// The connection string can name several servers that replicate each other, such as
// postgres://a,b/database. Open connects to the primary, unless the string has
// target_session_attrs. It tries each server for two seconds, unless the string has
// connect_timeout. When a server answers that it can no longer be written, the store closes all
// connections and tries again, with target_session_attrs=any once for each call. A preference for
// standby servers is kept.
//
// While a call takes longer than a second, and after its context ended, the store connects anew to its
// server, at most once a second. The server is only slow if it answers within a second. If it does not,
// or is no longer the primary, the store looks for the primary at another address. As soon as there is
// one, all calls on the old server are retried, and all commits there return asset.ErrOutcomeUnknown.
// This takes 2 to 5 seconds after the promotion. New connections then skip the old server, unless no
// other one accepts them. With target_session_attrs=any and the like, a call on a server that hangs
// ends with its context.
//
// # Standby servers
//
// With ReadOnly of [Options], a store writes nothing and prefers a standby server. All its
// connections lead to one server while that answers. Its reads lag behind the primary.
// asset.Feed.Behind tells how far, while Guard.Run runs on a server that writes. A standby ends a
// query that blocks its replication for too long; the store tries it again.
//
// # Pools of the host application
//
// By default, pgx closes the connection when the context of a statement ends. The server
// can take up to 15 seconds to notice and release its locks. Open makes pgx cancel the
// statement instead, with pgconn.CancelRequestContextWatcherHandler. A pool follows a failover if
// ValidateConnect of its configuration is pgconn.ValidateConnectTargetSessionAttrsPrimary.
// [ParseConfig] returns the configuration of such a pool. Its DialFunc lets new connections skip a
// server that hangs. With another one, each new connection of such a pool tries that server first if it
// comes first, until ConnectTimeout. If idle connections lead to a server that hangs, pgx can keep their
// places in the pool for 20 seconds; Open takes a new pool.
//
// Behind a pooler that assigns connections by transaction, such as PgBouncer, set
// default_query_exec_mode=exec in the connection string. See [ErrPooler].
//
// # Names
//
// The names of all tables and indexes begin with "apguard_", so the host application
// may keep its own tables beside them. They are created in the current schema: the
// first existing one of the search path, which must be the same for all stores.
//
// # CockroachDB and YugabyteDB
//
// The statements avoid triggers, advisory locks, LISTEN, LOCK TABLE and extensions, so
// they should run on these databases. Neither was tested. These differences are known:
//
//   - CockroachDB treats FOR NO KEY UPDATE as FOR UPDATE, so more calls wait for each
//     other. Its code 40003 as the answer to COMMIT is asset.ErrOutcomeUnknown.
//   - Import runs ANALYZE in its transaction, which another database may refuse.
//   - Both can be configured to run READ COMMITTED as a stricter level. More
//     transactions then end with 40001 and are retried.
//   - YugabyteDB caches a hundred sequence values on each connection, so identifiers do
//     not grow from one call to the next. Set ysql_sequence_cache_minval=1. Without it,
//     the feed misses no change but loses its order, and an earlier review can count
//     instead of a later one. On PostgreSQL, too, the sequences must not have a cache.
package postgres
