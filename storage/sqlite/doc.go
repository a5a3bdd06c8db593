// Package sqlite implements storage.Store on a SQLite database.
//
// [Open] opens a database file. It creates the file if there is none, upgrades an
// older schema and refuses a newer one. Its driver is
// github.com/mattn/go-sqlite3, which needs cgo; in a program built without cgo,
// Open returns [ErrNoDriver]. [New] uses a *sql.DB that the host application has
// opened with any driver, and [InTx] uses a transaction of the host application.
//
// # Durability
//
// Open uses write-ahead logging with synchronous=FULL. A call that returns nil
// survives the end of the process and a power failure. A crash never leaves a part
// of a call behind. With New, durability depends on the settings of the host
// application.
//
// A call that fails for an external reason, such as a full disk, stores nothing.
// The store works again once the reason is gone.
//
// # Concurrency
//
// Any number of stores may open the same file, in one process or in several on the
// same machine, even for the first time at the same moment. One of them writes at
// a time. The others wait for up to [Options].BusyTimeout. Readers never wait for
// the writer. Calls that wait to write are committed together, so they share one
// sync of the disk; each still succeeds or fails on its own. A write-ahead log
// does not work over a network file system.
//
// # Statistics
//
// The store gathers no statistics. Without them, SQLite has plans that suit tables of any size. If
// the host application runs ANALYZE while the tables are small, it must repeat that, or run PRAGMA
// optimize, as they grow: SQLite would otherwise scan them.
//
// # Files
//
// SQLite keeps two more files beside the database, with the suffixes "-wal" and
// "-shm". Copy, move and delete all three together, and only while no store has
// them open. Closing the last store removes the other two. The process needs write
// access to the directory as well as to the file.
//
// Open creates files that only their owner may read and write, whatever the umask. It
// leaves the mode of an existing file as it is, and SQLite gives that mode to the other
// two files.
//
// Under a load of writes, the write-ahead log grows to about 100 MB and then
// restarts. On a slow disk it may grow to 512 MiB, whatever the size of the database's
// pages. Writes then wait until all of it has been copied into the database. The file can
// exceed this size by one transaction, which is one call, or several calls that write
// about 4 MiB of data before the last one. In the log, data can take several times its
// size. The next write after a restart truncates the file to 64 MiB.
//
// A restart may delay one write by up to 0.3 seconds while readers finish. A call of
// this package delays it only while it reads one page, or examines the reports of one. A
// long transaction of another program or of the host application delays it until its end.
// Until then the log grows without a bound: no writer can reuse what a reader may still
// need. Operators should watch the size of the file.
//
// A path is always a file name. It may contain spaces, "?", "#", "%" and any
// script, and a leading "file:" has no meaning. The name ":memory:" is refused;
// use package memory instead.
//
// The names of all tables and indexes begin with "apguard_", so the host
// application may keep its own tables in the same file.
package sqlite
