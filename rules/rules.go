// Package rules answers calls of the core rules in JSON, for front ends in other languages. The
// command in rules/wasm offers them to JavaScript as WebAssembly, and rules/js has its typed
// functions. A front end then says before a request what the server says after it.
//
// All rules are pure: they need neither a network nor a store, and read no clock.
package rules

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrCall reports a call of an unknown rule, or with an argument that it does not take. It is
// an error of the program, not of what a user has entered.
var ErrCall = errors.New("invalid call of a rule")

// Call calls a rule with an argument in JSON and returns its answer in JSON. The rules are:
//
//	classify      {"contents": [string]}      the asset that each content names, or why it is refused
//	explain       {"content": string}         the same with the steps that led to it, and what a check looks up
//	validate      {"operation": path, ...}    what the server refuses about a request; see [Request]
//	plan          {"body": string, "at": time} what a batch add says about each asset, before any store is asked
//	transitions   {"state": string}           the states that a dispute can change to
//	reportStatus  {"reviewStatuses": [string]} the status of a report whose proposals have these review statuses
//	limits        {}                          the limits of requests
//
// The error matches [ErrCall].
func Call(name string, argument []byte) ([]byte, error) {
	switch name {
	case "classify":
		return answer(argument, classifyAll)
	case "explain":
		return answer(argument, explain)
	case "validate":
		return answer(argument, Request.validate)
	case "plan":
		return answer(argument, planRequest.plan)
	case "transitions":
		return answer(argument, transitions)
	case "reportStatus":
		return answer(argument, reportStatus)
	case "limits":
		return answer(argument, limits)
	default:
		return nil, fmt.Errorf("%w: no rule %q", ErrCall, name)
	}
}

// answer decodes the argument, calls the rule and encodes its answer.
func answer[A, R any](argument []byte, rule func(A) R) ([]byte, error) {
	var a A
	if err := json.Unmarshal(argument, &a); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCall, err)
	}
	text, err := json.Marshal(rule(a))
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return text, nil
}
