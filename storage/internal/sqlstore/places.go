package sqlstore

import "context"

// Kind tells which connections of a pool a step may use.
type Kind int

// The kinds of steps.
const (
	// List steps read many records.
	List Kind = iota
	// Search steps examine many records that are not part of the result.
	Search
	// Write steps change records.
	Write
	// Short steps authenticate a caller, check the database, or read a single record.
	Short
)

// keptConnections is the number of connections that only short steps use.
const keptConnections = 2

// Places limits how many steps of each kind use the connections of a pool at the same time,
// so that the steps of one kind do not wait for those of another. The zero value has no limit.
type Places struct {
	lists, searches, writes chan struct{}
}

// NewPlaces returns the places of a pool with that many connections. Besides those for short
// steps and for writers, three of four are for lists, and the rest is for searches. There is
// at least one place of each kind, so a pool with fewer than 4 connections and writers keeps
// fewer for short steps. If connections is 0, there is no limit.
func NewPlaces(connections, writers int) Places {
	if connections == 0 {
		return Places{}
	}
	reading := connections - writers - keptConnections
	searches := max(reading/4, 1)
	return Places{
		lists:    make(chan struct{}, max(reading-searches, 1)),
		searches: make(chan struct{}, searches),
		writes:   make(chan struct{}, max(writers, 1)),
	}
}

// Run runs a step in a place of its kind. It waits for the place until ctx ends, and then
// returns the error of ctx.
func (p Places) Run(ctx context.Context, kind Kind, step func() error) error {
	places := p.of(kind)
	if places == nil {
		return step()
	}
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-places }()
	return step()
}

// of returns the places for a kind, or nil if it has no limit.
func (p Places) of(kind Kind) chan struct{} {
	switch kind {
	case Short:
		return nil
	case Search:
		return p.searches
	case Write:
		return p.writes
	default:
		return p.lists
	}
}
