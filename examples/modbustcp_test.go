package examples_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/examples/modbustcp/device"
	"github.com/spanwire/spanwire/rpc"
)

// The functions that a device has.
const (
	readHolding   = 3
	writeRegister = 6
	writeMany     = 16
	failed        = 0x80 // set in the function of an answer that is an exception
)

// tcpRegisters is a device made with rpc: the server side of the same codec.
type tcpRegisters struct {
	mu     sync.Mutex
	values [100]uint16
}

func (g *tcpRegisters) ServeRPC(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := r.Body
	if len(p) < 6 || r.Header[2] != 0 || r.Header[3] != 0 {
		return nil, errors.New("not modbus")
	}
	first, n := int(binary.BigEndian.Uint16(p[2:])), int(binary.BigEndian.Uint16(p[4:]))
	switch {
	case p[1] == readHolding && first+n <= len(g.values):
		dst = append(dst, p[0], p[1], byte(2*n))
		for _, v := range g.values[first : first+n] {
			dst = binary.BigEndian.AppendUint16(dst, v)
		}
		return dst, nil
	case p[1] == writeRegister && first < len(g.values):
		g.values[first] = uint16(n)
		return append(dst, p...), nil
	case p[1] == writeMany && first+n <= len(g.values) && len(p) == 7+2*n:
		for i := range n {
			g.values[first+i] = binary.BigEndian.Uint16(p[7+2*i:])
		}
		return append(dst, p[:6]...), nil
	}
	return append(dst, p[0], p[1]|failed, 2), nil // illegal address
}

func TestModbusTCPDevice(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rpc.Server{Handler: new(tcpRegisters), Codec: device.Codec}
	go s.Serve(l)
	defer s.Close()
	exerciseDevice(t, l.Addr().String())
}

// exerciseDevice reads and writes, from several goroutines as well.
func exerciseDevice(t *testing.T, address string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	d, err := device.Dial(ctx, address, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.WriteRegister(ctx, 3, 1234); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteRegisters(ctx, 4, 5, 6, 65535); err != nil {
		t.Fatal(err)
	}
	got, err := d.ReadHolding(ctx, 3, 4)
	if err != nil || !slices.Equal(got, []uint16{1234, 5, 6, 65535}) {
		t.Fatal(got, err)
	}
	var e *device.Exception
	if _, err := d.ReadHolding(ctx, 60000, 1); !errors.As(err, &e) || e.Function != readHolding || e.Code != 2 {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			at := uint16(10 + g)
			for i := range 20 {
				if err := d.WriteRegister(ctx, at, uint16(100*g+i)); err != nil {
					t.Error(err)
					return
				}
				if got, err := d.ReadHolding(ctx, at, 1); err != nil || got[0] != uint16(100*g+i) {
					t.Error(got, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

// A reply with another transaction number closes the connection; its value reaches nobody.
func TestModbusTCPWrongTransaction(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		defer nc.Close()
		b := make([]byte, 12)
		nc.Read(b)
		nc.Write([]byte{b[0], b[1] + 1, 0, 0, 0, 5, 1, 3, 2, 0, 7})
		nc.Read(b)
	}()
	d, err := device.Dial(context.Background(), l.Addr().String(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if got, err := d.ReadHolding(context.Background(), 0, 1); !errors.Is(err, rpc.ErrMismatch) {
		t.Fatal(got, err)
	}
}

// D1: with the right transaction another unit's answer, or its exception, is still nobody's.
func TestModbusTCPAnotherUnit(t *testing.T) {
	for name, pdu := range map[string][]byte{
		"answer": {2, 3, 2, 0, 7}, "exception": {2, 0x83, 2}, "another function's exception": {1, 0x86, 2},
		"another function": {1, 6, 0, 0, 0, 7}, "long exception": {1, 0x83, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			defer l.Close()
			go func() {
				nc, err := l.Accept()
				if err != nil {
					return
				}
				defer nc.Close()
				b := make([]byte, 12)
				nc.Read(b)
				nc.Write(append([]byte{b[0], b[1], 0, 0, 0, byte(len(pdu))}, pdu...))
				nc.Read(b)
			}()
			d, err := device.Dial(context.Background(), l.Addr().String(), 1)
			require.NoError(t, err)
			defer d.Close()
			got, err := d.ReadHolding(context.Background(), 0, 1)
			require.ErrorIs(t, err, device.ErrAnswer)
			require.Empty(t, got)
		})
	}
}

// TestModbusTCPPeerSerial talks to npm's modbus-serial.
func TestModbusTCPPeerSerial(t *testing.T) {
	if os.Getenv("SPANWIRE_PEERS") == "" {
		t.Skip("needs node and npm's modbus-serial: .ci/peers-rpc.sh, which sets SPANWIRE_PEERS=1")
	}
	cmd := exec.Command("node", "modbustcp/testdata/server.js")
	cmd.Stderr = os.Stderr
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); cmd.Wait() }()
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("the server does not start:", err)
	}
	exerciseDevice(t, net.JoinHostPort("127.0.0.1", strings.TrimSpace(port)))
}
