package main

import (
	"log/slog"
	"strings"
)

// warnOfBrakes logs one warning with each protection of everyone that the flags leave off.
func (c config) warnOfBrakes(logger *slog.Logger) {
	var off []string
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
			off = append(off, brake.flag+" ("+brake.meaning+")")
		}
	}
	if len(off) > 0 {
		logger.Warn("brakes are off", "flags", strings.Join(off, "; "))
	}
}
