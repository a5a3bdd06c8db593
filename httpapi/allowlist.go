package httpapi

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

type addResponse struct {
	Results      []addResult `json:"results"`
	SuccessCount int         `json:"successCount"`
	ErrorCount   int         `json:"errorCount"`
}

type addResult struct {
	Content string `json:"content"`
	Success bool   `json:"success"`
	ID      int64  `json:"id,omitzero"`
	Error   string `json:"error,omitempty"`
}

// addAssets answers the specification's "Organization asset batch add".
func (a *API) addAssets(w *responseWriter, c call) error {
	body, err := decodeBody(c.body, "assets")
	if err != nil {
		return err
	}
	request := allowlist.AddRequest{OrganizationID: c.principal.OrganizationID, Actor: c.principal.UserID}
	if err := decodeItems(body, &request); err != nil {
		return err
	}
	results, err := a.service.AddToAllowlist(c.Context(), request)
	if err != nil {
		return err
	}
	response, err := newAddResponse(results)
	if err != nil {
		return err
	}
	return w.writeJSON(response)
}

// decodeItems decodes the assets into the items of the request. It stops after the
// maximum number, so that too many assets are refused whatever they contain.
func decodeItems(body object, request *allowlist.AddRequest) error {
	f := fields{source: body}
	list := body["assets"]
	switch list.Kind() {
	case jsontext.KindBeginArray:
	case jsontext.KindInvalid, jsontext.KindNull:
		f.require(false, "assets")
		return f.join()
	default:
		f.add("assets", "must be an array")
		return f.join()
	}
	for element := range elements(list) {
		n := len(request.Items)
		if n == allowlist.MaxItems {
			return allowlist.ErrTooMany
		}
		request.Items = append(request.Items, decodeItem(&f, "assets["+strconv.Itoa(n)+"]", element))
	}
	if len(f.issues) == 0 {
		return nil // the service validates the request
	}
	return f.join(request.Validate())
}

// decodeItem decodes one asset and adds its issues to those of the request.
func decodeItem(request *fields, name string, element jsontext.Value) allowlist.Item {
	if element.Kind() != jsontext.KindBeginObject {
		request.add(name, "must be an object")
		return allowlist.Item{}
	}
	f := fields{source: decodeObject(element, "content", "name", "description", "groupId"), path: name + "."}
	// An invalid content or groupId fails in the result of the asset. Only a content
	// that is not a string makes the request invalid.
	item := allowlist.Item{
		Content:     one(&f, "content", asString),
		Name:        f.text("name"),
		Description: f.text("description"),
		GroupID:     one(&f, "groupId", asGroupID),
	}
	request.issues = append(request.issues, f.issues...)
	return item
}

// invalidGroupID stands for any value that is not a group ID. 0 would mean no group.
const invalidGroupID = -1

// asGroupID accepts any value, because an invalid group ID refuses only the asset.
func asGroupID(v value) (int64, string) {
	if id, ok := v.wholeNumber(); ok && asset.ValidID(id) {
		return id, ""
	}
	return invalidGroupID, ""
}

// newAddResponse returns the response body. It fails if a result has an error without a
// message in the specification.
func newAddResponse(results []allowlist.Result) (addResponse, error) {
	response := addResponse{Results: make([]addResult, len(results))}
	for i, result := range results {
		message, err := itemMessage(result.Err)
		if err != nil {
			return addResponse{}, err
		}
		response.Results[i] = addResult{Content: result.Content, Error: message}
		if result.Err != nil {
			response.ErrorCount++
			continue
		}
		response.Results[i].Success = true
		response.Results[i].ID = result.AssetID
		response.SuccessCount++
	}
	return response, nil
}

// itemMessage returns the message of a result for its error.
func itemMessage(err error) (string, error) {
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, allowlist.ErrContentRequired):
		return "Content is required", nil
	case errors.Is(err, allowlist.ErrInvalidFormat):
		return "Invalid asset format", nil
	case errors.Is(err, allowlist.ErrInvalidGroupID):
		return "Invalid group ID", nil
	case errors.Is(err, allowlist.ErrExists):
		return "Asset already exists in organization", nil
	case errors.Is(err, allowlist.ErrBlocked):
		return "Asset is blocked", nil
	default:
		return "", fmt.Errorf("unknown error of an allowlist item: %w", err)
	}
}
