package storagetest

import "github.com/stretchr/testify/require"

// freshnessChecks test that reading methods do not return stale results. A store that was
// read before writes must return the same as one that was not.
func freshnessChecks() []requirement {
	var checks []requirement
	for _, op := range operations() {
		if op.read == nil {
			continue
		}
		checks = append(checks, requirement{op.name, func(p *probe) {
			p.fill()
			p.writeAll()
			fresh := p.answer(op)
			require.NoError(p, p.Close())

			other := p.another()
			other.fill()
			before := other.answer(op)
			other.writeAll()
			after := other.answer(op)
			require.Equal(p, fresh, after, "%s after writes must not return what it returned before them", op.name)
			require.NotEqual(p, before, after, "the writes of the suite must change the result of %s", op.name)
		}})
	}
	return checks
}

// answer is the result of a reading method.
type answer struct {
	value any
	err   error
}

func (p *probe) answer(op operation) answer {
	p.Helper()
	value, err := op.read(p.Context(), p.Store)
	if err == nil && op.comparable != nil {
		value = op.comparable(p, value)
	}
	return answer{value, err}
}

// writeAll calls every writing method of a filled store.
func (p *probe) writeAll() {
	p.Helper()
	for _, op := range operations() {
		if op.write != nil && !op.onEmpty {
			require.NoError(p, op.write(p.Context(), p.Store), op.name)
		}
	}
}
