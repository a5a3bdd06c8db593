package storagetest

// For the tests of the suite itself.
var (
	CheckOptOuts   = checkOptOuts
	ErrNoReason    = errNoReason
	ErrNoSuchTest  = errNoSuchTest
	Names          = names
	OperationNames = operationNames
)

// operationNames returns the names of the methods that EndedContext and Closed try.
func operationNames() []string {
	ops := operations()
	list := make([]string, len(ops))
	for i, op := range ops {
		list[i] = op.name
	}
	return list
}
