package rpc_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log"

	"github.com/spanwire/spanwire/rpc"
)

// TLS is the listener's on the server's side and the Dialer's on the client's.
// With client certificates a handler sees who calls.
func ExampleDialer_tls() {
	cert, pool, err := selfSigned()
	if err != nil {
		log.Fatal(err)
	}
	x := new(rpc.Mux)
	rpc.Handle(x, "Who/Am", func(ctx context.Context, _ struct{}) (string, error) {
		state, ok := rpc.Peer(ctx).TLS()
		if !ok || len(state.PeerCertificates) == 0 {
			return "", rpc.NewError(rpc.CodeForbidden, "a certificate is needed")
		}
		return state.PeerCertificates[0].IPAddresses[0].String(), nil
	})
	s := &rpc.Server{Handler: x}
	defer s.Close()
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go s.Serve(tls.NewListener(l, &tls.Config{
		Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool,
	}))

	trusted := &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{cert}}
	cl := open(rpc.Dialer{TLS: trusted}, l.Addr().String())
	defer cl.Close()
	var name string
	err = cl.Invoke(context.Background(), "Who/Am", struct{}{}, &name)
	fmt.Println(name, err)

	_, err = rpc.Dialer{TLS: &tls.Config{RootCAs: x509.NewCertPool()}}.Dial(context.Background(), "tcp", l.Addr().String())
	var unknown x509.UnknownAuthorityError
	fmt.Println(errors.As(err, &unknown))
	// Output:
	// 127.0.0.1 <nil>
	// true
}

// authorized lets only requests with a token through.
func authorized(next rpc.Handler) rpc.Handler {
	return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if rpc.Token(ctx) != "secret of ann" {
			return nil, rpc.NewError(rpc.CodeUnauthorized, "log in first")
		}
		return next.ServeRPC(ctx, dst, r)
	})
}

// A call that is answered with code 401 makes the client log in, once for all
// calls that wait for it, and is then made again.
func ExampleDialer_login() {
	type credentials struct{ User, Password string }
	x := new(rpc.Mux)
	rpc.Handle(x, "User/Login", func(_ context.Context, c *credentials) (string, error) {
		if c.Password != "correct horse" {
			return "", rpc.NewError(rpc.CodeForbidden, "no such user or password")
		}
		fmt.Println(c.User, "logs in")
		return "secret of " + c.User, nil
	})
	x.Use(authorized) // around all that is added from here on
	rpc.Handle(x, "Math/Add", add)
	s := &rpc.Server{Handler: x}
	defer s.Close()

	cl := open(rpc.Dialer{Login: func(ctx context.Context, cl *rpc.Client) (token string, err error) {
		err = cl.Invoke(ctx, "User/Login", &credentials{"ann", "correct horse"}, &token)
		return token, err
	}}, serving(s))
	defer cl.Close()
	for range 2 {
		var reply AddReply
		err := cl.Invoke(context.Background(), "Math/Add", &AddRequest{1, 2}, &reply)
		fmt.Println(reply.Sum, err)
	}
	// Output:
	// ann logs in
	// 3 <nil>
	// 3 <nil>
}

// A token that is known beforehand goes with every call.
func ExampleToken() {
	x := new(rpc.Mux)
	x.Use(authorized)
	rpc.Handle(x, "Math/Add", add)
	s := &rpc.Server{Handler: x}
	defer s.Close()
	address := serving(s)
	for _, token := range []string{"secret of ann", ""} {
		cl := open(rpc.Dialer{Token: token}, address)
		var reply AddReply
		err := cl.Invoke(context.Background(), "Math/Add", &AddRequest{1, 2}, &reply)
		fmt.Println(reply.Sum, rpc.CodeOf(err) == rpc.CodeOK)
		cl.Close()
	}
	// Output:
	// 3 true
	// 0 false
}
