package audit

import (
	"context"
	"slices"
)

// Actor is who acts. The zero Actor is the host application, which did not name anybody.
type Actor struct {
	Channel Channel `json:"channel"`
	// UserID is the user who acts, or 0 if unknown.
	UserID int64 `json:"userId,omitzero"`
	// Key is the fingerprint of the API key with which the user acts, or empty.
	Key string `json:"key,omitzero"`
}

// Channel is the way on which an act reached the service.
type Channel string

// The channels.
const (
	// ChannelApplication is a call of the host application.
	ChannelApplication Channel = "APPLICATION"
	// ChannelAPI is a request to an HTTP API.
	ChannelAPI Channel = "API"
	// ChannelCommandLine is a command of a person who can reach the database.
	ChannelCommandLine Channel = "COMMAND_LINE"
)

var channels = [...]Channel{ChannelApplication, ChannelAPI, ChannelCommandLine}

// Channels returns all channels in a new slice.
func Channels() []Channel { return slices.Clone(channels[:]) }

type actorKey struct{}

// WithActor returns a context whose calls are acts of the actor.
func WithActor(ctx context.Context, actor Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// ActorOf returns the actor of the context, or the host application.
func ActorOf(ctx context.Context) Actor {
	actor, _ := ctx.Value(actorKey{}).(Actor)
	if actor.Channel == "" {
		actor.Channel = ChannelApplication
	}
	return actor
}
