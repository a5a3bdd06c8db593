package main

import (
	"fmt"
	"io"
	"net/http"
)

// inProcess answers requests with a handler in the same process.
type inProcess struct{ handler http.Handler }

// RoundTrip implements [http.RoundTripper].
func (t inProcess) RoundTrip(request *http.Request) (*http.Response, error) {
	reader, writer := io.Pipe()
	w := &pipedResponse{header: make(http.Header), body: writer, began: make(chan int, 1)}
	served := request.Clone(request.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(w.began)
		writer.CloseWithError(w.serve(t.handler, served)) // nil is the end of the body
	}()
	status, answered := <-w.began
	if !answered {
		_, err := reader.Read(nil)
		return nil, err
	}
	return &http.Response{
		StatusCode: status, ProtoMajor: 2, ContentLength: -1, Request: request,
		Header: w.sent, Body: pipedBody{reader, ended},
	}, nil
}

// pipedResponse is the response of a handler, whose body is a pipe.
type pipedResponse struct {
	header, sent http.Header
	body         *io.PipeWriter
	// began has room for the status.
	began chan int
}

// serve returns an error if the handler panics, as it does to abort a response.
func (w *pipedResponse) serve(handler http.Handler, request *http.Request) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("response was aborted: %v", cause)
		}
	}()
	handler.ServeHTTP(w, request)
	w.WriteHeader(http.StatusOK)
	return nil
}

// Header implements [http.ResponseWriter].
func (w *pipedResponse) Header() http.Header { return w.header }

// WriteHeader implements [http.ResponseWriter]. The first status counts.
func (w *pipedResponse) WriteHeader(status int) {
	if w.sent == nil {
		w.sent = w.header.Clone()
		w.began <- status
	}
}

// Write implements [http.ResponseWriter].
func (w *pipedResponse) Write(part []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(part)
}

// pipedBody is the body of a response. It waits for the end of the handler when it is closed.
type pipedBody struct {
	*io.PipeReader
	ended <-chan struct{}
}

// Close implements [io.Closer].
func (b pipedBody) Close() error {
	err := b.PipeReader.Close()
	<-b.ended
	return err
}
