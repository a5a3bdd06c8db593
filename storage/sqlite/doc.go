// Package sqlite is a store in one SQLite database.
//
// [Open] creates the file when there is none, brings an older schema up to date,
// and refuses a newer one. The driver, github.com/mattn/go-sqlite3, needs cgo;
// in a program built without it, Open returns [ErrNoDriver]. [New] takes a
// database that the host has opened, with any driver, and [InTx] a transaction of
// the host's.
//
// # What it promises
//
// What is promised here of files holds for Open. With New, the host's settings
// decide.
//
// A call that returns without error survives the end of the process and a power
// failure: the file is written ahead (WAL), with synchronous=FULL. What a crash
// interrupts is not there afterwards, not in parts either. Calls that wait for
// their turn to write share one transaction, which waits for the disk once for all
// of them; each still succeeds or fails by itself.
//
// Any number of stores, in one process or in several on the same machine, may
// have the same file open, and may open it for the first time at the same moment.
// One of them writes at a time; the others wait for their turn, at most as long
// as [Options].BusyTimeout, while any number read. Write-ahead files cannot be
// shared over a network file system.
//
// A call that fails for a reason outside, such as a full disk, leaves nothing
// behind, and the store can be used again when the reason is gone.
//
// # Files
//
// Beside the database, SQLite keeps two files with the same name and the endings
// "-wal" and "-shm". They belong to it: copy, move and delete all three together
// and only while no store has them open. Closing the last store removes the two.
// So this process must be able to write the directory as well as the file.
//
// The write-ahead file grows to some 100 MB under a load of writes and is then
// begun anew, for which a write may wait up to 0.1 seconds for readers. No call of
// this package keeps it from that for longer than it takes to read one page; a
// transaction that another program holds open does.
//
// A path is the name of a file and nothing else: it may have spaces, "?", "#",
// "%" and any script in it, and "file:" in front has no meaning. The name
// ":memory:" is refused, as whoever writes it expects no file: package memory is
// the store for that.
//
// All tables and indexes have names that begin with "apguard_", so that a host
// may keep its own in the same file.
package sqlite
