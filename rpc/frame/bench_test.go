package frame

import (
	"fmt"
	"testing"
)

var sink int

// stream returns k Standard frames with bodies of size bytes.
func stream(size, k int) []byte {
	var b []byte
	p := make([]byte, size)
	for i := range k {
		p[0], p[size-1] = byte(i), byte(i)
		b, _ = Standard{}.AppendFrame(b, Frame{Head: 1, Seq: byte(i), Payload: p})
	}
	return b
}

// BenchmarkReader has the rows "frame decoder": body x chunk x frames that follow one another.
func BenchmarkReader(b *testing.B) {
	for _, size := range []int{64, 1024, 4096} {
		for _, chunk := range []int{1, 64, 65536} {
			for _, k := range []int{1, 16} {
				in := stream(size, k)
				name := fmt.Sprintf("body=%d/chunk=%d/batch=%d", size, chunk, k)
				b.Run("pull/"+name, func(b *testing.B) { benchPull(b, in, chunk, k) })
				b.Run("feed/"+name, func(b *testing.B) { benchFeed(b, in, chunk, k) })
			}
		}
	}
}

func benchPull(b *testing.B, in []byte, chunk, k int) {
	b.ReportAllocs()
	d := NewReader(Standard{Max: 1 << 20})
	got := 0
	for range b.N {
		for s := in; len(s) > 0; {
			c := s[:min(chunk, len(s))]
			s = s[len(c):]
			for len(c) > 0 {
				m := copy(d.Space(), c)
				c = c[m:]
				d.Wrote(m)
				for {
					f, ok := d.Next()
					if !ok {
						break
					}
					got++
					sink += int(f.Payload[0])
				}
			}
		}
	}
	report(b, got, k)
}

func benchFeed(b *testing.B, in []byte, chunk, k int) {
	b.ReportAllocs()
	d := NewReader(Standard{Max: 1 << 20})
	got := 0
	fn := func(f Frame) { got++; sink += int(f.Payload[0]) }
	for range b.N {
		for s := in; len(s) > 0; {
			c := s[:min(chunk, len(s))]
			s = s[len(c):]
			d.Feed(c, fn)
		}
	}
	report(b, got, k)
}

func report(b *testing.B, got, k int) {
	if got != b.N*k {
		b.Fatal(got, b.N*k)
	}
	b.ReportMetric(float64(got)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
}
