package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/client"
)

// The bounds of one request of a batch.
const (
	maxBatch      = 1000
	maxBatchBytes = 1 << 20
)

// call runs the command of an operation.
func (p program) call(ctx context.Context, c *cli.Command, o operation, guard guardFlags) (err error) {
	err = o.checkLocal(c)
	if err == nil {
		err = o.checkArguments(c)
	}
	var values map[string]any
	if err == nil {
		values, err = p.values(c, o)
	}
	if err != nil {
		return wrongUsage(c, err)
	}
	var all []string
	if o.batch != "" {
		if all, err = p.contents(c, o); err != nil {
			return err
		}
		if len(all) == 0 && o.list != "" && values["ids"] == nil { // a report may have none
			return wrongUsage(c, errors.New("missing content; give at least one, or -file with one a line"))
		}
	}
	t, err := p.target(ctx, c, o, guard)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.findOrganizations(ctx, o, values); err != nil {
		return t.explain(c, o, "", err)
	}
	out := newPrinter(p, o, c)
	switch {
	case o.raw:
		err = p.copyRaw(ctx, c, o, t, values)
	case o.batch != "":
		err = t.sendBatch(ctx, c, o, values, all, out)
	default:
		err = t.sendPages(ctx, c, o, values, out)
	}
	if err != nil {
		return errors.Join(out.abort(), t.explain(c, o, out.key, err))
	}
	return out.end()
}

// values returns the values of the flags and the argument by the names of their fields.
func (p program) values(c *cli.Command, o operation) (map[string]any, error) {
	values := make(map[string]any)
	for _, f := range o.fields {
		switch {
		case f.kind == kindContents, f.kind == kindRecords:
		case f.kind == kindFile:
			file, err := p.readInput(c.Args().First())
			if err != nil {
				return nil, err
			}
			values[f.name] = file
		case f.argument && f.kind == kindID:
			id, err := strconv.ParseInt(c.Args().First(), 10, 64)
			if err != nil || id <= 0 {
				return nil, fmt.Errorf("missing %s; give one, a number above 0", strings.ToUpper(f.flag))
			}
			values[f.name] = id
		case f.argument:
			values[f.name] = c.Args().First()
		case c.IsSet(f.flag) || f.otherwise != nil:
			if err := f.check(c); err != nil {
				return nil, err
			}
			values[f.name] = f.value(c)
		}
	}
	return values, nil
}

// check returns an error for a value that JSON cannot have, or that an unset variable of a shell has left empty.
func (f field) check(c *cli.Command) error {
	switch value := c.Value(f.flag).(type) {
	case string:
		if f.kind == kindOrganization && value == "" {
			return fmt.Errorf("-%s must not be empty", f.flag)
		}
	case time.Duration:
		if value%time.Second != 0 {
			return fmt.Errorf("-%s must be whole seconds", f.flag)
		}
	}
	return nil
}

// value returns the value of a flag as JSON has it.
func (f field) value(c *cli.Command) any {
	switch value := c.Value(f.flag).(type) {
	case time.Duration:
		return int64(value / time.Second)
	case int64:
		if f.kind == kindShown && value == 0 {
			return nil
		}
		return value
	case []string:
		if len(value) == 1 && value[0] == "" {
			return []string{}
		}
		return value
	default:
		return value
	}
}

// contents returns the contents of the arguments and of -file, or the records of a file.
func (p program) contents(c *cli.Command, o operation) ([]string, error) {
	all := c.Args().Slice()
	name := c.String(flagFile)
	members := o.members()
	if members != nil {
		all, name = nil, c.Args().First()
	}
	if slices.Equal(all, []string{"-"}) {
		all, name = nil, "-"
	}
	if name == "" {
		return all, nil
	}
	input, err := p.readInput(name)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(input))
	lines.Buffer(nil, maxBatchBytes)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if members != nil {
			if line, err = membersOf(lines.Bytes(), members); err != nil {
				return nil, wrongUsage(c, fmt.Errorf("line %d of %s is not a record that the command printed with -json: %w", number, name, err))
			}
		}
		if line != "" {
			all = append(all, line)
		}
	}
	return all, lines.Err()
}

// members returns the members of records that the elements of the batch have. It returns nil if they are contents.
func (o operation) members() []string {
	for _, f := range o.fields {
		if f.kind == kindRecords {
			return f.members
		}
	}
	return nil
}

// membersOf returns the members of a record as JSON, or nothing if the record is a refusal.
func membersOf(line []byte, members []string) (string, error) {
	var given map[string]jsontext.Value
	if err := json.Unmarshal(line, &given); err != nil {
		return "", err
	}
	if refusal, is := given["error"]; is && refusal.Kind() != 'n' {
		return "", nil
	}
	picked := make(map[string]jsontext.Value)
	for _, name := range members {
		value, is := given[name]
		if !is {
			return "", fmt.Errorf("it has no %s", name)
		}
		picked[name] = value
	}
	if picked["decision"].Kind() == 'n' && picked["previous"].Kind() == 'n' {
		return "", errors.New("it is of a dry run")
	}
	text, err := json.Marshal(picked)
	return string(text), err
}

// readInput returns the content of a file, or of the standard input for -.
func (p program) readInput(name string) ([]byte, error) {
	input, done, err := p.openInput(name)
	if err != nil {
		return nil, err
	}
	defer done()
	return io.ReadAll(input)
}

// sendBatch sends the contents, by up to 1,000 a request.
func (t target) sendBatch(ctx context.Context, c *cli.Command, o operation, values map[string]any, all []string, out *printer) error {
	if len(all) == 0 {
		return t.sendOne(ctx, c, o, values, out)
	}
	for part := range batches(all, o.maxBatch()) {
		with := make(map[string]any, len(values))
		elements := make([]any, len(part))
		for i, content := range part {
			elements[i] = o.element(values, content)
		}
		for name, value := range values {
			if !strings.HasPrefix(name, o.batch+".") {
				with[name] = value
			}
		}
		with[o.batch] = elements
		if err := t.sendOne(ctx, c, o, with, out); err != nil {
			return err
		}
	}
	return nil
}

// maxBatch returns the maximum of contents in a request. A report cannot be divided.
func (o operation) maxBatch() int {
	if o.list == "" {
		return 1 << 30
	}
	return maxBatch
}

// batches yields parts of the contents that fit in a request.
func batches(all []string, most int) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for len(all) > 0 {
			n, size := 0, 0
			for n < min(len(all), most) && (n == 0 || most > maxBatch || size+len(all[n]) <= maxBatchBytes) {
				size += len(all[n])
				n++
			}
			if !yield(all[:n]) {
				return
			}
			all = all[n:]
		}
	}
}

// element returns the element of a batch for a content.
func (o operation) element(values map[string]any, content string) any {
	content = strings.ToValidUTF8(content, "\ufffd") // the API refuses it
	element := make(map[string]any)
	for _, f := range o.fields {
		name, inside := strings.CutPrefix(f.name, o.batch+".")
		switch value, set := values[f.name]; {
		case f.kind == kindContents && !inside:
			return content
		case f.kind == kindRecords:
			return jsontext.Value(content)
		case f.kind == kindContents:
			element[name] = content
		case inside && set:
			element[name] = value
		}
	}
	return element
}

// sendPages sends a request for each page, up to the limit.
func (t target) sendPages(ctx context.Context, c *cli.Command, o operation, values map[string]any, out *printer) error {
	if o.cursor != "" && c.IsSet(flagCursor) {
		values["cursor"] = c.String(flagCursor)
	}
	limit := 0
	if o.paged() {
		limit = c.Int(flagLimit)
	}
	for {
		if o.paged() {
			values["limit"] = o.page
			if limit > 0 {
				values["limit"] = min(o.page, limit-out.records)
			}
		}
		before := out.records
		if err := t.sendOne(ctx, c, o, values, out); err != nil {
			return err
		}
		next := out.next
		if next == "" || o.list != "" && out.records == before {
			return nil
		}
		if limit > 0 && out.records >= limit {
			out.more()
			return nil
		}
		values["cursor"] = next
	}
}

// sendOne sends one request and prints its response.
func (t target) sendOne(ctx context.Context, c *cli.Command, o operation, values map[string]any, out *printer) error {
	response, err := t.do(ctx, c, o, values, out.nextKey())
	if err != nil {
		return err
	}
	err = out.response(io.LimitReader(response.Body, client.MaxBody))
	if syntax := new(jsontext.SyntacticError); errors.As(err, &syntax) || errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s: the response of the server cannot be used: %w", o.name, err)
	}
	return errors.Join(err, response.Body.Close())
}

// do sends a request with the values, and an idempotency key unless that is empty.
func (t target) do(ctx context.Context, c *cli.Command, o operation, values map[string]any, key string) (*client.Response, error) {
	method, path := o.route()
	request := client.Request{Method: method, Repeatable: o.repeatable}
	inQuery := make(url.Values)
	tree := make(map[string]any)
	for name, value := range values {
		switch {
		case strings.Contains(path, "{"+name+"}"):
			path = strings.Replace(path, "{"+name+"}", fmt.Sprint(value), 1)
		case o.upload && name == bodyField:
			request.Body, _ = value.([]byte)
			request.ContentType = "text/plain"
		case method == "GET" || o.upload:
			addQuery(inQuery, name, value)
		default:
			put(tree, name, value)
		}
	}
	request.Path, request.Query = path, inQuery
	if method == "POST" && !o.upload {
		body, err := json.Marshal(tree, json.Deterministic(true)) // so that a repeated request is the same
		if err != nil {
			return nil, wrongUsage(c, fmt.Errorf("a flag is not valid UTF-8: %w", err))
		}
		request.Body = body
	}
	request.IdempotencyKey = key
	return t.Do(ctx, request)
}

// bodyField is the name of the field that is the body of a request.
const bodyField = "file"

// put puts a value into a tree of objects, under a name such as "filter.types".
func put(tree map[string]any, name string, value any) {
	first, rest, nested := strings.Cut(name, ".")
	if !nested {
		tree[first] = value
		return
	}
	below, _ := tree[first].(map[string]any)
	if below == nil {
		below = make(map[string]any)
		tree[first] = below
	}
	put(below, rest, value)
}

func addQuery(query url.Values, name string, value any) {
	switch value := value.(type) {
	case []string:
		query[name] = value
	case []int64:
		for _, id := range value {
			query.Add(name, strconv.FormatInt(id, 10))
		}
	default:
		query.Set(name, fmt.Sprint(value))
	}
}

// copyRaw writes a response that is not JSON.
func (p program) copyRaw(ctx context.Context, c *cli.Command, o operation, t target, values map[string]any) error {
	response, err := t.do(ctx, c, o, values, "")
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // it is only read
	write := func(w io.Writer) error {
		_, err := io.Copy(w, response.Body)
		return err
	}
	if file := c.String(flagOutput); file != "" {
		return writeWhole(file, write)
	}
	return write(p.stdout)
}
