package main

import (
	"errors"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/mirror"
	"github.com/apguard/apguard/classify"
)

// newMirrorHandler returns a handler that answers from the mirror and counts the verdicts.
func newMirrorHandler(m *mirror.Mirror, c *mirrorChecks) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /check", func(w http.ResponseWriter, r *http.Request) { answerCheck(w, r, m, c) })
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { answerHealth(w, m) })
	return mux
}

// mirrorVerdict is the answer to a check.
type mirrorVerdict struct {
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
	By      *mirrorCover `json:"by"`
}

// mirrorCover is the asset that decided.
type mirrorCover struct {
	Kind    classify.CoverKind `json:"kind"`
	Type    asset.Type         `json:"type"`
	Content string             `json:"content"`
}

// answerCheck answers whether a content may be shown.
func answerCheck(w http.ResponseWriter, r *http.Request, m *mirror.Mirror, c *mirrorChecks) {
	found, err := m.Check(r.Context(), r.URL.Query().Get("content"))
	switch {
	case errors.Is(err, asset.ErrInvalid):
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	case err != nil: // mirror.ErrNotFilled: UNKNOWN would be wrong
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	c.add(found)
	answer := mirrorVerdict{Content: found.Content, Status: found.Status}
	if match := found.Match; match != nil {
		answer.By = &mirrorCover{Kind: match.Kind, Type: match.Type, Content: match.Canonical}
	}
	writeAnswer(w, http.StatusOK, answer)
}

// mirrorState is the answer to a health check.
type mirrorState struct {
	Filled bool `json:"filled"`
	Assets int  `json:"assets"`
	// AgeSeconds is how old the copy may be.
	AgeSeconds float64 `json:"ageSeconds,omitzero"`
	Error      string  `json:"error,omitempty"`
}

// answerHealth returns 503 until the mirror is filled. A load balancer may stop asking a mirror that
// is too old.
func answerHealth(w http.ResponseWriter, m *mirror.Mirror) {
	now := m.State()
	answer, code := mirrorState{Filled: now.Filled, Assets: now.Assets}, http.StatusServiceUnavailable
	if now.Filled {
		answer.AgeSeconds, code = time.Since(now.ReadAt).Seconds(), http.StatusOK
	}
	if now.Err != nil {
		answer.Error = "the origin cannot be read" // the log has the rest
	}
	writeAnswer(w, code, answer)
}

func writeAnswer(w http.ResponseWriter, code int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.MarshalWrite(w, answer) // the client is gone
}
