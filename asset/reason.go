package asset

import "slices"

// Reason says why an asset has a status. It is for everybody who may see the status. The zero value
// gives no reason.
type Reason string

// The reasons. All but [ReasonOther] go with some statuses only; see [Reason.Fits].
const (
	// ReasonPhishing means that the asset asks for secrets under a false name.
	ReasonPhishing Reason = "PHISHING"
	// ReasonMalware means that the asset spreads harmful software.
	ReasonMalware Reason = "MALWARE"
	// ReasonScam means that the asset takes money for nothing.
	ReasonScam Reason = "SCAM"
	// ReasonImpersonation means that the asset passes for a person, a brand or an organization.
	ReasonImpersonation Reason = "IMPERSONATION"
	// ReasonDrainer means that the asset empties the wallets that are connected to it.
	ReasonDrainer Reason = "DRAINER"
	// ReasonCommandAndControl means that infected machines get their orders from the asset.
	ReasonCommandAndControl Reason = "COMMAND_AND_CONTROL"
	// ReasonCounterfeit means that the asset sells counterfeits.
	ReasonCounterfeit Reason = "COUNTERFEIT"
	// ReasonSpam means that the asset is advertised by unwanted messages.
	ReasonSpam Reason = "SPAM"
	// ReasonCompromised means that the asset is in the hands of others than its owner.
	ReasonCompromised Reason = "COMPROMISED"
	// ReasonOther is any other reason.
	ReasonOther Reason = "OTHER"
	// ReasonFalsePositive means that the asset was blocked by mistake.
	ReasonFalsePositive Reason = "FALSE_POSITIVE"
	// ReasonLegitimate means that the asset belongs to whom it says.
	ReasonLegitimate Reason = "LEGITIMATE"
)

// reasons has every reason. Databases have their positions, so a new one goes to the end.
var reasons = [...]Reason{
	ReasonPhishing, ReasonMalware, ReasonScam, ReasonImpersonation, ReasonDrainer, ReasonCommandAndControl,
	ReasonCounterfeit, ReasonSpam, ReasonCompromised, ReasonOther, ReasonFalsePositive, ReasonLegitimate,
}

// Reasons returns all reasons in a new slice.
func Reasons() []Reason { return slices.Clone(reasons[:]) }

// Valid reports whether r is one of the reasons.
func (r Reason) Valid() bool { return slices.Contains(reasons[:], r) }

// Fits reports whether r can be the reason of the status: [ReasonFalsePositive] and [ReasonLegitimate] of
// ALLOWED and UNKNOWN, [ReasonOther] of all, and the others of BLOCKED. No reason fits all.
func (r Reason) Fits(status Status) bool {
	switch r {
	case "", ReasonOther:
		return true
	case ReasonFalsePositive, ReasonLegitimate:
		return status != StatusBlocked
	default:
		return status == StatusBlocked && r.Valid()
	}
}

// For returns the reason of a decision with the status: r, or [ReasonOther] if something is BLOCKED without one.
func (r Reason) For(status Status) Reason {
	if r == "" && status == StatusBlocked {
		return ReasonOther
	}
	return r
}

// CheckReason adds an issue with the field reason unless r is empty or a reason of the status. It does not check the status.
func (is *Issues) CheckReason(r Reason, status Status) {
	switch {
	case r != "" && !r.Valid():
		is.Add("reason", "must be a known reason")
	case status.Valid() && !r.Fits(status):
		is.Add("reason", "must be a reason of the status "+string(status))
	}
}
