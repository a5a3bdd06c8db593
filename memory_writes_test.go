package apguard

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
)

type noStore struct{ storage.Unimplemented }

func (noStore) Close() error { return nil }

// Each step that can change what a check answers is watched. A new step of a store must be in one of both groups.
func TestWatchedStore(t *testing.T) {
	t.Parallel()
	changed := 0
	store := reflect.ValueOf(watchedStore{noStore{}, func() { changed++ }})
	var watched []string
	for method := range reflect.TypeFor[storage.Store]().Methods() {
		call := store.MethodByName(method.Name)
		arguments := make([]reflect.Value, call.Type().NumIn())
		for i := range arguments {
			arguments[i] = reflect.Zero(call.Type().In(i))
		}
		before := changed
		call.Call(arguments)
		if changed > before {
			watched = append(watched, method.Name)
			continue
		}
		require.Contains(t, keepStatuses, method.Name, "can it change a status?")
	}
	require.Len(t, watched, reflect.TypeFor[storage.Store]().NumMethod()-len(keepStatuses), "%v", watched)
}

// keepStatuses has the methods of a store that change no status.
var keepStatuses = []string{
	"ActByID", "Acts", "AddAct", "AddEndpoint", "AllowingOrganizations", "AllowlistEntries", "AssetsNear", "Assets",
	"AssetsByIdentity", "AuditEntries", "Changes", "Close", "CountBlocks", "CountDue", "CreateDispute", "DecidedDisputes",
	"DisputeBacklog", "DisputeByID", "DisputeEvents", "DisputeWithAsset", "Disputes", "DueDecisions", "DueEndpoints",
	"EndpointByID", "Endpoints", "EraseDisputes", "Feed", "FileReport", "Groups", "Held", "KeyByHash", "KeyPage", "Keys",
	"KeysByFingerprint", "LastAct", "LastDisputeEvent", "ListEntries", "Lists", "OrganizationBySlug", "Organizations",
	"OrganizationsByID", "Ping", "Proposal", "PruneChanges", "PruneDisputes", "PruneIdempotency", "PruneReports", "PublishChanges",
	"PutGroup", "PutKey", "PutList", "PutOrganization", "PutUser", "RecordKeyUse", "RemoveEndpoint", "RenameGroup", "ReportBacklog",
	"ReportByID", "Reports", "Reviews", "Since", "SiteAssets", "UpdateEndpoint", "UpdateKey", "UpdateOrganization", "UpdateUser",
	"UpdateUserKeys", "Users", "UsersByEmail", "UsersByID",
}
