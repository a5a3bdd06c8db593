package lists

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/apguard/apguard/asset"
)

// headSize is how much of a list is looked at to find that it is an HTML page.
const headSize = 512

// checkPage refuses an HTML page, which servers return in place of a list that is gone or needs a
// sign-in. It reads nothing from the list.
func checkPage(list *bufio.Reader) error {
	head, _ := list.Peek(headSize) // the next read returns the error
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	start := strings.ToLower(string(head))
	var issues asset.Issues
	for _, tag := range [...]string{"<!doctype html", "<html", "<head", "<body", "<!--"} {
		issues.Check(!strings.HasPrefix(start, tag), "list", "must not be an HTML page")
	}
	return issues.Err()
}
