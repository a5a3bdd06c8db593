package request

import "github.com/apguard/apguard/check"

// Check decodes POST /asset/check. The service says whether the content is recognized.
func (c Call) Check() (content string, err error) {
	f, err := c.body("content")
	if err != nil {
		return "", err
	}
	content = one(&f, "content", asString)
	return content, f.issues.Err()
}

// CheckBatch decodes POST /asset/check/batch. Too many contents are refused whatever they
// contain.
func (c Call) CheckBatch() (contents []string, err error) {
	f, err := c.body("contents")
	if err != nil {
		return nil, err
	}
	if values, err := f.source.many("contents"); err == nil && more(values, check.MaxContents) {
		return nil, check.ErrTooMany
	}
	contents = many(&f, "contents", check.MaxContents, asString)
	f.requireList("contents")
	if err := f.issues.Err(); err != nil {
		return nil, err
	}
	return contents, check.ValidateBatch(contents)
}
