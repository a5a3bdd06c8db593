package request

// Hashes decodes GET /asset/hashes and returns the version that the caller holds. It is empty for none.
func (c Call) Hashes() (string, error) {
	f := c.query("version")
	version := f.nonEmpty("version")
	return version, f.join()
}
