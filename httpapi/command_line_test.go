package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/httpapi"
)

// Commands of a person who can reach the database need no user, and the audit trail says where they came from.
func TestNewOperator_CommandLine(t *testing.T) {
	t.Parallel()
	const path, body = operatorBase + "/organization/create", `{"slug":"new","name":"New"}`
	for reason, c := range map[string]struct {
		commandLine bool
		key         string
		status      int
		want        audit.Actor
	}{
		"a client without a user":  {false, userlessKey, http.StatusForbidden, audit.Actor{}},
		"a command without a user": {true, userlessKey, http.StatusOK, audit.Actor{Channel: audit.ChannelCommandLine, Key: account.Fingerprint(account.HashKey(userlessKey))}},
		"a command of a user":      {true, adminKey, http.StatusOK, audit.Actor{Channel: audit.ChannelCommandLine, UserID: operatorUser, Key: account.Fingerprint(account.HashKey(adminKey))}},
		"a command without access": {true, readerKey, http.StatusForbidden, audit.Actor{}},
	} {
		s := startOperatorWith(t, setup{options: httpapi.Options{CommandLine: c.commandLine}})
		require.Equal(t, c.status, s.post(path, c.key, body).Status, reason)
		if c.status != http.StatusOK {
			continue
		}
		entries, err := s.guard.Audit.List(t.Context(), trail.ListRequest{Filter: trail.Filter{Kind: audit.KindOrganization}})
		require.NoError(t, err)
		require.Equal(t, c.want, entries.Items[0].Actor, reason)
	}
}
