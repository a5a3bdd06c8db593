package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listeners are those of the server. All but api are nil without their flags.
type listeners struct {
	api, metrics, operator, phishing net.Listener
}

// listen listens on the addresses of the flags: on all of them, or on none if there is an error.
func (c config) listen(ctx context.Context) (listeners, error) {
	var (
		l    listeners
		errs [4]error
	)
	l.api, errs[0] = listen(ctx, "-addr", c.addr)
	l.metrics, errs[1] = listenIfSet(ctx, "-metrics", c.metrics)
	l.operator, errs[2] = listenIfSet(ctx, "-operator", c.operator)
	l.phishing, errs[3] = listenIfSet(ctx, "-phishing-api", c.phishing)
	if err := errors.Join(errs[:]...); err != nil {
		l.close()
		return listeners{}, err
	}
	return l, nil
}

// close closes all listeners. The server may have closed them.
func (l listeners) close() {
	for _, listener := range []net.Listener{l.api, l.metrics, l.operator, l.phishing} {
		if listener != nil {
			_ = listener.Close()
		}
	}
}

// listen listens on the address of a flag.
func listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("%s %s: must be HOST:PORT, such as 127.0.0.1:8080", flag, addr)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s %s: %w (stop the program that listens there, or choose another address)", flag, addr, err)
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", flag, addr, err)
	}
	return listener, nil
}

// listenIfSet returns nil if the address is empty.
func listenIfSet(ctx context.Context, flag, addr string) (net.Listener, error) {
	if addr == "" {
		return nil, nil //nolint:nilnil // the listener is optional
	}
	return listen(ctx, flag, addr)
}
