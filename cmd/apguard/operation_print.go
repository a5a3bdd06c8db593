package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	stdjson "encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v3"
)

// record is an object of a response.
type record map[string]any

// printer prints the responses to the requests of a command.
type printer struct {
	program
	operation
	asJSON bool
	// key is the idempotency key of the first of the requests, or empty.
	key      string
	requests int
	table    *tabwriter.Writer
	records  int
	// next is the cursor of the last response, or empty at the end.
	next string
	// counts are the sums of the numbers beside the lists of responses. counted has their names in order, with
	// those of other values.
	counts  map[string]string
	counted []string
	refused int
	verdict error
}

func newPrinter(p program, o operation, c *cli.Command) *printer {
	out := &printer{program: p, operation: o, asJSON: o.asJSON || c.Bool(flagJSON), counts: make(map[string]string)}
	if o.key {
		out.key = cmp.Or(c.String(flagIdempotencyKey), rand.Text())
	}
	if o.list != "" && !out.asJSON {
		out.table = tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
		headings := strings.Fields(o.columns)
		for i, column := range headings {
			headings[i] = heading(column)
		}
		_, _ = fmt.Fprintln(out.table, strings.Join(headings, "\t")) // only Flush can fail
	}
	return out
}

// nextKey returns the idempotency key of the next request, or an empty one.
func (out *printer) nextKey() string {
	if out.requests++; out.key == "" || out.requests == 1 {
		return out.key
	}
	return out.key + "-" + strconv.Itoa(out.requests)
}

// heading returns the heading of a column.
func heading(column string) string {
	path, title, given := strings.Cut(column, ":")
	if !given {
		title = kebab(path[strings.LastIndexByte(path, '.')+1:])
	}
	return strings.ToUpper(strings.NewReplacer("-", " ", "_", " ").Replace(title))
}

// response prints a response.
func (out *printer) response(body io.Reader) error {
	out.next = ""
	decoder := jsontext.NewDecoder(body)
	if out.list == "" && !out.totals {
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		return out.one(value)
	}
	if _, err := decoder.ReadToken(); err != nil {
		return err
	}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		if key == out.list {
			err = out.array(decoder)
		} else {
			err = out.beside(key, decoder)
		}
		if err != nil {
			return err
		}
	}
	_, err := decoder.ReadToken()
	return err
}

// array prints the elements of the list.
func (out *printer) array(decoder *jsontext.Decoder) error {
	if _, err := decoder.ReadToken(); err != nil {
		return err
	}
	for decoder.PeekKind() != ']' {
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		if err := out.one(value); err != nil {
			return err
		}
	}
	_, err := decoder.ReadToken()
	return err
}

// beside keeps a value beside the list.
func (out *printer) beside(name string, decoder *jsontext.Decoder) error {
	value, err := decoder.ReadValue()
	if err != nil {
		return err
	}
	text := string(value)
	if value.Kind() == '"' {
		unquoted, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return err
		}
		text = string(unquoted)
	}
	if name == out.cursor {
		if value.Kind() != 'n' {
			out.next = text
		}
		if name == "nextCursor" {
			return nil
		}
	}
	if value.Kind() == 'n' {
		return nil
	}
	if value.Kind() == '{' { // an act
		var act record
		if err := stdjson.Unmarshal(value, &act); err != nil {
			return err
		}
		if text = cell(act, "id"); act["id"] == nil { // in a dry run
			return nil
		}
	}
	before, seen := out.counts[name]
	if !seen {
		out.counted = append(out.counted, name)
	}
	if n, err := strconv.Atoi(text); err == nil && value.Kind() == '0' {
		sum, _ := strconv.Atoi(before)
		text = strconv.Itoa(sum + n)
	}
	out.counts[name] = text
	return nil
}

// one prints a record.
func (out *printer) one(value jsontext.Value) error {
	out.records++
	decoder := stdjson.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	var r record
	if err := decoder.Decode(&r); err != nil {
		return err
	}
	isRefused := out.refusals && r["error"] != nil
	if isRefused {
		out.refused++
		_, _ = fmt.Fprintf(out.stderr, "refused: %s: %s\n", cell(r, "content"), out.aboutFlag(refusal(r)))
	}
	if out.judge != nil {
		out.verdict = out.judge(r, out.verdict)
	}
	switch {
	case out.asJSON:
		if err := value.Compact(); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out.stdout, "%s\n", value)
		return err
	case out.secret != "":
		_, err := fmt.Fprintln(out.stdout, r[out.secret])
		_, _ = fmt.Fprintln(out.stderr, aboutSecret(r))
		return err
	case out.quiet, isRefused:
		return nil
	case out.list == "":
		return out.lines("", value)
	}
	var cells []string
	for _, column := range strings.Fields(out.columns) {
		path, _, _ := strings.Cut(column, ":")
		if show := out.cells[path]; show != nil {
			cells = append(cells, show(r))
			continue
		}
		cells = append(cells, cell(r, path))
	}
	_, _ = fmt.Fprintln(out.table, strings.Join(cells, "\t"))
	return nil
}

// aboutSecret says what a secret is that of.
func aboutSecret(r record) string {
	if r["fingerprint"] == nil {
		return "The secret of webhook " + cell(r, "id") + " is shown only once."
	}
	expires := "does not expire"
	if r["expiresAt"] != nil {
		expires = "expires at " + cell(r, "expiresAt")
	}
	return "The key " + cell(r, "fingerprint") + " " + expires + ". It is shown only once."
}

// lines prints the fields of a value, one a line.
func (out *printer) lines(path string, value jsontext.Value) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(value))
	begin, err := decoder.ReadToken()
	if err != nil {
		return err
	}
	kind := begin.Kind()
	if kind != '{' && kind != '[' {
		var scalar any
		scalars := stdjson.NewDecoder(bytes.NewReader(value))
		scalars.UseNumber()
		if err := scalars.Decode(&scalar); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out.stdout, "%s: %s\n", path, scalarText(scalar))
		return err
	}
	for i := 1; decoder.PeekKind() != '}' && decoder.PeekKind() != ']'; i++ {
		name := strconv.Itoa(i)
		if kind == '{' {
			token, err := decoder.ReadToken()
			if err != nil {
				return err
			}
			name = plain(token.String())
		}
		below, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		if err := out.lines(strings.TrimPrefix(path+"."+name, "."), below.Clone()); err != nil {
			return err
		}
	}
	return nil
}

// more says how to get the records after the limit.
func (out *printer) more() {
	_, _ = fmt.Fprintf(out.stderr, "There are more; -%s %s continues.\n", flagCursor, plain(out.next))
}

// abort prints what there is before an error.
func (out *printer) abort() error {
	if out.records == 0 {
		return nil
	}
	return out.flush()
}

// flush prints the table.
func (out *printer) flush() error {
	if out.table == nil {
		return nil
	}
	return out.table.Flush()
}

// end prints the table and the sums, and returns the verdict.
func (out *printer) end() error {
	if err := out.flush(); err != nil {
		return err
	}
	var sums []string
	for _, name := range out.counted {
		sums = append(sums, plain(name)+": "+plain(out.counts[name]))
	}
	switch {
	case out.totals && out.asJSON:
		var fields []string
		for _, name := range out.counted {
			fields = append(fields, strconv.Quote(name)+":"+out.counts[name])
		}
		if _, err := fmt.Fprintf(out.stdout, "{%s}\n", strings.Join(fields, ",")); err != nil {
			return err
		}
	case out.totals:
		if _, err := fmt.Fprintln(out.stdout, strings.Join(sums, "\n")); err != nil {
			return err
		}
	case len(sums) > 0:
		_, _ = fmt.Fprintln(out.stderr, strings.Join(sums, ", "))
	}
	if out.verdict == nil && out.refused > 0 {
		return negativeError(fmt.Sprintf("%d of %d contents were refused", out.refused, out.records))
	}
	return out.verdict
}

// cell returns the text of a field, such as "asset.content", in a table.
func cell(r record, path string) string {
	var value any = map[string]any(r)
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return scalarText(value)
}

// scalarText returns the text of a value on one line, which a terminal does not interpret.
func scalarText(value any) string {
	switch value := value.(type) {
	case nil:
		return "-"
	case string:
		if at, err := time.Parse(time.RFC3339Nano, value); err == nil {
			return at.UTC().Format(time.RFC3339)
		}
		return plain(value)
	case []any:
		texts := make([]string, len(value))
		for i, one := range value {
			texts[i] = fmt.Sprint(one)
		}
		return plain(strings.Join(texts, ","))
	default:
		return plain(fmt.Sprint(value))
	}
}

// plainMessage returns a message of a server without what a terminal would interpret.
func plainMessage(message string) string {
	quoted := strconv.Quote(message)
	return strings.ReplaceAll(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`), `\\`, `\`)
}
