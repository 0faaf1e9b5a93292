package rpc_test

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// An answer over the client's limit fails its call alone, on every codec that knows its length.
func TestAnswerOverTheLimitFailsItsCallAlone(t *testing.T) {
	big := bytes.Repeat([]byte("b"), 300_000)
	for name, codec := range map[string]struct{ server, client frame.Codec }{
		"envelope": {nil, frame.Standard{Max: 1000}},
		"raw":      {frame.Standard{}, frame.Standard{Max: 1000}},
		"length":   {frame.LengthField{Size: 4}, frame.LengthField{Size: 4, Max: 1000}},
		"uvarint":  {frame.LengthField{Size: 0, Offset: 2}, frame.LengthField{Size: 0, Offset: 2, Max: 1000}},
	} {
		t.Run(name, func(t *testing.T) {
			base(t)
			raw := name != "envelope"
			s := &rpc.Server{Codec: codec.server, Raw: raw, Log: quiet}
			s.Handler = rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
				if string(r.Body) == "big" {
					return append(dst, big...), nil
				}
				return append(dst, r.Body...), nil
			})
			cl := dial(t, serve(t, s), rpc.Dialer{Codec: codec.client, Raw: raw})
			action := ""
			if !raw {
				action = "A/B"
			}
			ctx := context.Background()
			results := make(chan error, 30)
			for range 10 { // calls beside it are answered
				for _, body := range []string{"big", "small", "x"} {
					go func() {
						out, err := cl.Call(ctx, nil, action, []byte(body))
						if body == "big" {
							if err == nil || rpc.OutcomeOf(err) != rpc.Answered {
								results <- io.ErrUnexpectedEOF
								return
							}
							if !bytes.Contains([]byte(err.Error()), []byte("over the limit of 1000")) {
								results <- err
								return
							}
							err = nil
						} else if string(out) != body && err == nil {
							err = io.ErrShortBuffer
						}
						results <- err
					}()
				}
			}
			for range 30 {
				require.NoError(t, <-results)
			}
			_, err := cl.Call(ctx, nil, action, []byte("big"))
			require.ErrorIs(t, err, frame.ErrTooLarge)
			failed := make(chan error, 1)
			require.NoError(t, cl.Go(ctx, action, []byte("big"), func(_ []byte, err error) { failed <- err }))
			require.ErrorIs(t, <-failed, frame.ErrTooLarge)
			require.Equal(t, uint64(1), s.Stats().Accepted, "the connection stays")
		})
	}
}

// A stream ends with an item over the limit; the connection stays.
func TestItemOverTheLimitEndsItsStream(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleStream(x, "A/List", func(context.Context, struct{}) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			_ = yield([]byte("one"), nil) && yield(make([]byte, 5000), nil) && yield([]byte("three"), nil)
		}
	})
	x.Handle("A/Echo", echo)
	_, cl := both(t, x, rpc.Dialer{Codec: frame.Standard{Max: 1000}})
	var items []string
	var last error
	for item, err := range rpc.Stream[[]byte](context.Background(), cl, "A/List", nil) {
		if err != nil {
			last = err
			break
		}
		items = append(items, string(item))
	}
	require.Equal(t, []string{"one"}, items)
	require.ErrorIs(t, last, frame.ErrTooLarge)
	out, err := cl.Call(context.Background(), nil, "A/Echo", []byte("x"))
	require.NoError(t, err)
	require.Equal(t, "x", string(out))
}

// A request over the server's limit is answered with code 413, which says size and limit; those beside it are answered too.
func TestRequestOverTheLimitIsAnswered413(t *testing.T) {
	base(t)
	s := &rpc.Server{Codec: frame.Standard{Max: 10_000}, Handler: echo, Log: quiet}
	cl := dial(t, serve(t, s), rpc.Dialer{})
	for range 3 {
		out, err := cl.Call(context.Background(), nil, "A/B", []byte("x")) // and the server knows whom it talks to
		require.NoError(t, err)
		require.Equal(t, "x", string(out))
		_, err = cl.Call(context.Background(), nil, "A/B", make([]byte, 70_000))
		require.ErrorIs(t, err, rpc.NewError(rpc.CodeTooLarge, ""))
		require.ErrorContains(t, err, "bytes over the limit of 10000")
		require.ErrorContains(t, err, "payload of 700")
	}
	require.Equal(t, uint64(1), s.Stats().Accepted)
}

// A request of a stranger, or one longer than any message, ends the connection at its header, and so does what nobody would hear of. The
// rest of a message that is dropped must come like any other.
func TestMessageThatIsNotSkippedEndsTheConnection(t *testing.T) {
	base(t)
	reasons := make(chan error, 1)
	s := &rpc.Server{Codec: frame.Standard{Max: 10_000}, Handler: echo, Log: quiet, OnClose: func(_ *rpc.Session, err error) { reasons <- err }}
	addr := serve(t, s)
	const ours = "\x01\x01\x0b\x00\x03A/B\xff\xff\xff\xff\xf5\x58\x00"
	long := string(make([]byte, 4096))
	for name, c := range map[string]struct {
		bytes string
		want  error
	}{
		"stranger": {"\x01\x01\xff\xff\x00\x90\x00\x00", frame.ErrTooLarge},
		"garbage":  {ours + "\x01\x02\xff\xff\x00\x90\x10\x00", frame.ErrTooLarge},
		"one-way":  {ours + "\x41\x02\xff\xff\x00\x90\x00\x00" + long, frame.ErrTooLarge},
		"cut":      {ours + "\x01\x02\xff\xff\x00\x90\x00\x00" + long, io.ErrUnexpectedEOF},
	} {
		p := connect(t, addr, frame.Standard{})
		_, err := p.nc.Write([]byte(c.bytes))
		require.NoError(t, err)
		if name == "cut" {
			for range 2 {
				_, ok := p.next()
				require.True(t, ok)
			}
			require.NoError(t, p.nc.(*net.TCPConn).CloseWrite())
		}
		require.ErrorIs(t, <-reasons, c.want, name)
		p.nc.Close()
	}
}
