package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/value"
)

// both runs a server with a Mux and a client for it.
func both(t testing.TB, x *rpc.Mux, o rpc.Dialer) (*rpc.Server, *rpc.Client) {
	t.Helper()
	s := &rpc.Server{Handler: x, Log: quiet}
	return s, dial(t, serve(t, s), o)
}

// Metadata goes both ways between our own peers.
func TestMetadataGoesBothWays(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Meta", func(ctx context.Context, _ struct{}) (string, error) {
		m := rpc.RequestMetadata(ctx)
		rpc.SetReplyMetadata(ctx, "echo", m.Get("k"))
		rpc.SetReplyMetadata(ctx, "n", fmt.Sprint(len(m)))
		return m.Get("k"), nil
	})
	x.Handle("A/Inline", rpc.Inline(rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		r.SetReply("echo", r.Metadata().Get("k"))
		return dst, nil
	})))
	_, cl := both(t, x, rpc.Dialer{})
	for _, action := range []string{"A/Meta", "A/Inline"} {
		var back rpc.Metadata
		ctx := rpc.WithOptions(context.Background(), rpc.CallOptions{Metadata: rpc.Metadata{{Key: "k", Value: "v"}, {Key: "k", Value: "w"}}, ReplyMetadata: &back})
		if _, err := cl.Call(ctx, nil, action, nil); err != nil || back.Get("echo") != "v" {
			t.Fatal(action, back, err)
		}
	}
}

// Handlers and calls are wrapped in the order given.
func TestInterceptorsWrapInTheOrderGiven(t *testing.T) {
	base(t)
	var mu sync.Mutex
	var log []string
	note := func(s string) { mu.Lock(); log = append(log, s); mu.Unlock() }
	around := func(name string) rpc.Middleware {
		return func(h rpc.Handler) rpc.Handler {
			return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
				note(name + " " + r.Action)
				return h.ServeRPC(ctx, dst, r)
			})
		}
	}
	in := func(name string) rpc.Interceptor {
		return func(ctx context.Context, c *rpc.Call, next func(context.Context, *rpc.Call) error) error {
			note(name + " " + c.Action)
			err := next(ctx, c)
			if errors.Is(err, rpc.NewError(rpc.CodeNotFound, "")) {
				c.Action = "A/Echo"
				err = next(ctx, c)
			}
			return err
		}
	}
	x := new(rpc.Mux)
	x.Handle("A/Before", echo)
	x.Use(around("s1"), around("s2"))
	x.Handle("A/Echo", rpc.Inline(echo))
	_, cl := both(t, x, rpc.Dialer{Intercept: []rpc.Interceptor{in("c1"), in("c2")}})
	if got, err := cl.Call(context.Background(), []byte("got "), "a/none", []byte("x")); string(got) != "got x" || err != nil {
		t.Fatal(string(got), err)
	}
	var s string // a handler without types gets lossless JSON, and its answer is bytes
	if err := cl.Invoke(context.Background(), "A/Before", "y", &s); s != `"y"` || err != nil {
		t.Fatal(s, err)
	}
	if want := []string{"c1 a/none", "c2 a/none", "s1 a/none", "s2 a/none", "s1 A/Echo", "s2 A/Echo", "c1 A/Before", "c2 A/Before"}; !slices.Equal(log, want) {
		t.Fatal(log)
	}
}

// Interceptors see everything that a client sends, and may change it.
func TestInterceptorsSeeEveryKind(t *testing.T) {
	base(t)
	told := make(chan string, 1)
	x := new(rpc.Mux)
	x.HandleFunc("A/Who", func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		who := r.Metadata().Get("who")
		if r.OneWay {
			told <- who
		}
		return append(dst, who...), nil
	})
	rpc.HandleStream(x, "A/List", func(ctx context.Context, _ struct{}) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) { yield(rpc.RequestMetadata(ctx).Get("who"), nil) }
	})
	var mu sync.Mutex
	var kinds []string
	sign := func(ctx context.Context, c *rpc.Call, next func(context.Context, *rpc.Call) error) error {
		mu.Lock()
		kinds = append(kinds, c.Kind.String())
		mu.Unlock()
		return next(rpc.WithOptions(ctx, rpc.CallOptions{Metadata: rpc.Metadata{{Key: "who", Value: "me"}}}), c)
	}
	_, cl := both(t, x, rpc.Dialer{Intercept: []rpc.Interceptor{sign}})
	ctx := context.Background()
	got, err := cl.Call(ctx, nil, "A/Who", nil)
	require.NoError(t, err)
	require.Equal(t, "me", string(got))
	answered := make(chan string, 1)
	require.NoError(t, cl.Go(ctx, "A/Who", nil, func(body []byte, err error) { answered <- string(body) }))
	require.Equal(t, "me", <-answered)
	require.NoError(t, cl.Notify(ctx, "A/Who", nil))
	require.Equal(t, "me", <-told)
	for item, err := range rpc.Stream[string](ctx, cl, "A/List", nil) {
		require.NoError(t, err)
		require.Equal(t, "me", item)
	}
	require.Equal(t, []string{"Call", "Go", "Notify", "Stream"}, kinds)

	refused := errors.New("no")
	_, cl = both(t, x, rpc.Dialer{Intercept: []rpc.Interceptor{
		func(context.Context, *rpc.Call, func(context.Context, *rpc.Call) error) error { return refused }}})
	require.ErrorIs(t, cl.Notify(ctx, "A/Who", nil), refused)
	require.ErrorIs(t, cl.Go(ctx, "A/Who", nil, func([]byte, error) { panic("called") }), refused)
	for _, err := range rpc.Stream[string](ctx, cl, "A/List", nil) {
		require.ErrorIs(t, err, refused)
	}
}

// A call answered with 401 is repeated once, after one login for all.
func TestLoginIsOneForAllCallsAnswered401(t *testing.T) {
	base(t)
	var logins atomic.Int32
	password := "123"
	o := rpc.Dialer{Login: func(ctx context.Context, cl *rpc.Client) (string, error) {
		logins.Add(1)
		var r struct{ Token string }
		err := cl.Invoke(ctx, "User/Login", map[string]string{"Name": "stone", "Pass": password}, &r)
		return r.Token, err
	}}
	_, cl := both(t, recorded(), o)
	var wg sync.WaitGroup
	for range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var got string
			if err := cl.Invoke(context.Background(), "Safe/Say", map[string]string{"text": "x"}, &got); got != "safe x" || err != nil {
				t.Error(got, err)
			}
		}()
	}
	wg.Wait()
	if n := logins.Load(); n != 1 {
		t.Fatal(n, "logins")
	}
	password = "wrong"
	cl.SetToken("tk-old")
	err := cl.Invoke(context.Background(), "Safe/Say", map[string]string{"text": "x"}, nil)
	if rpc.CodeOf(err) != 401 || logins.Load() != 2 {
		t.Fatal(err, logins.Load())
	}
}

// A token travels in an object, or beside what is none to a peer that is known as ours; else it is an error.
func TestTokenTravelsInAnObjectOrBesideIt(t *testing.T) {
	base(t)
	o := rpc.Dialer{Token: "tk-stone", Headers: []value.Member{{Name: "App", Value: "a"}}, Peer: rpc.NewLife}
	_, cl := both(t, recorded(), o)
	if err := cl.Invoke(context.Background(), "Test/Echo", "bare", nil); !errors.Is(err, value.ErrNoObject) || rpc.OutcomeOf(err) != rpc.NotSent {
		t.Fatal(err)
	}
	var got string
	if err := cl.Invoke(context.Background(), "Safe/Say", struct {
		Text string `json:"text"`
	}{"x"}, &got); got != "safe x" || err != nil {
		t.Fatal(got, err)
	}
	o.Peer = rpc.Auto
	_, cl = both(t, recorded(), o)
	if err := cl.Invoke(context.Background(), "Test/Echo", "bare", &got); got != "bare" || err != nil {
		t.Fatal(got, err)
	}
}

// note is a type that writes itself as a span body.
type note struct{ Text string }

func (n *note) AppendSpan(b []byte) ([]byte, error) {
	return append(append(b, byte(len(n.Text))), n.Text...), nil
}

// Values with span methods travel as span bodies once the peers know each other, and as JSON before.
func TestSpanBodiesAreForPeersThatKnowEachOther(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	bodies := make(chan string, 1)
	x.Use(func(h rpc.Handler) rpc.Handler {
		return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			bodies <- string(r.Body)
			return h.ServeRPC(ctx, dst, r)
		})
	})
	rpc.Handle(x, "A/Note", func(_ context.Context, n *note) (*note, error) { return &note{n.Text + "!"}, nil })
	_, cl := both(t, x, rpc.Dialer{})
	for _, want := range []string{"\x02hi", "\x02hi"} {
		var got note
		if err := cl.Invoke(context.Background(), "A/Note", &note{"hi"}, &got); err != nil || got.Text != "hi!" {
			t.Fatal(got, err)
		}
		if b := <-bodies; b != want {
			t.Fatalf("%q", b)
		}
	}
}

// A server calls a client of ours, pushes to any, and a client handles both in its own handlers.
func TestServerCallsItsClients(t *testing.T) {
	base(t)
	pushed := make(chan string, 10)
	mine := new(rpc.Mux)
	rpc.Handle(mine, "Client/Add", func(_ context.Context, a [2]int) (int, error) { return a[0] + a[1], nil })
	mine.HandleFunc("News", func(_ context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		pushed <- string(r.Body)
		return nil, nil
	})
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Back", func(ctx context.Context, a [2]int) (int, error) {
		var sum int
		err := rpc.Peer(ctx).Invoke(ctx, "Client/Add", a, &sum)
		return sum * 10, err
	})
	x.Handle("A/Inline", rpc.Inline(rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		_, err := r.Session().Call(ctx, nil, "Client/Add", nil)
		if !errors.Is(err, rpc.ErrWouldDeadlock) {
			return nil, err
		}
		return append(dst, "refused"...), nil
	})))
	s, cl := both(t, x, rpc.Dialer{Handler: mine})
	var sum int
	if err := cl.Invoke(context.Background(), "A/Back", [2]int{3, 4}, &sum); sum != 70 || err != nil {
		t.Fatal(sum, err)
	}
	if got, err := cl.Call(context.Background(), nil, "A/Inline", nil); string(got) != "refused" || err != nil {
		t.Fatal(string(got), err)
	}
	for i := range 5 {
		if n := s.Broadcast(context.Background(), "News", []byte(fmt.Sprint(i))); n != 1 {
			t.Fatal(n)
		}
	}
	for i := range 5 {
		if got := <-pushed; got != fmt.Sprint(i) {
			t.Fatal(got)
		}
	}
	p := connect(t, s2addr(cl), frame.Standard{})
	p.nc.Write([]byte("\x01\x01\x06\x00\x05$ping"))
	f, _ := p.next()
	if f.Mode() != frame.Response {
		t.Fatal(f)
	}
	for _, sess := range s.Sessions() {
		if !sess.Ours() {
			if err := sess.Invoke(context.Background(), "Client/Add", nil, nil); !errors.Is(err, errors.ErrUnsupported) {
				t.Fatal(err)
			}
		}
	}
}

func s2addr(cl *rpc.Client) string { return cl.Session().RemoteAddr().String() }

// A panic is the end of neither the connection nor the server.
func TestPanicEndsNeitherConnectionNorServer(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	boom := rpc.HandlerFunc(func(context.Context, []byte, *rpc.Request) ([]byte, error) { panic("boom") })
	x.Handle("A/Task", boom)
	x.Handle("A/Inline", rpc.Inline(boom))
	x.Handle("A/Echo", echo)
	s, cl := both(t, x, rpc.Dialer{})
	for _, action := range []string{"A/Task", "A/Inline", "A/Task"} {
		if _, err := cl.Call(context.Background(), nil, action, nil); rpc.CodeOf(err) != 500 || strings.Contains(err.Error(), "boom") {
			t.Fatal(err)
		}
	}
	if got, err := cl.Call(context.Background(), nil, "A/Echo", []byte("x")); string(got) != "x" || err != nil || s.Stats().Panics != 3 {
		t.Fatal(string(got), err)
	}
}

// What a codec cannot carry is said, not tried.
func TestUnsupportedIsSaidAndNotTried(t *testing.T) {
	base(t)
	codec := frame.LengthField{Size: 2}
	addr := serve(t, &rpc.Server{Handler: echo, Codec: codec, Log: quiet})
	cl := dial(t, addr, rpc.Dialer{Codec: codec})
	if err := cl.Notify(context.Background(), "", []byte("x")); !errors.Is(err, errors.ErrUnsupported) {
		t.Fatal(err)
	}
	if _, err := cl.Call(context.Background(), nil, "A/B", nil); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "use it, or the empty action") {
		t.Fatal(err)
	}
	for _, err := range rpc.Stream[string](context.Background(), cl, "A/B", nil) {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Fatal(err)
		}
	}
	only := dial(t, addr, rpc.Dialer{Codec: codec, NotifyOnly: true})
	if _, err := call(only, "x"); !errors.Is(err, errors.ErrUnsupported) {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	h := rpc.HandlerFunc(func(_ context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		got <- string(r.Body)
		return nil, nil
	})
	only = dial(t, serve(t, &rpc.Server{Handler: h, Codec: codec, NotifyOnly: true}), rpc.Dialer{Codec: codec, NotifyOnly: true})
	if err := only.Notify(context.Background(), "", []byte("told")); err != nil || <-got != "told" {
		t.Fatal(err)
	}
}
