package publish

import (
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/publish/manifest"
)

const (
	// maxSteps is how many steps a chain has.
	maxSteps = 128
	// maxStepsAfter is how many steps come after the whole file until it is made again.
	maxStepsAfter = maxSteps / 2
	// smallSteps is the size of steps, in bytes, that no whole file is too small for.
	smallSteps = 16 << 10
)

// chain is a whole file and steps, in order, that lead from one version to the next. The version of the whole file is
// one of these. The zero chain is none.
type chain struct {
	whole manifest.File
	steps []manifest.File
}

// newChain returns the chain of a whole file and steps, or none if they are not connected.
func newChain(whole manifest.File, steps []manifest.File) chain {
	c := chain{whole, steps}
	for i := range steps {
		if i > 0 && steps[i-1].Version != steps[i].Since {
			return chain{}
		}
	}
	if whole.Name == "" || c.after() < 0 {
		return chain{}
	}
	return c
}

// none reports whether there is no chain.
func (c chain) none() bool { return c.whole.Name == "" }

// end returns the version to which the chain leads.
func (c chain) end() asset.FeedCursor {
	if len(c.steps) == 0 {
		return c.whole.Version
	}
	return c.steps[len(c.steps)-1].Version
}

// after returns the number of steps after the whole file, or -1 if none of them begins or ends with its version.
func (c chain) after() int {
	if c.whole.Version == c.end() {
		return 0
	}
	first := slices.IndexFunc(c.steps, func(f manifest.File) bool { return f.Since == c.whole.Version })
	if first < 0 {
		return -1
	}
	return len(c.steps) - first
}

// long reports whether a client that needs the whole file needs so many steps after it that the file should be made
// again.
func (c chain) long() bool {
	after := c.steps[len(c.steps)-c.after():]
	return len(after) >= maxStepsAfter || sizeOf(after) > max(c.whole.Size/4, smallSteps)
}

// trim removes the first steps, without those after the whole file, until there are not more than maxSteps and they are
// not larger than the whole file.
func (c *chain) trim() {
	for len(c.steps) > c.after() && (len(c.steps) > maxSteps || sizeOf(c.steps) > max(c.whole.Size, 4*smallSteps)) {
		c.steps = c.steps[1:]
	}
}

// goBack cuts the chain after a version that has the same position as its end, so that it does not lead in a circle. It
// reports whether the chain has the version.
func (c *chain) goBack(version asset.FeedCursor) bool {
	i := slices.IndexFunc(c.steps, func(f manifest.File) bool { return f.Since == version })
	if i < 0 {
		return c.end() == version
	}
	c.steps = c.steps[:i]
	if samePosition(c.whole.Version, version) {
		c.whole.Version = version
	}
	return true
}

// files returns the files of the chain.
func (c chain) files() []manifest.File { return append([]manifest.File{c.whole}, c.steps...) }

// sizeOf returns the size of files.
func sizeOf(files []manifest.File) (size int64) {
	for _, f := range files {
		size += f.Size
	}
	return size
}

// find returns the files that match, in order.
func find(files []manifest.File, match func(manifest.File) bool) (found []manifest.File) {
	for _, f := range files {
		if match(f) {
			found = append(found, f)
		}
	}
	return found
}

// samePosition reports whether two versions are the same position of a feed. They can differ in what was pruned.
func samePosition(a, b asset.FeedCursor) bool {
	return a.Store() == b.Store() && !a.Before(b) && !b.Before(a)
}
