package httpapi

import (
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

type auditResponse struct {
	Entries    []auditEntry `json:"entries"`
	NextCursor *int64       `json:"nextCursor"`
}

type auditEntry struct {
	ID           int64              `json:"id"`
	At           string             `json:"at"`
	Actor        auditActor         `json:"actor"`
	Kind         audit.Kind         `json:"kind"`
	Action       audit.Action       `json:"action"`
	Subject      *string            `json:"subject"`
	Organization *namedOrganization `json:"organization"`
	User         *namedUser         `json:"user"`
	Detail       *string            `json:"detail"`
}

type auditActor struct {
	Channel audit.Channel `json:"channel"`
	User    *namedUser    `json:"user"`
	Key     *string       `json:"key"`
}

func newAuditResponse(page step.Page[audit.Entry]) auditResponse {
	response := auditResponse{Entries: mapped(page.Items, newAuditEntry)}
	if page.More {
		response.NextCursor = known(page.Last().ID)
	}
	return response
}

func (r auditResponse) addTo(n *names) {
	for _, entry := range r.Entries {
		n.addOrganizations(entry.Organization)
		n.addUsers(entry.Actor.User, entry.User)
	}
}

func newAuditEntry(e audit.Entry) auditEntry {
	organizationID, userID := e.About()
	return auditEntry{
		ID:           e.ID,
		At:           timestamp(e.At),
		Actor:        auditActor{e.Actor.Channel, newNamedUser(e.Actor.UserID), known(e.Actor.Key)},
		Kind:         e.Kind,
		Action:       e.Action,
		Subject:      known(e.Subject),
		Organization: newNamedOrganization(organizationID),
		User:         newNamedUser(userID),
		Detail:       known(e.Detail),
	}
}
