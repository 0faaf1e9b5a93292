package suite

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"sort"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/rpcpeers"
	"github.com/spanwire/spanwire/bench/ser"
)

// Hot is one function of a profile.
type Hot struct {
	Func  string
	Share float64 // of all samples, in the function itself
}

// Profile is where the time of one stage goes.
type Profile struct {
	Stage string
	Top   []Hot
	Err   string `json:",omitempty"`
}

// ProfileSer profiles a row on a model in one direction.
func ProfileSer(row, model, op string, d time.Duration) (Profile, error) {
	p := Profile{Stage: row + ", " + model + ", " + op}
	r := ser.ByName(row)
	if r == nil {
		return p, fmt.Errorf("no row %q", row)
	}
	codec, err := r.Codec(model)
	if err != nil {
		return p, err
	}
	w, err := codec.Worker()
	if err != nil {
		return p, err
	}
	f := w.Unmarshal
	if op == "marshal" {
		f = w.Marshal
	}
	n := 1
	for start := time.Now(); time.Since(start) < 2*time.Millisecond; n *= 2 { // so that looking at the clock does not show
		if err := f(n); err != nil {
			return p, err
		}
	}
	p.Top, err = Top(func() error {
		for end := time.Now().Add(d); time.Now().Before(end); {
			if err := f(n); err != nil {
				return err
			}
		}
		return nil
	})
	return p, err
}

// Top profiles f and returns the functions with the most samples of their own.
func Top(f func() error) ([]Hot, error) {
	var buf bytes.Buffer
	if err := pprof.StartCPUProfile(&buf); err != nil {
		return nil, err
	}
	err := f()
	pprof.StopCPUProfile()
	if err != nil {
		return nil, err
	}
	prof, err := profile.ParseData(buf.Bytes())
	if err != nil {
		return nil, err
	}
	flat, total := map[string]int64{}, int64(0)
	for _, s := range prof.Sample {
		v := s.Value[len(s.Value)-1]
		total += v
		if len(s.Location) > 0 && len(s.Location[0].Line) > 0 {
			flat[s.Location[0].Line[0].Function.Name] += v
		}
	}
	if total == 0 {
		return nil, nil
	}
	var top []Hot
	for name, v := range flat {
		if i := strings.Index(name, "[go.shape"); i >= 0 { // an instance of a generic function
			name = name[:i] + "[...]" + name[strings.LastIndexByte(name, ']')+1:]
		}
		top = append(top, Hot{strings.TrimPrefix(name, "github.com/spanwire/"), float64(v) / float64(total)})
	}
	sort.Slice(top, func(i, j int) bool {
		if top[i].Share != top[j].Share {
			return top[i].Share > top[j].Share
		}
		return top[i].Func < top[j].Func
	})
	return top[:min(len(top), 10)], nil
}

// ProfileRPC profiles both ends of a peer with 255 calls in flight on one
// connection.
func ProfileRPC(peer string, d time.Duration) (Profile, error) {
	p := Profile{Stage: peer + ", one connection, 255 calls in flight, both ends"}
	r := rpcpeers.ByName(peer)
	if r == nil {
		return p, fmt.Errorf("no peer %q", peer)
	}
	var err error
	p.Top, err = Top(func() error {
		_, err := load.Run(r, load.Spec{Peer: peer, Network: "tcp", Conns: 1, Window: 255, Size: 32, For: d})
		return err
	})
	return p, err
}
