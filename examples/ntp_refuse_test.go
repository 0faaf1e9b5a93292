package examples_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/examples/ntp"
)

// TestNTPNoTime: answers that carry no valid time are refused.
func TestNTPNoTime(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ntp.Packet)
		want   error
	}{
		"valid":              {func(*ntp.Packet) {}, nil},
		"the last stratum":   {func(p *ntp.Packet) { p.Stratum = 15 }, nil},
		"a refusal":          {func(p *ntp.Packet) { p.Stratum, p.RefID = 0, [4]byte{'R', 'A', 'T', 'E'} }, ntp.ErrNoTime},
		"stratum 16":         {func(p *ntp.Packet) { p.Stratum = 16 }, ntp.ErrNoTime},
		"leap 3":             {func(p *ntp.Packet) { p.Leap = 3 }, ntp.ErrNoTime},
		"no time of arrival": {func(p *ntp.Packet) { p.Receive = 0 }, ntp.ErrNoTime},
		"another's answer":   {func(p *ntp.Packet) { p.Origin++ }, ntp.ErrAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			here, there := net.Pipe()
			defer here.Close()
			go func() {
				defer there.Close()
				buf := make([]byte, ntp.Size)
				var ask ntp.Packet
				if n, err := there.Read(buf); err != nil || binary.Unmarshal(buf[:n], &ask) != nil {
					return
				}
				p := &ntp.Packet{Version: 4, Mode: ntp.Server, Stratum: 2, Origin: ask.Transmit, Receive: ask.Transmit, Transmit: ask.Transmit}
				c.change(p)
				if b, err := binary.Marshal(p); err == nil {
					there.Write(b)
				}
			}()
			_, err := ntp.Query(here)
			require.ErrorIs(t, err, c.want)
		})
	}
}
