package account

import (
	"cmp"
	"context"
	"slices"
)

// SignInKeyName is the name of the keys with which people sign in whom the host application has authenticated; see
// [KeyService.SignInKey].
const SignInKeyName = "sign-in"

// SignInUser returns the user who has an e-mail address, as [EmailKey] compares them, for a host application that
// has authenticated the person with the address. Programs and deactivated users do not count. SignInUser returns
// [ErrUserNotFound] if the address is invalid, or is that of no user or of several.
func (s *Service) SignInUser(ctx context.Context, email string) (User, error) {
	if !ValidEmail(email) {
		return User{}, ErrUserNotFound
	}
	users, err := s.UsersByEmail(ctx, email)
	if err != nil {
		return User{}, err
	}
	users = slices.DeleteFunc(users, func(u User) bool { return u.Deactivated || u.Automation })
	if len(users) != 1 {
		return User{}, ErrUserNotFound
	}
	return users[0], nil
}

// SignInKey returns the key with which a user signs in without its secret text, for a host application that has
// authenticated the user: the newest one that grants access now, has the name [SignInKeyName] and has no organization.
// Other keys of the user never count. The scopes of the key are all that the user gets, and revoking it ends them.
//
// SignInKey returns [ErrUnknownKey] if there is no such key.
func (s *KeyService) SignInKey(ctx context.Context, userID int64) (Key, error) {
	keys, err := s.store.Keys(ctx, 0)
	if err != nil {
		return Key{}, err
	}
	now := s.Now()
	keys = slices.DeleteFunc(keys, func(k Key) bool {
		return k.UserID == 0 || k.UserID != userID || k.Name != SignInKeyName || k.Usable(now) != nil
	})
	if len(keys) == 0 {
		return Key{}, ErrUnknownKey
	}
	return slices.MaxFunc(keys, func(a, b Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), slices.Compare(a.Hash[:], b.Hash[:]))
	}), nil
}
