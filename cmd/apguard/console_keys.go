package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard/account"
)

// consoleKeyLifetime is how long the keys of one start grant access.
const consoleKeyLifetime = 24 * time.Hour

// consoleKeys are the secrets of two keys of the demo.
type consoleKeys struct {
	organization, operator string
}

// createConsoleKeys creates new keys at each start, because a store has only hashes of the others.
func createConsoleKeys(ctx context.Context, service *account.KeyService, now time.Time) (consoleKeys, error) {
	organization, err := service.Create(ctx, account.KeyRequest{
		OrganizationID: consoleOrganization, UserID: consoleMember, Name: "console",
		Scopes: account.Scopes(), ExpiresAt: now.Add(consoleKeyLifetime),
	})
	if err != nil {
		return consoleKeys{}, err
	}
	operator, err := service.Create(ctx, account.KeyRequest{
		UserID: consoleOperator, Name: "console operator",
		Scopes: administratorScopes(), ExpiresAt: now.Add(consoleKeyLifetime),
	})
	return consoleKeys{organization, operator}, err
}

// administratorScopes returns all scopes. A key can only be made with scopes that its maker's key has.
func administratorScopes() []account.Scope {
	return slices.Concat(account.Scopes(), account.OperatorScopes(), []account.Scope{account.ScopeOperatorAdmin})
}

// greeting tells where the page is and how to go on. The keys of the link are in its fragment, which browsers
// send to no server. The page signs in with them and removes them from its address.
func (k consoleKeys) greeting(address, db string) string {
	return fmt.Sprintf(`The console is on %[1]s, with the data in %[4]s.

  key of the organization Acme: %[2]s
  key of an operator:           %[3]s

They grant access for a day, and each start makes new ones. Open this link once, which signs in
with them:

  %[1]s/#/overview?key=%[2]s&operatorKey=%[3]s

Press Ctrl+C to stop. Remove %[4]s to begin again with new demo data.

`, address, k.organization, k.operator, db)
}
