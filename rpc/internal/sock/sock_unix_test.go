//go:build unix

package sock

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// pairs are two ends of a connection of each kind of socket.
func pairs(t *testing.T, f func(t *testing.T, a, b net.Conn)) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			addr := "127.0.0.1:0"
			if network == "unix" {
				addr = filepath.Join(t.TempDir(), "s")
			}
			l, err := net.Listen(network, addr)
			require.NoError(t, err)
			defer l.Close()
			a, err := net.Dial(network, l.Addr().String())
			require.NoError(t, err)
			defer a.Close()
			b, err := l.Accept()
			require.NoError(t, err)
			defer b.Close()
			f(t, a, b)
		})
	}
}

func TestOnlySocketsOpen(t *testing.T) {
	pairs(t, func(t *testing.T, a, _ net.Conn) {
		require.True(t, new(Sock).Open(a))
		require.False(t, new(Sock).Open(struct{ net.Conn }{a}), "it wraps a socket, and may do more")
		require.False(t, new(Sock).Open(tls.Client(a, &tls.Config{ServerName: "x"})))
	})
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	require.False(t, new(Sock).Open(a))
}

func TestReadAsksForMemoryOnlyWhenThereIsSomething(t *testing.T) {
	pairs(t, func(t *testing.T, a, b net.Conn) {
		var s Sock
		require.True(t, s.Open(a))
		empty, got := 0, ""
		s.TryRead = func(fd uintptr) bool {
			p := make([]byte, 10)
			n, ok, err := Read(fd, p)
			if !ok {
				if empty++; empty == 1 {
					go b.Write([]byte("abc"))
				}
				return false
			}
			require.NoError(t, err)
			got = string(p[:n])
			return true
		}
		require.NoError(t, s.Read())
		require.Equal(t, "abc", got)
		require.Positive(t, empty, "nothing was there at first")
	})
}

func TestReadTellsTheEndOfTheStream(t *testing.T) {
	pairs(t, func(t *testing.T, a, b net.Conn) {
		var s Sock
		require.True(t, s.Open(a))
		var last error
		s.TryRead = func(fd uintptr) bool {
			n, ok, err := Read(fd, make([]byte, 10))
			require.Zero(t, n)
			last = err
			return ok
		}
		require.NoError(t, b.Close())
		require.NoError(t, s.Read())
		require.Equal(t, io.EOF, last)
	})
}

func TestWriteNeverWaits(t *testing.T) {
	pairs(t, func(t *testing.T, a, b net.Conn) {
		var s Sock
		require.True(t, s.Open(a))
		p := bytes.Repeat([]byte("0123456789"), 10_000)
		n, sent := 0, 0
		s.TryWrite = func(fd uintptr) bool {
			var err error
			n, err = Write(fd, p)
			require.NoError(t, err)
			return true
		}
		for n = 1; n > 0; sent += n { // nobody reads: it comes to nothing some time
			require.NoError(t, s.Write())
		}
		go a.Close() // what was taken has to come all the same
		all, err := io.ReadAll(b)
		require.NoError(t, err)
		require.Len(t, all, sent)
	})
}

func TestClosedConnectionsDoNotTry(t *testing.T) {
	pairs(t, func(t *testing.T, a, _ net.Conn) {
		var s Sock
		require.True(t, s.Open(a))
		s.TryRead = func(uintptr) bool { t.Error("read"); return true }
		s.TryWrite = func(uintptr) bool { t.Error("written"); return true }
		require.NoError(t, a.Close())
		require.ErrorIs(t, s.Read(), net.ErrClosed)
		require.ErrorIs(t, s.Write(), net.ErrClosed)
	})
}

func TestWriteTellsThatThePeerIsGone(t *testing.T) {
	pairs(t, func(t *testing.T, a, b net.Conn) {
		var s Sock
		require.True(t, s.Open(a))
		var last error
		s.TryWrite = func(fd uintptr) bool {
			_, last = Write(fd, []byte("abc"))
			return true
		}
		require.NoError(t, b.Close())
		for last == nil {
			require.NoError(t, s.Write())
		}
		require.ErrorContains(t, last, "write")
	})
}
