package httpapi

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/allowlist"
)

type addReply struct {
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
func (a *API) addAssets(w *reply, c call) error {
	body, err := parseBody(c.body, "assets")
	if err != nil {
		return err
	}
	items, err := readItems(body)
	if err != nil {
		return err
	}
	results, err := a.guard.Allowlist.Add(c.Context(), allowlist.Request{
		OrganizationID: c.principal.OrganizationID,
		Actor:          c.principal.UserID,
		Items:          items,
	})
	if err != nil {
		return err
	}
	reply, err := newAddReply(results)
	if err != nil {
		return err
	}
	return w.accept(reply)
}

// readItems reads the assets of a request. It reads no further than the most that
// there may be, and too many are refused whatever else is wrong with them.
func readItems(body object) ([]allowlist.Item, error) {
	f := fields{source: body}
	list := body["assets"]
	switch list.Kind() {
	case jsontext.KindBeginArray:
	case jsontext.KindInvalid, jsontext.KindNull:
		f.require(false, "assets")
		return nil, f.judge()
	default:
		f.note("assets", "must be an array")
		return nil, f.judge()
	}
	var items []allowlist.Item
	for element := range elements(list) {
		if len(items) == allowlist.MaxItems {
			return nil, allowlist.ErrTooMany
		}
		items = append(items, readItem(&f, "assets["+strconv.Itoa(len(items))+"]", element))
	}
	return items, f.judge()
}

// readItem reads one asset of a batch, and notes in the request's fields what is
// wrong with it.
func readItem(request *fields, name string, element jsontext.Value) allowlist.Item {
	if element.Kind() != jsontext.KindBeginObject {
		request.note(name, "must be an object")
		return allowlist.Item{}
	}
	f := fields{source: parseObject(element, "content", "name", "description", "groupId"), path: name + "."}
	// A content or groupId that is not right is told in the asset's own result,
	// unless the content is no string at all.
	content, _ := one(&f, "content", asString)
	groupID, _ := one(&f, "groupId", asGroupID)
	item := allowlist.Item{
		Content:     content,
		Name:        f.text("name"),
		Description: f.text("description"),
		GroupID:     groupID,
	}
	request.issues = append(request.issues, f.issues...)
	return item
}

// asGroupID reads whatever there is: 0, which is no group's identifier, when it is
// no whole number.
func asGroupID(v value) (*int64, string) {
	id, _ := v.whole()
	return &id, ""
}

// newAddReply returns the reply to the results. An error is a reason to refuse an
// asset that the specification's list of messages does not have.
func newAddReply(results []allowlist.Result) (addReply, error) {
	reply := addReply{Results: make([]addResult, len(results))}
	for i, result := range results {
		message, err := itemMessage(result.Err)
		if err != nil {
			return addReply{}, err
		}
		reply.Results[i] = addResult{
			Content: result.Content,
			Success: result.Err == nil,
			ID:      result.AssetID,
			Error:   message,
		}
		if result.Err == nil {
			reply.SuccessCount++
		} else {
			reply.ErrorCount++
		}
	}
	return reply, nil
}

// itemMessage returns what a result says about the reason of a refusal.
func itemMessage(reason error) (string, error) {
	switch {
	case reason == nil:
		return "", nil
	case errors.Is(reason, allowlist.ErrContentRequired):
		return "Content is required", nil
	case errors.Is(reason, allowlist.ErrInvalidFormat):
		return "Invalid asset format", nil
	case errors.Is(reason, allowlist.ErrInvalidGroupID):
		return "Invalid group ID", nil
	case errors.Is(reason, allowlist.ErrExists):
		return "Asset already exists in organization", nil
	case errors.Is(reason, allowlist.ErrBlocked):
		return "Asset is blocked", nil
	default:
		return "", fmt.Errorf("asset refused for an unknown reason: %w", reason)
	}
}
