package examples_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/examples/ntp"
)

// The packets 1, 18 and 19 of Wireshark's sample capture NTP_sync.pcap.
var ntpSamples = map[string]ntp.Packet{
	"d9000afa000000000001029000000000000000000000000000000000000000000000000000000000c50204ecec42ee92": {
		Leap: 3, Version: 3, Mode: 1, Poll: 10, Precision: -6, RootDispersion: 0x10290, Transmit: 0xc50204ecec42ee92,
	},
	"1a030aee00001bf7000014ec51ae80b7c502034c8d0e66cbc50204ecec42ee92c50204ebcf4959e6c50204ebcf4c6e6e": {
		Version: 3, Mode: 2, Stratum: 3, Poll: 10, Precision: -18, RootDelay: 0x1bf7, RootDispersion: 0x14ec,
		RefID: [4]byte{0x51, 0xae, 0x80, 0xb7}, Reference: 0xc502034c8d0e66cb, Origin: 0xc50204ecec42ee92,
		Receive: 0xc50204ebcf4959e6, Transmit: 0xc50204ebcf4c6e6e,
	},
	"1a020aec000007c300002f80c61e5c02c501f995425082cfc50204ecec42ee92c50204ebd2352eb5c50204ebd235d67b": {
		Version: 3, Mode: 2, Stratum: 2, Poll: 10, Precision: -20, RootDelay: 0x7c3, RootDispersion: 0x2f80,
		RefID: [4]byte{0xc6, 0x1e, 0x5c, 0x02}, Reference: 0xc501f995425082cf, Origin: 0xc50204ecec42ee92,
		Receive: 0xc50204ebd2352eb5, Transmit: 0xc50204ebd235d67b,
	},
}

func TestNTPSamples(t *testing.T) {
	for text, want := range ntpSamples {
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		var p ntp.Packet
		if err := binary.Unmarshal(b, &p); err != nil || p != want {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
		if out, err := binary.Marshal(&want); err != nil || !bytes.Equal(out, b) || len(out) != ntp.Size {
			t.Errorf("%+v: %x, %v", want, out, err)
		}
		if err := (binary.Options{Strict: true}).Unmarshal(b[:40], &p); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("40 bytes: %v", err)
		}
	}
}

func TestNTPTime(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, at := range []time.Time{
		now, time.Date(2036, 2, 7, 6, 28, 15, 999999999, time.UTC), time.Date(2036, 2, 7, 6, 28, 16, 1, time.UTC), time.Date(2004, 9, 27, 3, 17, 0, 5, time.UTC),
	} {
		back := ntp.TimeOf(at).Time(now)
		if d := back.Sub(at); d < -1 || d > 1 {
			t.Errorf("%v becomes %v", at, back)
		}
	}
	if d := ntp.Short(0x1bf7).Duration().Round(time.Microsecond); d != 109238*time.Microsecond {
		t.Error(d)
	}
}

func TestNTPQuery(t *testing.T) {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- ntp.Serve(server) }()
	r := ntpQuery(t, server.LocalAddr().String())
	if r.Offset.Abs() > time.Second || r.Delay < 0 || r.Delay > time.Second || r.Stratum != 10 {
		t.Errorf("%+v", r)
	}
	server.Close()
	if err := <-done; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// query asks a server, more than once if it is only just starting.
func ntpQuery(t *testing.T, addr string) *ntp.Result {
	t.Helper()
	var last error
	for range 20 {
		conn, err := net.Dial("udp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		r, err := ntp.Query(conn)
		conn.Close()
		if err == nil {
			return r
		}
		last = err
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal(last)
	return nil
}
