package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Block is a piece of work that is done as a whole and kept as a whole.
type Block struct {
	Suite, Name string
	Cost        time.Duration // what it is expected to take
	Run         func(Options) ([]Result, error)
}

// File is the name under which the block's results are kept.
func (b *Block) File() string {
	return strings.NewReplacer("/", "_", " ", "_").Replace(b.Suite+"-"+b.Name) + ".json"
}

// Runner does blocks and keeps their results in a folder, so that a run that was
// stopped goes on where it was.
type Runner struct {
	Dir string
	Out io.Writer // progress
	Options
	Only bool // take what is kept, under whatever options, and measure nothing

	// Used are the options under which each suite's results were measured.
	Used map[string]Options
	// Missing are the blocks that are not kept, when nothing was to be measured.
	Missing []string
}

type kept struct {
	Options Options
	Took    time.Duration
	At      time.Time
	Results []Result
}

// Do does the blocks that are not kept yet, under the same options, and returns
// the results of all.
func (r *Runner) Do(blocks []Block) ([]Result, error) {
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return nil, err
	}
	done := map[string]kept{}
	var left, spent, spentCost time.Duration
	for i := range blocks {
		if k, ok := r.load(&blocks[i]); ok {
			done[blocks[i].File()] = k
		} else {
			left += blocks[i].Cost
		}
	}
	var all []Result
	for i := range blocks {
		b := &blocks[i]
		if k, ok := done[b.File()]; ok {
			all = append(all, k.Results...)
			r.use(b.Suite, k.Options)
			continue
		}
		if r.Only {
			r.Missing = append(r.Missing, b.Suite+" "+b.Name)
			continue
		}
		rate := 1.0
		if spentCost > 0 {
			rate = float64(spent) / float64(spentCost)
		}
		fmt.Fprintf(r.Out, "%3d/%d  %-32s about %s left\n", i+1, len(blocks), b.Suite+" "+b.Name,
			time.Duration(float64(left)*rate).Round(time.Second))
		start := time.Now()
		res, err := b.Run(r.Options)
		if err != nil {
			return all, fmt.Errorf("%s %s: %w", b.Suite, b.Name, err)
		}
		took := time.Since(start)
		spent, spentCost, left = spent+took, spentCost+b.Cost, left-b.Cost
		if err := r.save(b, kept{r.Options, took, start.UTC(), res}); err != nil {
			return all, err
		}
		all = append(all, res...)
		r.use(b.Suite, r.Options)
	}
	return all, nil
}

func (r *Runner) use(suite string, o Options) {
	if r.Used == nil {
		r.Used = map[string]Options{}
	}
	if had, ok := r.Used[suite]; !ok || o.Rounds < had.Rounds { // what is said must hold for all of it
		r.Used[suite] = o
	}
}

func (r *Runner) load(b *Block) (k kept, ok bool) {
	text, err := os.ReadFile(filepath.Join(r.Dir, b.File()))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(r.Out, err)
		}
		return k, false
	}
	if err := json.Unmarshal(text, &k); err != nil || !r.Only && k.Options != r.Options {
		return k, false
	}
	return k, true
}

func (r *Runner) save(b *Block, k kept) error {
	text, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		return err
	}
	tmp := filepath.Join(r.Dir, b.File()+".tmp")
	if err := os.WriteFile(tmp, text, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(r.Dir, b.File()))
}
