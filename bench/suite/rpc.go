package suite

import (
	"fmt"
	"time"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/rpcpeers"
)

// rpcLoad is one load on all peers that can take it.
type rpcLoad struct {
	name  string
	spec  load.Spec
	only  func(*load.Peer) bool
	quick bool
}

const (
	rpcTime = 600 * time.Millisecond
	tooLong = 20 * time.Second // of one run, after which a row is left alone
)

func blocking(p *load.Peer) bool { return p.Blocks }
func muxed(p *load.Peer) bool    { return p.Mux }
func everyone(*load.Peer) bool   { return true }

// callers are peers that n goroutines can call on one connection.
func callers(n int) func(*load.Peer) bool {
	return func(p *load.Peer) bool { return p.Mux && !p.Async && (p.Window == 0 || n <= p.Window) }
}

// Conns are the numbers of connections of the seeds' matrix.
var Conns = []int{1, 16, 64, 256, 1024}

// rpcLoads are the loads. Client and server are in one process on one
// connection, and in two pinned processes on more.
func rpcLoads() []rpcLoad {
	var ls []rpcLoad
	add := func(name string, quick bool, only func(*load.Peer) bool, s load.Spec) {
		if s.Network == "" {
			s.Network = "tcp"
		}
		if s.Size == 0 {
			s.Size = 32
		}
		s.Conns, s.Window = max(s.Conns, 1), max(s.Window, 1)
		ls = append(ls, rpcLoad{name, s, only, quick})
	}
	for _, c := range Conns {
		add(fmt.Sprintf("serial/%d", c), c == 1 || c == 16, everyone, load.Spec{Conns: c, Apart: c >= 16})
	}
	for _, c := range Conns {
		add(fmt.Sprintf("window/%d", c), c == 1, muxed, load.Spec{Conns: c, Window: 255, Apart: c >= 16})
	}
	for _, size := range []int{1 << 10, 64 << 10, 1 << 20} {
		add(fmt.Sprintf("size/%d", size), size == 64<<10, everyone, load.Spec{Size: size})
	}
	for _, network := range []string{"unix", "tls"} {
		add(network+"/serial", false, everyone, load.Spec{Network: network})
		add(network+"/window", false, muxed, load.Spec{Network: network, Window: 255})
	}
	for _, n := range []int{1, 16, 64, 256, 1024, 4096} {
		add(fmt.Sprintf("callers/%d", n), n == 64, callers(n), load.Spec{Window: n})
	}
	add("wait/16x16", true, blocking, load.Spec{Conns: 16, Window: 16, Wait: time.Millisecond, Apart: true})
	return ls
}

func fits(p *load.Peer, s load.Spec) bool {
	switch {
	case p.Max > 0 && s.Size > p.Max,
		p.TCP && s.Network != "tcp",
		p.NoTLS && s.Network == "tls",
		!p.Mux && s.Window > 16: // up to that, connections take the place of calls in flight
		return false
	}
	return true
}

func rpc(c Config) []measure.Block {
	d := c.scaled(rpcTime)
	var bs []measure.Block
	peers := rpcpeers.All()
	cost := func(n int) time.Duration { return time.Duration(n*6) * (d*5/4 + 60*time.Millisecond) }
	for _, l := range rpcLoads() {
		if c.Quick && !l.quick {
			continue
		}
		bs = append(bs, block("rpc", l.name, "call/s", true, cost(len(peers)), func() ([]measure.Cell, error) {
			return loadCells(peers, l, d), nil
		}))
	}
	bs = append(bs, streams(c)...)
	if !c.Quick {
		bs = append(bs, openLoop(peers, d, cost(len(peers)*3)), idle(peers))
	}
	return bs
}

func loadCells(peers []*load.Peer, l rpcLoad, d time.Duration) []measure.Cell {
	floor := "raw"
	if l.spec.Window > 1 {
		floor = "raw batched"
	}
	if l.spec.Wait > 0 {
		floor = ""
	}
	var cells []measure.Cell
	for _, p := range peers {
		if !l.only(p) || !fits(p, l.spec) || p.Name == "raw batched" && floor != "raw batched" {
			continue
		}
		sp := l.spec
		sp.Peer, sp.For = p.Name, d*time.Duration(1+l.spec.Conns*l.spec.Window>>16) // a window must come round several times
		if p.Window > 0 {
			sp.Window = min(sp.Window, p.Window)
		}
		if !p.Mux { // its window is connections
			sp.Conns, sp.Window = sp.Conns*sp.Window, 1
		}
		var slow error
		cells = append(cells, measure.Cell{Row: p.Name, Floor: floor, Run: func() (measure.Sample, error) {
			if slow != nil {
				return measure.Sample{}, slow
			}
			start := time.Now()
			out, err := load.Run(p, sp)
			if took := time.Since(start); took > tooLong+sp.For {
				slow = fmt.Errorf("one run took %s", took.Round(time.Second))
			}
			return sample(out.Rate, out, sp), err
		}})
	}
	return cells
}

func sample(v float64, out load.Out, sp load.Spec) measure.Sample {
	e := map[string]float64{"cpu": out.CPU, "p50": out.P50, "p99": out.P99, "MB/s": out.Rate * float64(sp.Size) / 1e6}
	if sp.Apart {
		e["server cpu"], e["server MiB"] = out.ServerCPU, out.ServerRSS
	} else {
		e["allocs"] = out.Allocs
	}
	return measure.Sample{Value: v, Extra: e}
}

// openLoop measures latency from the planned time at 50 and 80 % of what each
// peer did in a closed loop on the same connections.
func openLoop(peers []*load.Peer, d time.Duration, cost time.Duration) measure.Block {
	return measure.Block{Suite: "rpc", Name: "open", Cost: cost, Run: func(o measure.Options) ([]measure.Result, error) {
		closed := rpcLoad{spec: load.Spec{Network: "tcp", Conns: 16, Window: 16, Size: 32, Apart: true}, only: blocking}
		short := o
		short.Rounds, short.Reruns = min(3, o.Rounds), 0
		peak := map[string]float64{}
		all := measure.Run("rpc", "open/peak", "call/s", true, loadCells(peers, closed, d), short)
		for _, r := range all {
			peak[r.Row] = measure.Median(r.Runs)
		}
		for _, share := range []float64{0.5, 0.8} {
			var cells []measure.Cell
			for _, p := range peers {
				if peak[p.Name] == 0 {
					continue
				}
				sp := closed.spec
				sp.Peer, sp.For, sp.Rate = p.Name, d, peak[p.Name]*share
				if !p.Mux {
					sp.Conns, sp.Window = 256, 1
				}
				cells = append(cells, measure.Cell{Row: p.Name, Run: func() (measure.Sample, error) {
					out, err := load.Run(p, sp)
					s := sample(out.P99, out, sp)
					s.Extra["p99.9"], s.Extra["planned"], s.Extra["behind"] = out.P999, sp.Rate, out.Behind
					return s, err
				}})
			}
			all = append(all, measure.Run("rpc", fmt.Sprintf("open/%.0f%%", share*100), "us", false, cells, o)...)
		}
		return all, nil
	}}
}

// idle measures what a connection holds on the server when it has been used once
// and is silent.
func idle(peers []*load.Peer) measure.Block {
	const conns = 10_000
	return measure.Block{Suite: "rpc", Name: "idle", Cost: time.Duration(len(peers)) * 6 * time.Second, Run: func(o measure.Options) ([]measure.Result, error) {
		var cells []measure.Cell
		for _, p := range peers {
			if p.Name == "raw batched" || p.Floor && p.Name != "raw" && p.Name != "prototype inline blocking" {
				continue
			}
			sp := load.Spec{Peer: p.Name, Network: "tcp", Conns: conns, Window: 1, Size: 32, Idle: true}
			cells = append(cells, measure.Cell{Row: p.Name, Floor: "raw", Run: func() (measure.Sample, error) {
				out, err := load.Run(p, sp)
				return measure.Sample{Value: out.ServerIdle}, err
			}})
		}
		o.Rounds, o.Reruns = min(o.Rounds, 2), 0
		return measure.Run("rpc", "idle", "KiB", false, cells, o), nil
	}}
}
