package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

type addResponse struct {
	Results      []addResult `json:"results"`
	SuccessCount int         `json:"successCount"`
	ErrorCount   int         `json:"errorCount"`
	DryRun       bool        `json:"dryRun,omitzero"`
}

type addResult struct {
	Content string `json:"content"`
	Success bool   `json:"success"`
	ID      int64  `json:"id,omitzero"`
	Error   string `json:"error,omitempty"`
	// Status is a string or null on a dry run, and absent otherwise.
	Status jsontext.Value `json:"status,omitzero"`
}

// addAssets answers the specification's "Organization asset batch add".
func (a *API) addAssets(w *responseWriter, c call) error {
	body, err := decodeBody(c.body, "assets", "dryRun")
	if err != nil {
		return err
	}
	request, err := decodeAddRequest(body, c)
	if err != nil {
		return err
	}
	added, err := a.service.AddToAllowlist(c.Context(), request)
	if err != nil {
		return err
	}
	response, err := newAddResponse(added.Results, request.DryRun)
	if err != nil {
		return err
	}
	announceReplay(w.Header(), added.Replayed)
	return w.writeJSON(response)
}

// decodeAddRequest decodes a request. A dry run tells the status of assets, so it also needs
// one of the scopes for reading statuses.
func decodeAddRequest(body object, c call) (allowlist.AddRequest, error) {
	f := fields{source: body}
	key, invalidKey := idempotencyKey(c)
	request := allowlist.AddRequest{
		OrganizationID: c.principal.OrganizationID,
		Actor:          c.principal.UserID,
		Idempotency:    key,
		DryRun:         f.flag("dryRun"),
	}
	if request.DryRun && !c.principal.Has(account.ScopeCheck) && !c.principal.Has(account.ScopeChangelog) {
		return allowlist.AddRequest{}, apiError{status: http.StatusUnauthorized}
	}
	if err := decodeItems(&f, body.value("assets"), &request); err != nil {
		return allowlist.AddRequest{}, err
	}
	if invalidKey == nil && len(f.issues) == 0 {
		return request, nil // the service validates the request
	}
	return request, f.join(invalidKey, request.Validate())
}

// decodeItems decodes the assets into the items of the request. It stops after the
// maximum number, so that too many assets are refused whatever they contain.
func decodeItems(f *fields, list jsontext.Value, request *allowlist.AddRequest) error {
	switch list.Kind() {
	case jsontext.KindBeginArray:
	case jsontext.KindInvalid, jsontext.KindNull:
		f.require(false, "assets")
		return nil
	default:
		f.add("assets", "must be an array")
		return nil
	}
	decoder, names := uncheckedDecoder(list), []string{"content", "name", "description", "groupId", "expiresAt"}
	_, _ = decoder.ReadToken()
	for n := 0; decoder.PeekKind() != jsontext.KindEndArray; n++ {
		if n == allowlist.MaxItems {
			return allowlist.ErrTooMany
		}
		name, item := "assets["+strconv.Itoa(n)+"]", allowlist.Item{}
		if decoder.PeekKind() == jsontext.KindBeginObject {
			item = decodeItem(f, name, readObject(decoder, list, names))
		} else {
			_ = decoder.SkipValue()
			f.add(name, "must be an object")
		}
		request.Items = append(request.Items, item)
	}
	return nil
}

// decodeItem decodes one asset and adds its issues to those of the request.
func decodeItem(request *fields, name string, members object) allowlist.Item {
	f := fields{source: members, path: name + "."}
	// An invalid content, groupId or expiresAt fails in the result of the asset. Only a
	// content or an expiresAt that is not a string makes the request invalid.
	item := allowlist.Item{
		Content:     one(&f, "content", asString),
		Name:        f.text("name"),
		Description: f.text("description"),
		GroupID:     one(&f, "groupId", asGroupID),
		ExpiresAt:   one(&f, "expiresAt", asExpiry),
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

// asExpiry accepts any string, because an invalid time refuses only the asset. A time that is
// always past stands for any text that is not a time. The zero time would mean no end.
func asExpiry(v value) (time.Time, string) {
	text, issue := asString(v)
	if issue != "" {
		return time.Time{}, issue
	}
	if expiry, ok := asset.ParseTime(text); ok && !expiry.IsZero() {
		return expiry, ""
	}
	return time.Time{}.Add(time.Nanosecond), ""
}

// newAddResponse returns the response body. It fails if a result has an error without a
// message in the specification.
func newAddResponse(results []allowlist.Result, dryRun bool) (addResponse, error) {
	response := addResponse{Results: make([]addResult, len(results)), DryRun: dryRun}
	for i, result := range results {
		message, err := itemMessage(result.Err)
		if err != nil {
			return addResponse{}, err
		}
		response.Results[i] = addResult{Content: result.Content, Error: message}
		if dryRun {
			response.Results[i].Status = statusOrNull(result.Status)
		}
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

func statusOrNull(status asset.Status) jsontext.Value {
	if status == "" {
		return jsontext.Value("null")
	}
	return jsontext.Value(`"` + status + `"`)
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
	case errors.Is(err, allowlist.ErrInvalidExpiry):
		return "Invalid expiry", nil
	case errors.Is(err, allowlist.ErrExists):
		return "Asset already exists in organization", nil
	case errors.Is(err, allowlist.ErrBlocked):
		return "Asset is blocked", nil
	default:
		return "", fmt.Errorf("unknown error of an allowlist item: %w", err)
	}
}
