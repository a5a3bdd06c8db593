package request

import "time"

// Person names a person by one of the fields or both.
type Person struct {
	UserID int64
	Email  string
}

// ErasePerson decodes POST /person/erase for operators.
func (c Call) ErasePerson() (Person, error) {
	f := c.unrepeatable("persons", "userId", "email")
	return Person{UserID: f.id("userId"), Email: f.text("email")}, f.join()
}

// Pruning says which records an operator prunes.
type Pruning struct {
	Records string
	Before  time.Time
	After   TimeCursor
}

// Prune decodes POST /prune for operators.
func (c Call) Prune() (Pruning, error) {
	f := c.unrepeatable("old records", "records", "before", "cursor")
	pruning := Pruning{Records: f.nonEmpty("records"), Before: one(&f, "before", asTime), After: f.timeCursor()}
	f.require(pruning.Records != "", "records")
	f.require(!pruning.Before.IsZero(), "before")
	return pruning, f.join()
}
