package step_test

import (
	"fmt"
	"log"
	"slices"

	"github.com/apguard/apguard/step"
)

// row is a row of a table of names, which is ordered by ID.
type row struct {
	id   int
	name string
}

// PageBytes implements [step.PageItem].
func (r row) PageBytes() int { return step.PageBytes(r.name) }

// A store reads a page in a short step. A service lists all pages.
func ExamplePages() {
	table := []row{{1, "Ada"}, {2, "Grace"}, {4, "Olga"}}
	read := func(after, limit int) (step.Page[row], error) {
		return step.ReadPage(limit, func(yield func(row, error) bool) {
			first, _ := slices.BinarySearchFunc(table, after+1, func(r row, id int) int { return r.id - id })
			for _, r := range table[first:] {
				if !yield(r, nil) {
					return
				}
			}
		})
	}
	page, err := read(0, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page)
	for r, err := range step.Pages(0, func(r row) int { return r.id }, read) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.id, r.name)
	}
	// Output:
	// {[{1 Ada} {2 Grace}] true}
	// 1 Ada
	// 2 Grace
	// 4 Olga
}
