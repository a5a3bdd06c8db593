package client

import "strconv"

// rulesHeader is the header with the version of the rules by which the server made canonical forms and hashes.
const rulesHeader = "Rules-Version"

// rulesOf returns the version of the rules of a response, or 0 if it does not say it.
func rulesOf(r *response) (int, error) {
	text := r.header.Get(rulesHeader)
	if text == "" {
		return 0, nil
	}
	rules, err := strconv.Atoi(text)
	if err != nil {
		return 0, responseError("its version of the rules is not a number")
	}
	return rules, nil
}
