package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// The openings of other protocols close a server's connection before any frame is handled, on every codec and however they are cut.
func TestForeignOpeningsRunNothing(t *testing.T) {
	codecs := map[string]*rpc.Server{
		"standard":  {},
		"raw":       {Raw: true},
		"length":    {Codec: frame.LengthField{Size: 2}},
		"length8":   {Codec: frame.LengthField{Size: 1, Offset: 2}},
		"delimited": {Codec: frame.Delimited{}},
		"notify":    {Codec: frame.Delimited{Delimiter: "\n"}, NotifyOnly: true},
	}
	// What a web page may send to any port: the method makes a frame, the body smuggles another one.
	smuggled := "\x01\x01\x08\x00\x03A/B\xff\xff\xff\xff"
	openings := []string{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n", "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"}
	for _, method := range strings.Fields("GET POST HEAD PUT OPTIONS PATCH DELETE CONNECT TRACE") {
		openings = append(openings, method+" / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n\r\n"+strings.Repeat("x", 200)+"\r\n"+smuggled)
	}
	for name, s := range codecs {
		t.Run(name, func(t *testing.T) {
			base(t)
			var ran atomic.Int32
			reasons := make(chan error, 1)
			s.Log = quiet
			s.Handler = rpc.HandlerFunc(func(context.Context, []byte, *rpc.Request) ([]byte, error) { ran.Add(1); return nil, nil })
			s.OnClose = func(_ *rpc.Session, reason error) { reasons <- reason }
			addr := serve(t, s)
			n := uint64(0)
			for _, opening := range openings {
				for _, step := range []int{len(opening), 1} {
					if name == "delimited" || name == "notify" {
						if opening[0] == '\r' {
							continue // empty lines are messages there: TestForeignBehindEmptyLines
						}
					}
					p := connect(t, addr, frame.Standard{})
					for b := []byte(opening); len(b) > 0; b = b[min(step, len(b)):] {
						if _, err := p.nc.Write(b[:min(step, len(b))]); err != nil {
							break // closed already
						}
					}
					require.ErrorIs(t, <-reasons, rpc.ErrForeign, "%q by %d", opening, step)
					p.nc.Close()
					n++
				}
			}
			require.Zero(t, ran.Load())
			require.Equal(t, n, s.Stats().Foreign)
		})
	}
}

// TestForeignBehindEmptyLines: where empty lines are messages, those of a proxy's header are, and nothing behind them, however it comes.
func TestForeignBehindEmptyLines(t *testing.T) {
	for _, delimiter := range []string{"\r\n", "\n"} {
		const header = "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c\r\nx\r\n"
		for cut := 1; cut <= 12; cut++ {
			t.Run(fmt.Sprintf("%q %d", delimiter, cut), func(t *testing.T) {
				base(t)
				var other atomic.Int32
				reasons := make(chan error, 1)
				s := &rpc.Server{Codec: frame.Delimited{Delimiter: delimiter}, Log: quiet}
				s.Handler = rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
					if len(strings.TrimSpace(string(r.Body))) > 0 {
						other.Add(1)
					}
					return dst, nil
				})
				s.OnClose = func(_ *rpc.Session, reason error) { reasons <- reason }
				a, b := halves()
				s.ServeConn(b)
				defer s.Close()
				defer a.Close()
				go io.Copy(io.Discard, a)
				go func() {
					a.Write([]byte(header[:cut])) // in memory the server reads what is written at once
					a.Write([]byte(header[cut:]))
				}()
				require.ErrorIs(t, <-reasons, rpc.ErrForeign)
				require.Zero(t, other.Load())
			})
		}
	}
}

// Where such bytes are data a server can take them; and a frame that only begins like one is answered at once.
func TestForeignOpeningsThatAreData(t *testing.T) {
	base(t)
	echo := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		return append(dst, r.Body...), nil
	})
	cl := dial(t, serve(t, &rpc.Server{Handler: echo, Codec: frame.Delimited{}, AllowForeign: true, Log: quiet}), rpc.Dialer{Codec: frame.Delimited{}})
	out, err := cl.Call(context.Background(), nil, "", []byte("GET /x"))
	require.NoError(t, err)
	require.Equal(t, "GET /x", string(out))
	cl = dial(t, serve(t, &rpc.Server{Handler: echo, Codec: frame.Delimited{}, Log: quiet}), rpc.Dialer{Codec: frame.Delimited{}})
	for _, line := range []string{"GETS", "", "GET /y"} { // only first bytes count
		out, err := cl.Call(context.Background(), nil, "", []byte(line))
		require.NoError(t, err)
		require.Equal(t, line, string(out))
	}
}

// Where answers find their requests by order, no payload arrives as two.
func TestDelimitedPayloadWithTheDelimiter(t *testing.T) {
	base(t)
	codec := frame.Delimited{}
	handler := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if string(r.Body) == "two" {
			return append(dst, "a\r\nb"...), nil
		}
		return append(dst, r.Body...), nil
	})
	addr := serve(t, &rpc.Server{Handler: handler, Codec: codec, Log: quiet})
	cl := dial(t, addr, rpc.Dialer{Codec: codec})
	_, err := cl.Call(context.Background(), nil, "", []byte("a\r\nb"))
	require.ErrorIs(t, err, frame.ErrFrame)
	require.Equal(t, rpc.NotSent, rpc.OutcomeOf(err))
	out, err := cl.Call(context.Background(), nil, "", []byte("c"))
	require.NoError(t, err)
	require.Equal(t, "c", string(out))
	_, err = cl.Call(context.Background(), nil, "", []byte("two")) // the server cannot answer: the connection ends
	require.Error(t, err)
	out, err = cl.Call(context.Background(), nil, "", []byte("d"))
	require.NoError(t, err)
	require.Equal(t, "d", string(out))
}

// Settings that a codec refuses are found before anything is sent.
func TestCodecSettingsAreRefusedAtOnce(t *testing.T) {
	base(t)
	for name, codec := range map[string]frame.Codec{"size": frame.LengthField{Size: 3}, "offset": frame.LengthField{Size: 2, Offset: -1}} {
		_, err := rpc.Dialer{Codec: codec}.Dial(context.Background(), "tcp", "127.0.0.1:1")
		require.ErrorIs(t, err, frame.ErrConfig, name)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.ErrorIs(t, (&rpc.Server{Codec: codec}).Serve(l), frame.ErrConfig, name)
		l.Close()
		a, b := net.Pipe()
		cl := rpc.Dialer{Codec: codec}.NewClient(a)
		_, err = cl.Call(context.Background(), nil, "", nil)
		require.ErrorIs(t, err, frame.ErrConfig, name)
		cl.Close()
		_, err = b.Read(make([]byte, 1))
		require.True(t, errors.Is(err, net.ErrClosed) || err != nil)
		b.Close()
	}
}
