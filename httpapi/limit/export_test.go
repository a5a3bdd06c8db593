package limit

// Accounts returns the number of those that hold something.
func Accounts(l *Load) int { return len(l.accounts) }

// LookUps returns the number of clients whose credentials are looked up one by one.
func LookUps(l *Load) int { return len(l.lookUps.of) }
