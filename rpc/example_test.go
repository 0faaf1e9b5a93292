package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"net"
	"time"

	"github.com/spanwire/spanwire/rpc"
)

type AddRequest struct{ A, B int64 }

type AddReply struct{ Sum int64 }

func add(_ context.Context, a *AddRequest) (*AddReply, error) {
	if a.A < 0 || a.B < 0 {
		return nil, rpc.NewError(rpc.CodeBadRequest, "negative numbers are not added here")
	}
	return &AddReply{a.A + a.B}, nil
}

// serving serves s on a free port and returns its address.
func serving(s *rpc.Server) string {
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go s.Serve(l) // returns after Close
	return l.Addr().String()
}

// open connects a client by a Dialer.
func open(d rpc.Dialer, address string) *rpc.Client {
	cl, err := d.Dial(context.Background(), "tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	return cl
}

// A server with one action, and a client that calls it.
func Example() {
	x := new(rpc.Mux)
	rpc.Handle(x, "Math/Add", func(_ context.Context, a *AddRequest) (*AddReply, error) {
		return &AddReply{a.A + a.B}, nil
	})
	s := &rpc.Server{Handler: x}
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- s.Serve(l) }()

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cl, err := rpc.Dial(ctx, "tcp", l.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	var reply AddReply
	err = cl.Invoke(ctx, "Math/Add", &AddRequest{1, 2}, &reply)
	fmt.Println(reply.Sum, err)

	fmt.Println(cl.Shutdown(ctx), s.Shutdown(ctx)) // what is under way ends first
	fmt.Println(errors.Is(<-served, rpc.ErrServerClosed))
	// Output:
	// 3 <nil>
	// <nil> <nil>
	// true
}

// A handler chooses code and text of its errors; the caller gets both.
func ExampleHandle() {
	x := new(rpc.Mux)
	rpc.Handle(x, "Math/Add", add)
	s := &rpc.Server{Handler: x}
	defer s.Close()
	cl := open(rpc.Dialer{}, serving(s))
	defer cl.Close()

	ctx := context.Background()
	var reply AddReply
	err := cl.Invoke(ctx, "Math/Add", &AddRequest{1, 2}, &reply)
	fmt.Println(reply.Sum, err)

	err = cl.Invoke(ctx, "Math/Add", &AddRequest{-1, 2}, &reply)
	var e *rpc.Error
	fmt.Println(errors.As(err, &e), rpc.CodeOf(err), e.Text)
	// Output:
	// 3 <nil>
	// true 400 negative numbers are not added here
}

// With Params the fields of the argument are the parameters, as NewLife's
// controllers have them: what the caller leaves out has the value from the
// function.
func ExampleParams() {
	type find struct {
		Name string
		Most int
	}
	x := new(rpc.Mux)
	rpc.Handle(x, "Device/Find", func(_ context.Context, f *find) (string, error) {
		return fmt.Sprintf("%s, at most %d", f.Name, f.Most), nil
	}, rpc.Params(func() any { return find{Most: 10} }))
	s := &rpc.Server{Handler: x}
	defer s.Close()
	cl := open(rpc.Dialer{}, serving(s))
	defer cl.Close()

	b, err := cl.Call(context.Background(), nil, "Device/Find", []byte(`{"name":"meter"}`))
	fmt.Printf("%s %v\n", b, err)
	// Output: meter, at most 10 <nil>
}

// Names that nobody handles are code 404; "*" takes what no other handler does.
func ExampleMux() {
	x := new(rpc.Mux)
	x.HandleFunc("Echo/*", func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		return fmt.Appendf(dst, "%s of %q", r.Action, r.Body), nil
	})
	s := &rpc.Server{Handler: x}
	defer s.Close()
	cl := open(rpc.Dialer{}, serving(s))
	defer cl.Close()

	ctx := context.Background()
	b, err := cl.Call(ctx, nil, "Echo/Any", []byte("hello"))
	fmt.Println(string(b), err)
	_, err = cl.Call(ctx, nil, "Other/Any", nil)
	fmt.Println(rpc.CodeOf(err))
	// Output:
	// Echo/Any of "hello" <nil>
	// 404
}

// Middleware is put around handlers; the first one is the outermost. One that
// does not let a request through says so with Refuse: the caller then knows that
// nothing has run.
func ExampleMux_Use() {
	counted := func(next rpc.Handler) rpc.Handler {
		return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			fmt.Println("asked for", r.Action)
			return next.ServeRPC(ctx, dst, r)
		})
	}
	closed := func(next rpc.Handler) rpc.Handler {
		return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			if r.Metadata().Get("tenant") == "" {
				return nil, rpc.Refuse(rpc.CodeForbidden, "say who you are")
			}
			return next.ServeRPC(ctx, dst, r)
		})
	}
	x := new(rpc.Mux)
	x.Use(counted, closed)
	rpc.Handle(x, "Math/Add", add)
	s := &rpc.Server{Handler: x}
	defer s.Close()
	cl := open(rpc.Dialer{}, serving(s))
	defer cl.Close()

	ctx := rpc.WithOptions(context.Background(), rpc.CallOptions{Once: true}) // a call that is refused is repeated otherwise
	var reply AddReply
	err := cl.Invoke(ctx, "Math/Add", &AddRequest{1, 2}, &reply)
	fmt.Println(rpc.CodeOf(err), rpc.OutcomeOf(err))

	ctx = rpc.WithOptions(ctx, rpc.CallOptions{Metadata: rpc.Metadata{{Key: "tenant", Value: "north"}}})
	err = cl.Invoke(ctx, "Math/Add", &AddRequest{1, 2}, &reply)
	fmt.Println(reply.Sum, err)
	// Output:
	// asked for Math/Add
	// 403 refused
	// asked for Math/Add
	// 3 <nil>
}

// An interceptor is put around everything that a client sends.
func ExampleInterceptor() {
	x := new(rpc.Mux)
	rpc.Handle(x, "Math/Add", add)
	s := &rpc.Server{Handler: x}
	defer s.Close()
	cl := open(rpc.Dialer{Intercept: []rpc.Interceptor{
		func(ctx context.Context, call *rpc.Call, next func(context.Context, *rpc.Call) error) error {
			err := next(ctx, call)
			fmt.Println(call.Kind, call.Action, err)
			return err
		},
	}}, serving(s))
	defer cl.Close()

	var reply AddReply
	fmt.Println(cl.Invoke(context.Background(), "Math/Add", &AddRequest{1, 2}, &reply))
	// Output:
	// Call Math/Add <nil>
	// <nil>
}

// What concerns one call is in its context. Options that are set later are added
// to those that are there.
func ExampleWithOptions() {
	x := new(rpc.Mux)
	x.HandleFunc("Who/Asks", func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		r.SetReply("server", "north-1")
		return fmt.Appendf(dst, "%s of %s", r.Metadata().Get("user"), r.Metadata().Get("tenant")), nil
	})
	s := &rpc.Server{Handler: x}
	defer s.Close()
	cl := open(rpc.Dialer{}, serving(s))
	defer cl.Close()

	var back rpc.Metadata
	ctx := rpc.WithOptions(context.Background(), rpc.CallOptions{Idempotent: true, Metadata: rpc.Metadata{{Key: "tenant", Value: "north"}}})
	ctx = rpc.WithOptions(ctx, rpc.CallOptions{ReplyMetadata: &back, Metadata: rpc.Metadata{{Key: "user", Value: "ann"}}})
	b, err := cl.Call(ctx, nil, "Who/Asks", nil)
	fmt.Println(string(b), err)
	fmt.Println(back.Get("server"), rpc.CallOptionsFrom(ctx).Idempotent)
	// Output:
	// ann of north <nil>
	// north-1 true
}

// A stream is any number of answers to one call. Leaving the loop ends it on the
// server's side too.
func ExampleStream() {
	x := new(rpc.Mux)
	rpc.HandleStream(x, "Math/Count", func(_ context.Context, from int64) iter.Seq2[int64, error] {
		return func(yield func(int64, error) bool) {
			for i := from; yield(i, nil); i++ {
			}
		}
	})
	s := &rpc.Server{Handler: x}
	defer s.Close()
	cl := open(rpc.Dialer{}, serving(s))
	defer cl.Close()

	for i, err := range rpc.Stream[int64](context.Background(), cl, "Math/Count", int64(5)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(i)
		if i == 7 {
			break
		}
	}
	// Output:
	// 5
	// 6
	// 7
}

// A call with bytes and a callback, which runs on the goroutine that reads.
func ExampleClient_Go() {
	x := new(rpc.Mux)
	x.HandleFunc("Echo/Body", func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		return append(dst, r.Body...), nil
	})
	s := &rpc.Server{Handler: x}
	defer s.Close()
	cl := open(rpc.Dialer{}, serving(s))
	defer cl.Close()

	done := make(chan string)
	err := cl.Go(context.Background(), "Echo/Body", []byte("hello"), func(body []byte, err error) {
		text := fmt.Sprintf("%s %v", body, err) // body is valid in here alone
		go func() { done <- text }()            // in here nothing may block
	})
	fmt.Println(err, <-done)
	// Output: <nil> hello <nil>
}

// A server sends values to its clients: a Dialer's Handler gets them.
func ExampleServer_BroadcastValue() {
	y := new(rpc.Mux)
	rpc.HandleVoid(y, "News/Subscribe", func(context.Context, struct{}) error { return nil })
	s := &rpc.Server{Handler: y}
	defer s.Close()
	news := make(chan string, 1)
	x := new(rpc.Mux)
	rpc.HandleVoid(x, "News/Price", func(_ context.Context, price float64) error {
		news <- fmt.Sprint("the price is ", price)
		return nil
	})
	cl := open(rpc.Dialer{Handler: x}, serving(s))
	defer cl.Close()

	// Once a call is answered the server knows the connection.
	if err := cl.Invoke(context.Background(), "News/Subscribe", struct{}{}, nil); err != nil {
		fmt.Println(err)
	}
	n, err := s.BroadcastValue(context.Background(), "News/Price", 12.5)
	fmt.Println(n, err)
	fmt.Println(<-news)
	// Output:
	// 1 <nil>
	// the price is 12.5
}

// What is known of a call that failed decides whether it may be made again.
func ExampleOutcomeOf() {
	s := new(rpc.Server)
	cl := open(rpc.Dialer{}, serving(s))
	_, err := cl.Call(context.Background(), nil, "No/Such", nil)
	fmt.Println(rpc.OutcomeOf(err))

	cl.Close()
	s.Close()
	_, err = cl.Call(context.Background(), nil, "No/Such", nil)
	fmt.Println(rpc.OutcomeOf(err), errors.Is(err, rpc.ErrClosed))
	// Output:
	// answered
	// not sent true
}

// Both sides on a connection that exists: in memory, for tests.
func ExampleNewClient() {
	x := new(rpc.Mux)
	rpc.Handle(x, "Math/Add", add)
	s := &rpc.Server{Handler: x}
	defer s.Close()
	near, far := net.Pipe()
	s.ServeConn(far)
	cl := rpc.NewClient(near)
	defer cl.Close()

	var reply AddReply
	err := cl.Invoke(context.Background(), "Math/Add", &AddRequest{3, 4}, &reply)
	fmt.Println(reply.Sum, err)
	// Output: 7 <nil>
}
