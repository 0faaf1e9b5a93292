package suite

import (
	"fmt"
	"net"
	"time"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/rpcfloor/srmp"
	"github.com/spanwire/spanwire/rpc/frame"
)

// decoder is one way of cutting a stream into frames.
type decoder struct {
	row string
	// start returns what takes a chunk, and what tells how many frames came.
	start func() (feed func([]byte) error, frames func() int)
}

var decoders = []decoder{
	{"prototype feed", func() (func([]byte) error, func() int) {
		d := srmp.Decoder{Max: 1 << 20}
		n := 0
		fn := func(_, _ byte, p []byte) { n += int(p[0]) | 1 }
		return func(b []byte) error { return d.Feed(b, fn) }, func() int { return n }
	}},
	{"spanwire feed", func() (func([]byte) error, func() int) {
		d := frame.NewReader(frame.Standard{Max: 1 << 20})
		n := 0
		fn := func(f frame.Frame) { n += int(f.Payload[0]) | 1 }
		return func(b []byte) error { return d.Feed(b, fn) }, func() int { return n }
	}},
	{"prototype pull", func() (func([]byte) error, func() int) {
		d := srmp.Decoder{Max: 1 << 20}
		n := 0
		return func(b []byte) error {
			for len(b) > 0 {
				m := copy(d.Space(), b)
				b = b[m:]
				d.Wrote(m)
				for {
					_, _, p, ok, err := d.Next()
					if err != nil {
						return err
					}
					if !ok {
						break
					}
					n += int(p[0]) | 1
				}
			}
			return nil
		}, func() int { return n }
	}},
	{"spanwire pull", func() (func([]byte) error, func() int) {
		d := frame.NewReader(frame.Standard{Max: 1 << 20})
		n := 0
		return func(b []byte) error {
			for len(b) > 0 {
				m := copy(d.Space(), b)
				b = b[m:]
				d.Wrote(m)
				for {
					f, ok := d.Next()
					if !ok {
						break
					}
					n += int(f.Payload[0]) | 1
				}
			}
			return d.Err()
		}, func() int { return n }
	}},
}

// ArkRows are the loads of the Ark report's decoder rows.
var ArkRows = []struct{ Body, Chunk int }{{64, 64 << 10}, {1 << 10, 64 << 10}, {4 << 10, 64 << 10}, {1 << 10, 64}, {4 << 10, 1}}

const stream = 16 // frames that follow one another, and are cut into chunks

func frames(c Config) []measure.Block {
	d := c.scaled(cellTime)
	var bs []measure.Block
	for _, r := range ArkRows {
		bs = append(bs, block("frames", fmt.Sprintf("decode/%d/%d", r.Body, r.Chunk), "ns", false, time.Duration(len(decoders)*6)*d*5/4, func() ([]measure.Cell, error) {
			return decodeCells(r.Body, r.Chunk, d), nil
		}))
	}
	for _, size := range []int{32, 8 << 10, 64 << 10} {
		if c.Quick && size != 8<<10 {
			continue
		}
		d := c.scaled(500 * time.Millisecond)
		bs = append(bs, block("frames", fmt.Sprintf("receive/%d", size), "msg/s", true, 18*d*5/4, func() ([]measure.Cell, error) {
			return receiveCells(size, d), nil
		}))
	}
	return bs
}

func frameStream(body int) []byte {
	var in []byte
	p := make([]byte, body)
	for i := range stream {
		in = srmp.AppendFrame(in, 1, byte(i), p)
	}
	return in
}

// decodeCells have values per frame. Each frame's first byte is looked at, so n
// counts them: it is 0, and 0|1 is one.
func decodeCells(body, chunk int, d time.Duration) []measure.Cell {
	in := frameStream(body)
	var cells []measure.Cell
	for _, dec := range decoders {
		feed, got := dec.start()
		times := 0
		floor := "prototype" + dec.row[len(dec.row)-5:]
		cells = append(cells, measure.Cell{Row: dec.row, Floor: floor, Run: func() (measure.Sample, error) {
			s, err := measure.Loop(d, &times, func(n int) error {
				before := got()
				for range n {
					for s := in; len(s) > 0; {
						c := s[:min(chunk, len(s))]
						s = s[len(c):]
						if err := feed(c); err != nil {
							return err
						}
					}
				}
				if k := got() - before; k != n*stream {
					return fmt.Errorf("%d frames of %d", k, n*stream)
				}
				return nil
			})
			s.Value /= stream
			s.Extra["Mmsg/s"] = 1e3 / s.Value
			return s, err
		}})
	}
	return cells
}

// receiveCells have frames of 32 bytes received a second on one connection, which
// come in writes of size bytes.
func receiveCells(size int, d time.Duration) []measure.Cell {
	rows := []struct {
		name string
		dec  *decoder
	}{{"raw read", nil}, {"prototype pull", &decoders[2]}, {"spanwire pull", &decoders[3]}}
	var cells []measure.Cell
	for _, r := range rows {
		cells = append(cells, measure.Cell{Row: r.name, Floor: "raw read", Run: func() (measure.Sample, error) {
			return receive(size, d, r.dec)
		}})
	}
	return cells
}

func receive(size int, d time.Duration, dec *decoder) (measure.Sample, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return measure.Sample{}, err
	}
	defer l.Close()
	out, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return measure.Sample{}, err
	}
	defer out.Close()
	in, err := l.Accept()
	if err != nil {
		return measure.Sample{}, err
	}
	defer in.Close()
	msg := make([]byte, 0, size)
	for len(msg) < size {
		msg = srmp.AppendFrame(msg, 1, 0, make([]byte, 28))
	}
	go func() {
		for {
			if _, err := out.Write(msg); err != nil {
				return
			}
		}
	}()
	var feed func([]byte) error
	if dec != nil {
		feed, _ = dec.start()
	}
	b := make([]byte, 64<<10)
	until := func(end time.Time) (total int, err error) {
		for time.Now().Before(end) {
			for range 16 {
				n, err := in.Read(b)
				if err != nil {
					return total, err
				}
				if total += n; feed != nil {
					if err := feed(b[:n]); err != nil {
						return total, err
					}
				}
			}
		}
		return total, nil
	}
	if _, err := until(time.Now().Add(d / 4)); err != nil {
		return measure.Sample{}, err
	}
	t0, c0 := time.Now(), load.CPUOf()
	total, err := until(t0.Add(d))
	if err != nil {
		return measure.Sample{}, err
	}
	k := float64(total) / 32
	return measure.Sample{Value: k / time.Since(t0).Seconds(), Extra: map[string]float64{"cpu": float64(load.CPUOf()-c0) / 1e3 / k}}, nil
}
