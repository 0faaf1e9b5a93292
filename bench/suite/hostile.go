package suite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/ser"
)

// hostileModels are what is cut and changed.
var hostileModels = []string{"Simple", "Nested", "Batch3", "Rich1"}

const (
	hostileMemory = 3 << 30 // address space of each process
	maxCrashes    = 3       // a row that has killed as many processes on one model is left alone
	stuck         = 10 * time.Second
)

// hostile gives each row damaged messages in a process of its own with a memory
// limit: every prefix, every byte changed in some ways, and lengths that are as
// large as can be at every place.
func hostile(c Config) []measure.Block {
	var bs []measure.Block
	for _, r := range ser.Rows() {
		switch {
		case r.Group == ser.Floor && r.Name != "floor alias",
			c.Quick && r.Name != "spanwire any copy" && r.Name != "mus unsafe" && r.Name != "floor alias":
			continue
		}
		bs = append(bs, measure.Block{Suite: "hostile", Name: r.Name, Cost: 3 * time.Second, Run: func(measure.Options) ([]measure.Result, error) {
			var all []measure.Result
			for _, m := range hostileModels {
				if c.Quick && m != "Nested" {
					continue
				}
				if codec, err := r.Codec(m); err != nil || codec == nil {
					continue
				}
				res, err := hostileRow(r.Name, m)
				if err != nil {
					return nil, err
				}
				all = append(all, res)
			}
			return all, nil
		}})
	}
	return bs
}

// hostileRow runs processes until every case has been tried.
func hostileRow(row, model string) (measure.Result, error) {
	res := measure.Result{Suite: "hostile", Block: model, Row: row, Unit: "cases", Extra: map[string]float64{}}
	dir, err := os.MkdirTemp("", "spanwire-bench")
	if err != nil {
		return res, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "counts")
	if err := os.WriteFile(file, make([]byte, countsSize), 0o600); err != nil {
		return res, err
	}
	counts, unmap, err := mapCounts(file)
	if err != nil {
		return res, err
	}
	defer unmap()
	exe, err := os.Executable()
	if err != nil {
		return res, err
	}
	for {
		cmd := exec.Command(exe, row, model, file)
		cmd.Env = append(os.Environ(), load.Role+"=hostile", "GOTRACEBACK=none")
		var text strings.Builder
		cmd.Stderr = &text
		if err := cmd.Start(); err != nil {
			return res, err
		}
		hung, err := watch(cmd, counts)
		if counts.done != 0 {
			break
		}
		if err == nil {
			return res, fmt.Errorf("%s %s: ended early: %s", row, model, text.String())
		}
		if counts.started == 0 {
			return res, fmt.Errorf("%s %s: %w: %s", row, model, err, text.String())
		}
		if hung {
			counts.hangs++
		} else {
			counts.crashes++
		}
		if counts.crashes+counts.hangs >= maxCrashes {
			res.Err = fmt.Sprintf("left alone after %d processes", maxCrashes)
			break
		}
	}
	for name, v := range counts.named() {
		res.Extra[name] = float64(v)
	}
	res.Runs = []float64{float64(counts.next)}
	return res, nil
}

// watch waits for the process and ends it when one case takes too long.
func watch(cmd *exec.Cmd, c *counts) (hung bool, err error) {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	last, since := int64(-1), time.Now()
	t := time.NewTicker(200 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case err := <-done:
			return hung, err
		case <-t.C:
			if n := atomic.LoadInt64(&c.next); n != last {
				last, since = n, time.Now()
			} else if !hung && time.Since(since) > stuck {
				hung = true
				if err := cmd.Process.Kill(); err != nil {
					return hung, err
				}
			}
		}
	}
}
