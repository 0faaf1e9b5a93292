package rpc_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
)

// certificate makes one for 127.0.0.1, and the pool that trusts it.
func certificate(t testing.TB) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	cert, pool, err := selfSigned()
	if err != nil {
		t.Fatal(err)
	}
	return cert, pool
}

// selfSigned is certificate where there is no test.
func selfSigned() (tls.Certificate, *x509.CertPool, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, pool, nil
}

// bothTLS runs a server behind TLS and connects a client to it.
func bothTLS(t testing.TB, s *rpc.Server, o rpc.Dialer) *rpc.Client {
	t.Helper()
	cert, pool := certificate(t)
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := serveOn(t, s, tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}}))
	o.TLS = &tls.Config{RootCAs: pool}
	return dial(t, addr, o)
}

// TestTLSCarriesEveryKindOfCall: all ways to call, one at a time and many at once, and messages of many records.
func TestTLSCarriesEveryKindOfCall(t *testing.T) {
	for _, inline := range []bool{true, false} {
		t.Run(fmt.Sprint("inline=", inline), func(t *testing.T) {
			base(t)
			var h rpc.Handler = echo
			if inline {
				h = rpc.Inline(echo)
			}
			cl := bothTLS(t, &rpc.Server{Handler: h, Raw: true}, rpc.Dialer{Raw: true})
			for i := range 100 {
				want := bytes.Repeat([]byte{byte(i)}, 1+i*i*20)
				if got, err := cl.Call(context.Background(), nil, "", want); !bytes.Equal(got, want) || err != nil {
					t.Fatal(i, len(got), err)
				}
			}
			var all sync.WaitGroup
			for g := range 50 {
				all.Go(func() {
					ctx, cancel := context.WithTimeout(context.Background(), guard)
					defer cancel()
					for i := range 40 {
						want := fmt.Sprint(g, " ", i)
						if got, err := cl.Call(ctx, nil, "", []byte(want)); string(got) != want || err != nil {
							t.Errorf("%q for %q, %v", got, want, err)
						}
						all.Add(1)
						err := cl.Go(context.Background(), "", []byte(want), func(got []byte, err error) {
							if string(got) != want || err != nil {
								t.Errorf("%q for %q, %v", got, want, err)
							}
							all.Done()
						})
						if err != nil {
							all.Done()
							if !errors.Is(err, rpc.ErrBusy) {
								t.Error(err)
							}
						}
						if err := cl.Notify(ctx, "", []byte(want)); err != nil {
							t.Error(err)
						}
					}
				})
			}
			within(t, "answers", all.Wait)
		})
	}
}

// TestTLSCallThatIsGivenUpLeavesTheConnection: a lone caller reads for itself. Its context ends the call and not the connection.
func TestTLSCallThatIsGivenUpLeavesTheConnection(t *testing.T) {
	base(t)
	gate := make(chan struct{})
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if string(r.Body) == "wait" {
			<-gate
		}
		return append(dst, r.Body...), nil
	})
	cl := bothTLS(t, &rpc.Server{Handler: h, Raw: true}, rpc.Dialer{Raw: true})
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		if _, err := cl.Call(ctx, nil, "", []byte("wait")); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		cancel()
		if got, err := cl.Call(context.Background(), nil, "", []byte("x")); string(got) != "x" || err != nil {
			t.Errorf("%q %v", got, err)
		}
	}
	close(gate)
	until(t, "late answers", func() bool { _, retired := cl.Pending(); return retired == 0 })
	if n := cl.Stats().Accepted; n != 1 {
		t.Error(n, "connections")
	}
}

// TestTLSEndsWithAReason: a client that does not trust the server, a server that goes, one that answers in plain text.
func TestTLSEndsWithAReason(t *testing.T) {
	base(t)
	cert, pool := certificate(t)
	_, other := certificate(t)
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rpc.Server{Handler: echo, Raw: true, Log: quiet}
	addr := serveOn(t, s, tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}}))
	var unknown x509.UnknownAuthorityError
	if _, err := (rpc.Dialer{Raw: true, TLS: &tls.Config{RootCAs: other}}).Dial(context.Background(), "tcp", addr); !errors.As(err, &unknown) {
		t.Error(err)
	}
	cl := dial(t, addr, rpc.Dialer{Raw: true, TLS: &tls.Config{RootCAs: pool}})
	if _, err := cl.Call(context.Background(), nil, "", nil); err != nil {
		t.Error(err)
	}
	s.Close()
	within(t, "a call", func() {
		if _, err := cl.Call(context.Background(), nil, "", nil); err == nil {
			t.Error("answered by nobody")
		}
	})
	plain := serve(t, &rpc.Server{Handler: echo, Raw: true, Log: quiet})
	within(t, "a dial", func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := (rpc.Dialer{Raw: true, TLS: &tls.Config{RootCAs: pool}}).Dial(ctx, "tcp", plain); err == nil {
			t.Error("a handshake without TLS")
		}
	})
}
