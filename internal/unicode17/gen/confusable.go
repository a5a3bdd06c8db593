package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/apguard/apguard/internal/unicode17/layout"
)

// letterForms are the letters that UTS #39 has classes of their own for, though they differ from an
// ASCII letter only in their size or a serif: small capitals and the letters that stand for
// them in its data, and the b of Zhuang. Without them, the Cyrillic letters в, к, м, н, т and ь
// would look like nothing.
var letterForms = map[rune]string{ //nolint:gochecknoglobals // constant
	'ᴀ': "a", 'ʙ': "b", 'ƅ': "b", 'ᴅ': "d", 'ᴇ': "e", 'ɢ': "g", 'ʜ': "h", 'ᴊ': "j", 'ĸ': "k", 'ʟ': "l",
	'ʍ': "m", 'ɴ': "n", 'ᴘ': "p", 'ʀ': "r", 'ᴛ': "t",
}

// readConfusables reads the prototypes of UTS #39. The file is Go with a switch, whose cases are code points and return a text.
func readConfusables(path string) (map[rune]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	found := make(map[rune]string)
	ast.Inspect(file, func(node ast.Node) bool {
		clause, ok := node.(*ast.CaseClause)
		if !ok || err != nil {
			return err == nil
		}
		err = addPrototype(found, clause)
		return false
	})
	if err == nil && len(found) == 0 {
		err = errors.New("no confusable characters")
	}
	return found, err
}

// addPrototype adds the characters of a case. The default case, which has none, stands for all others.
func addPrototype(found map[rune]string, clause *ast.CaseClause) error {
	for _, expression := range clause.List {
		number, isNumber := expression.(*ast.BasicLit)
		if !isNumber || len(clause.Body) != 1 {
			return fmt.Errorf("unexpected case at %d", clause.Pos())
		}
		statement, isReturn := clause.Body[0].(*ast.ReturnStmt)
		if !isReturn || len(statement.Results) != 1 {
			return fmt.Errorf("no result at %d", clause.Pos())
		}
		literal, isLiteral := statement.Results[0].(*ast.BasicLit)
		if !isLiteral {
			return fmt.Errorf("no text at %d", clause.Pos())
		}
		r, err := strconv.ParseInt(number.Value, 0, 32)
		if err != nil {
			return err
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			return err
		}
		found[rune(r)] = text
	}
	return nil
}

// lookAlikes returns the characters that look like ASCII letters, digits or hyphens, and those texts.
// They are only those of mapped domains. Characters from right to left are left out, because a label is then
// shown in another order.
func lookAlikes(prototypes map[rune]string, all mappings) (records, texts []byte) {
	at := make(map[string]int)
	eachRune(func(r rune) {
		text := inASCII(r, prototypes)
		if r < utf8.RuneSelf || text == "" || !all.isValid(r) || isRightToLeft(r) {
			return
		}
		if _, known := at[text]; !known {
			at[text] = len(texts)
			texts = append(texts, text...)
		}
		records = appendUint24(appendUint24(records, int(r)), layout.Text(at[text], len(text)))
	})
	return records, texts
}

// inASCII returns the lower-case ASCII text that a character looks like, or "".
func inASCII(r rune, prototypes map[rune]string) string {
	prototype, ok := prototypes[r]
	if !ok {
		prototype = string(r)
	}
	var text strings.Builder
	for _, part := range prototype {
		switch form, isForm := letterForms[part]; {
		case isForm:
			text.WriteString(form)
		case part == '-' || part < utf8.RuneSelf && (unicode.IsLetter(part) || unicode.IsDigit(part)):
			text.WriteRune(unicode.ToLower(part))
		default:
			return ""
		}
	}
	return text.String()
}

func (all mappings) isValid(r rune) bool {
	i, _ := slices.BinarySearchFunc(all, int(r), func(m mapping, r int) int {
		return m.last - r
	})
	return all[i].kind == layout.Valid
}

func isRightToLeft(r rune) bool {
	switch bidiOf(r) {
	case layout.BidiR, layout.BidiAL, layout.BidiAN:
		return true
	default:
		return false
	}
}
