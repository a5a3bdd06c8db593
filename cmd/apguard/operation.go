package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"
)

// operation is a command that calls an operation of one of the HTTP APIs. Its flags and arguments become the
// request, and it prints the response.
type operation struct {
	// name is that of the command, after the name of its group and a space if it is in one.
	name, usage, about string
	// call is the method and the path, such as "POST /dispute/resolve". operators says that it is one of the
	// operators' API.
	call      string
	operators bool
	// decides says that the command needs a user, who is recorded as the actor, and organization that it needs an
	// organization.
	decides, organization bool
	// own says that the command is about its caller, who has a user or an organization.
	own    bool
	fields []field
	// batch is the array of the request that has an element for each content.
	batch string
	// key says that the operation takes an idempotency key, repeatable that a request without one can be sent
	// again, and slow that it may take minutes.
	key, repeatable, slow bool

	// list is the array of the response that has the records. It is empty if the response is one record.
	list string
	// page is the maximum of a page. cursor is the field of the response with the position of the next one, and limit
	// the number of records if -limit is not given.
	page, limit int
	cursor      string
	// totals says that the response only counts what was done until the cursor.
	totals bool
	// columns are those of the table of a list: paths of fields, such as "asset.content", each with a heading after
	// a colon, unless it is the last name of the path. cells returns the texts of those that are not one field.
	columns string
	cells   map[string]func(record) string
	// refusals says that a record with an error is the refusal of a content.
	refusals bool
	// judge returns an error for a record, or else the one of the records before it.
	judge func(record, error) error
	// stopped says that the status 409 is a negative result.
	stopped bool
	// secret is the field of the response with a secret. The command prints only that, once.
	secret string
	// quiet says that the command prints nothing without -json, and asJSON that it always prints JSON.
	quiet, asJSON bool
	// raw says that the response is not JSON, and upload that the body of the request is a file.
	raw, upload bool

	// local returns the command that works on a database with these flags: without -as and -json, as long as there
	// are no users yet. It is nil if there is none.
	local func(program) *cli.Command
	// localFlag is the flag for which local is used, or empty.
	localFlag string
	// guarded are flags of the rules that apply to a database. Those of a server apply to its own.
	guarded func(*guardFlags) []cli.Flag
}

// route returns the method and the path of the operation.
func (o operation) route() (method, path string) {
	method, path, _ = strings.Cut(o.call, " ")
	return method, path
}

// acts reports whether a user can be recorded as the actor.
func (o operation) acts() bool {
	method, _ := o.route()
	return o.own || o.decides || o.operators && method == "POST"
}

// hasOrganization reports whether an organization can act.
func (o operation) hasOrganization() bool { return o.organization || o.own && !o.operators }

// kind is the type of the value of a field.
type kind int

const (
	// kindText includes numbers and times that the API parses, such as days.
	kindText kind = iota
	kindID
	// kindShown is an ID that was seen, or 0 for none.
	kindShown
	kindYes
	kindTexts
	kindIDs
	// kindSeconds is a duration, which the request has in seconds.
	kindSeconds
	// kindOrganization is the slug or the ID of an organization. The request has the ID.
	kindOrganization
	// kindContents are arguments, or lines of -file, one for each element of the batch.
	kindContents
	// kindRecords are the records of a file that another command has printed with -json, one for each element of the
	// batch. Those that were refused are left out.
	kindRecords
	// kindFile is the file whose content is the body of the request.
	kindFile
)

// field is a field of a request: a flag or an argument.
type field struct {
	// name is that of the field in the body, the query or the path, such as "filter.types".
	name, usage string
	kind        kind
	flag        string
	required    bool
	// argument says that the value is the argument of the command.
	argument bool
	// members are those of a record that its element of the batch has.
	members []string
	// otherwise is the value of a required field whose flag is not given, or nil.
	otherwise []string
}

func text(name, usage string) field    { return newField(name, usage, kindText) }
func id(name, usage string) field      { return newField(name, usage, kindID) }
func shown(name, usage string) field   { return newField(name, usage, kindShown) }
func organization(usage string) field  { return newField("organizationId", usage, kindOrganization) }
func yes(name, usage string) field     { return newField(name, usage, kindYes) }
func texts(name, usage string) field   { return newField(name, usage, kindTexts) }
func ids(name, usage string) field     { return newField(name, usage, kindIDs) }
func seconds(name, usage string) field { return newField(name, usage, kindSeconds) }
func contents(name string) field       { return newField(name, "", kindContents) }

// records returns the field for a batch whose elements have members of the records of a file.
func records(name string, members ...string) field {
	f := newField(name, "", kindRecords).needed()
	f.members = members
	return f
}

func newField(name, usage string, kind kind) field {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return field{name: name, usage: usage, kind: kind, flag: kebab(last)}
}

// kebab returns the name of a field as that of a flag.
func kebab(name string) string {
	var flag strings.Builder
	for _, char := range name {
		if 'A' <= char && char <= 'Z' {
			flag.WriteByte('-')
			char += 'a' - 'A'
		}
		flag.WriteRune(char)
	}
	return flag.String()
}

// needed returns the field as a required one.
func (f field) needed() field {
	f.required = true
	return f
}

// first returns the field as the required argument of the command.
func (f field) first() field {
	f.required, f.argument = true, true
	return f
}

// as returns the field with another name of the flag.
func (f field) as(flag string) field {
	f.flag = flag
	return f
}

// isFlag reports whether the field is a flag.
func (f field) isFlag() bool { return !f.argument && f.kind != kindContents && !f.isFile() }

// isFile reports whether the argument of the command is a file.
func (f field) isFile() bool { return f.kind == kindFile || f.kind == kindRecords }

// newFlag returns the flag of the field.
func (f field) newFlag() cli.Flag {
	switch usage := f.usage; f.kind {
	case kindID, kindShown:
		return &cli.Int64Flag{Name: f.flag, Usage: usage, HideDefault: true}
	case kindYes:
		return &cli.BoolFlag{Name: f.flag, Usage: usage}
	case kindTexts:
		return &cli.StringSliceFlag{Name: f.flag, Usage: usage, Value: f.otherwise, Config: cli.StringConfig{TrimSpace: true}}
	case kindIDs:
		return &cli.Int64SliceFlag{Name: f.flag, Usage: usage}
	case kindSeconds:
		return &cli.DurationFlag{Name: f.flag, Usage: usage, HideDefault: true}
	default:
		return &cli.StringFlag{Name: f.flag, Usage: usage}
	}
}

// argumentsUsage describes the arguments of the command.
func (o operation) argumentsUsage() string {
	for _, f := range o.fields {
		switch {
		case f.kind == kindContents:
			return "CONTENT..."
		case f.isFile():
			return "FILE"
		case f.argument:
			return strings.ToUpper(f.flag)
		}
	}
	return ""
}

// checkArguments returns an error if the number of arguments, or a required flag, is wrong.
func (o operation) checkArguments(c *cli.Command) error {
	wanted := 0
	for _, f := range o.fields {
		switch {
		case f.kind == kindContents:
			return o.checkFlags(c)
		case f.isFile() || f.argument:
			wanted = 1
			if c.NArg() != 1 || c.Args().First() == "" {
				return fmt.Errorf("missing argument; give one %s", o.argumentsUsage())
			}
		}
	}
	if c.NArg() > wanted {
		return errUnexpectedArgument
	}
	return o.checkFlags(c)
}

func (o operation) checkFlags(c *cli.Command) error {
	for _, f := range o.fields {
		if f.required && f.otherwise == nil && f.isFlag() && !c.IsSet(f.flag) {
			return fmt.Errorf("missing flag -%s: %s", f.flag, strings.ReplaceAll(f.usage, "`", ""))
		}
	}
	if o.paged() && c.Int(flagLimit) < 0 {
		return errors.New("-limit must not be negative")
	}
	return nil
}

// paged reports whether the records have pages.
func (o operation) paged() bool { return o.page > 0 }
