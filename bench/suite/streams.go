package suite

import (
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/rpcpeers"
)

// StreamSizes are the sizes of a stream's items.
var StreamSizes = []int{1 << 10, 64 << 10}

// streams compares servers' streams.
func streams(c Config) []measure.Block {
	d := c.scaled(rpcTime)
	var bs []measure.Block
	for _, size := range StreamSizes {
		if c.Quick && size != 64<<10 {
			continue
		}
		bs = append(bs, block("rpc", fmt.Sprintf("stream/%d", size), "MB/s", true, 36*d*5/4, func() ([]measure.Cell, error) {
			var cells []measure.Cell
			for _, s := range rpcpeers.Streamers(size) {
				cells = append(cells, measure.Cell{Row: s.Name, Floor: "raw", Run: func() (measure.Sample, error) {
					return StreamRate(s, size, d)
				}})
			}
			return cells, nil
		}))
	}
	return bs
}

// StreamRate measures one stream, both ends in this process.
func StreamRate(s rpcpeers.Streamer, size int, d time.Duration) (measure.Sample, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return measure.Sample{}, err
	}
	stop, err := s.Serve(l, load.Service{})
	if err != nil {
		return measure.Sample{}, err
	}
	defer load.Halt(stop)
	var out measure.Sample
	addr := l.Addr().String()
	begin := time.Now().Add(d / 4)
	var t0 time.Time
	var c0 time.Duration
	var n atomic.Int64
	ended := make(chan error, 1)
	go func() {
		ended <- s.Range(func() (net.Conn, error) { return net.Dial("tcp", addr) }, make([]byte, size), func(k int) bool {
			if k != size {
				return false
			}
			now := time.Now()
			switch {
			case t0.IsZero() && now.After(begin):
				t0, c0 = now, load.CPUOf()
			case !t0.IsZero():
				n.Add(1)
				if now.Sub(t0) >= d {
					items := float64(n.Load())
					out = measure.Sample{Value: items * float64(size) / 1e6 / now.Sub(t0).Seconds(),
						Extra: map[string]float64{"cpu": float64(load.CPUOf()-c0) / 1e3 / items}}
					return false
				}
			}
			return true
		})
	}()
	select {
	case err = <-ended:
		if err == nil && out.Value == 0 {
			err = fmt.Errorf("items of another size")
		}
		return out, err
	case <-time.After(2*d + 3*time.Second):
		return measure.Sample{}, fmt.Errorf("stalled after %d items", n.Load())
	}
}
