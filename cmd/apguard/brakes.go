package main

import "log/slog"

// warnOfBrakes logs a warning for each protection of everyone that the flags leave off.
func (c config) warnOfBrakes(logger *slog.Logger) {
	for _, brake := range []struct {
		off           bool
		flag, meaning string
	}{
		{!c.refuseBlocked && !c.readOnly, "-refuse-blocked is off", "an organization can make a BLOCKED asset ALLOWED for everyone"},
		{c.limits.rate == 0, "-rate is 0", "a key can send any number of requests, and keys can be guessed"},
		{c.privateWebhooks, "-private-webhooks is on", "webhooks can reach the network of this server"},
		{c.privateLists, "-private-lists is on", "lists can reach the network of this server"},
	} {
		if brake.off {
			logger.Warn(brake.flag, "meaning", brake.meaning)
		}
	}
}
