package rpc_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"strings"
	"sync"
)

// logTo returns a log and what was written to it, a line each.
func logTo() (*slog.Logger, func() []string) {
	w := new(lockedBuffer)
	return slog.New(slog.NewTextHandler(w, nil)), func() []string {
		w.mu.Lock()
		defer w.mu.Unlock()
		return strings.FieldsFunc(w.b.String(), func(r rune) bool { return r == '\n' })
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *lockedBuffer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

// dialer dials where it is told to.
func dialer(where func() string) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) { return net.Dial("tcp", where()) }
}
