package request

import "github.com/apguard/apguard/check"

// Check decodes POST /asset/check. The service says whether the content is recognized.
func (c Call) Check() (content string, err error) {
	f := c.reading(c.body("content"))
	content = one(&f, "content", asString)
	return content, f.join()
}

// CheckBatch decodes POST /asset/check/batch. Too many contents are refused whatever they
// contain.
func (c Call) CheckBatch() (contents []string, err error) {
	f := c.reading(c.bodyOfContents("contents"))
	if f.more("contents", check.MaxItems) {
		return nil, check.ErrTooMany
	}
	contents = many(&f, "contents", check.MaxItems, asString)
	f.require(f.given("contents"), "contents")
	if err := f.join(); err != nil {
		return nil, err
	}
	return contents, check.ValidateBatch(contents)
}

// Hashes decodes GET /asset/hashes and returns the version that the caller holds. It is empty for none.
func (c Call) Hashes() (string, error) {
	f := c.query("version")
	version := f.nonEmpty("version")
	return version, f.join()
}
