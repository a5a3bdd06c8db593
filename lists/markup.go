package lists

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/apguard/apguard/asset"
)

// pageStarts are the beginnings of HTML and XML documents, as of section 7.1 of the MIME Sniffing
// Standard (https://mimesniff.spec.whatwg.org). The next byte is white space or ends the tag.
var pageStarts = [...]string{
	"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style",
	"<title", "<b", "<body", "<br", "<p", "<meta", "<svg",
}

// maxBlank is the number of bytes of white space before a page that refuseMarkup looks through.
const maxBlank = 1024

// refuseMarkup returns an error if the input is an HTML or XML page. It consumes nothing.
func refuseMarkup(input *bufio.Reader) error {
	for at := range maxBlank {
		start, err := input.Peek(at + 1)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch c := start[at]; {
		case c == '<':
			// An error comes again with the entries.
			rest, _ := input.Peek(at + len("<!doctype html>"))
			if !isPageStart(rest[at:]) {
				return nil
			}
			issue := asset.Issue{Field: "list", Message: ErrMarkup.Error(), Err: ErrMarkup}
			return &asset.InputError{Issues: asset.Issues{issue}}
		case strings.IndexByte(" \t\r\n\ufeff", c) < 0:
			return nil
		}
	}
	return nil
}

func isPageStart(text []byte) bool {
	if bytes.HasPrefix(text, []byte("<!--")) || bytes.HasPrefix(text, []byte("<?xml")) {
		return true
	}
	lower := bytes.ToLower(text)
	for _, start := range pageStarts {
		rest, found := bytes.CutPrefix(lower, []byte(start))
		if found && len(rest) > 0 && (rest[0] == '>' || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r') {
			return true
		}
	}
	return false
}
