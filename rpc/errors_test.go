package rpc_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// C24: the forms of error answers.
func TestErrorAnswersHaveTheirForms(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	codes := map[byte]int32{1: 404, 2: 200, 3: 0, 4: -1}
	x.HandleFunc("Api/Info", func(_ context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		return nil, fmt.Errorf("wrapped: %w", rpc.NewError(codes[r.Body[0]], "x"))
	})
	rpc.Handle(x, "A/Chan", func(context.Context, struct{}) (any, error) { return make(chan int), nil })
	addr := serve(t, &rpc.Server{Handler: x})
	p := connect(t, addr, frame.Standard{})
	for n, want := range map[byte]string{1: "c1011200084170692f496e666f940100000100000078", 2: "81010e00084170692f496e666f0100000078",
		3: "81010e00084170692f496e666f0100000078", 4: "c1011200084170692f496e666fffffffff0100000078"} {
		b, _ := hex.DecodeString("01010e00084170692f496e666f01000000" + hex.EncodeToString([]byte{n}))
		p.nc.Write(b)
		got := make([]byte, len(want)/2)
		if _, err := io.ReadFull(p.nc, got); err != nil || hex.EncodeToString(got) != want {
			t.Fatalf("%d: %x %v", n, got, err)
		}
	}
	cl := dial(t, addr, rpc.Dialer{})
	var e *rpc.Error
	if _, err := cl.Call(context.Background(), nil, "A/Chan", nil); !errors.As(err, &e) || e.Code != 500 {
		t.Fatal(err)
	}
	if _, err := cl.Call(context.Background(), nil, "A/Nobody", nil); rpc.CodeOf(err) != 404 || rpc.OutcomeOf(err) != rpc.Answered {
		t.Fatal(err)
	}
}

// An error's details travel between our own peers.
func TestErrorDetailsTravelBetweenOurPeers(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleVoid(x, "A/Bad", func(context.Context, struct{}) error {
		return &rpc.Error{Code: 409, Text: "taken", Details: []byte{1, 2}}
	})
	_, cl := both(t, x, rpc.Dialer{})
	var e *rpc.Error
	if err := cl.Invoke(context.Background(), "A/Bad", nil, nil); !errors.As(err, &e) || e.Code != 409 || e.Text != "taken" || string(e.Details) != "\x01\x02" {
		t.Fatal(err)
	}
}

// Codes of errors compare, whatever their text.
func TestErrorsCompareByCode(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.HandleFunc("A/Missing", func(context.Context, []byte, *rpc.Request) ([]byte, error) {
		return nil, rpc.NewError(4004, `no order "7"`)
	})
	_, cl := both(t, x, rpc.Dialer{})
	_, err := cl.Call(context.Background(), nil, "A/Missing", nil)
	require.EqualError(t, err, `4004: no order "7"`) // every quote of it
	require.ErrorIs(t, err, rpc.NewError(4004, ""))
	require.NotErrorIs(t, err, rpc.NewError(404, "no order 7"))
	require.NotErrorIs(t, err, (*rpc.Error)(nil))
	_, err = cl.Call(context.Background(), nil, "A/None", nil)
	require.ErrorIs(t, err, rpc.NewError(rpc.CodeNotFound, ""))
}
