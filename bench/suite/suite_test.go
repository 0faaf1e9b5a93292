package suite

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/rpcpeers"
	"github.com/spanwire/spanwire/bench/ser"
)

func TestMain(m *testing.M) {
	switch os.Getenv(load.Role) {
	case "":
		os.Exit(m.Run())
	case "hostile":
		if err := HostileChild(os.Args[1:]); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	default:
		if err := load.Child(rpcpeers.ByName); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	}
}

// TestHostile is the table's claim about ours: damaged messages are errors, and
// what is not an error encodes to what was read. ReadSpan leaves bytes behind the
// value to its caller, Unmarshal refuses them. Members that are left out at the
// end are the format of package binary.
func TestHostile(t *testing.T) {
	for _, r := range ser.Rows() {
		if !r.Ours {
			continue
		}
		whole := strings.HasPrefix(r.Name, "spanwire any") || r.Group == ser.Reflection
		for _, m := range []string{"Simple", "Nested", "Batch3"} {
			res, err := hostileRow(r.Name, m)
			if err != nil {
				t.Fatal(err)
			}
			e := res.Extra
			if e["panics"] != 0 || e["crashes"] != 0 || e["hangs"] != 0 || e["over MiB"] != 0 {
				t.Errorf("%s, %s: %v", r.Name, m, e)
			}
			if r.Group != ser.Stream && (e["prefix accepted"] != 0 || whole && e["different"] != 0) {
				t.Errorf("%s, %s: %v", r.Name, m, e)
			}
		}
	}
}

// BenchmarkGoser runs the entries of the public suite's manner in go test's way.
func BenchmarkGoser(b *testing.B) {
	data := model.Smalls()[:100]
	for _, e := range ser.GoserEntries() {
		s := e.New()
		b.Run(e.Name, func(b *testing.B) {
			b.ReportAllocs()
			var out model.Small
			for i := range b.N {
				d, err := s.Marshal(data[i%len(data)])
				if err != nil {
					b.Fatal(err)
				}
				out = model.Small{}
				if err := s.Unmarshal(d, &out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode runs the frame decoders in go test's way.
func BenchmarkDecode(b *testing.B) {
	for _, r := range ArkRows {
		in := frameStream(r.Body)
		for _, d := range decoders {
			feed, _ := d.start()
			b.Run(fmt.Sprintf("%s/%d/%d", d.row, r.Body, r.Chunk), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					for s := in; len(s) > 0; {
						c := s[:min(r.Chunk, len(s))]
						s = s[len(c):]
						if err := feed(c); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(b.N*stream)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
			})
		}
	}
}

// TestStreams takes a few items of every stream.
func TestStreams(t *testing.T) {
	for _, size := range StreamSizes {
		for _, s := range rpcpeers.Streamers(size) {
			t.Run(fmt.Sprintf("%s/%d", s.Name, size), func(t *testing.T) {
				if r, err := StreamRate(s, size, 20*time.Millisecond); err != nil || r.Value == 0 {
					t.Fatal(r, err)
				}
			})
		}
	}
}
