package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spanwire/spanwire/bench/ser"
)

// The lines of the root README between which its table stands.
const (
	begin = "<!-- bench:begin -->"
	end   = "<!-- bench:end -->"
)

// updateReadme replaces what stands between the markers. A README that is not
// there, or has no markers, is left alone.
func updateReadme(d *Data, file string) error {
	old, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, ok := between(string(old), readmeTable(d))
	if !ok || text == string(old) {
		return nil
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

func between(text, table string) (string, bool) {
	i := strings.Index(text, begin)
	j := strings.Index(text, end)
	if i < 0 || j < i {
		return text, false
	}
	return text[:i+len(begin)] + "\n" + table + text[j:], true
}

// readmeModels are the columns of the root README's table.
var readmeModels = []string{"Simple", "Small", "Nested", "Batch1000", "Rich"}

// readmeRows are its rows: the floor, ours, and the quickest row of each peer.
func readmeRows(d *Data) []*ser.Row {
	rows := []*ser.Row{ser.ByName("floor alias"), ser.ByName("floor copy"), ser.ByName("spanwire alias"), ser.ByName("spanwire shared"), ser.ByName("spanwire copy"), ser.ByName("spanwire reflection copy")}
	seen := map[string]bool{"floor": true, "harness": true, "spanwire": true, "encoding/binary": true}
	for _, r := range sortedRows(d, "Simple") {
		if !seen[r.Peer] && r.Group != ser.Stream {
			seen[r.Peer] = true
			rows = append(rows, r)
		}
	}
	return rows[:min(len(rows), 6+9)]
}

func readmeTable(d *Data) string {
	var cells [][]string
	for _, r := range readmeRows(d) {
		c := []string{bold(r.Ours, r.Name), r.Strings}
		for _, m := range readmeModels {
			t, ok := total(d, m, r)
			s := ""
			if ok {
				if s = pair(t); m == "Batch1000" {
					s = num(t[0]/1e3) + " / " + num(t[1]/1e3)
				}
			}
			c = append(c, s)
		}
		cells = append(cells, c)
	}
	head := []string{"marshal / unmarshal", "strings"}
	for _, m := range readmeModels {
		unit := ", ns"
		if m == "Batch1000" {
			unit = ", us"
		}
		head = append(head, m+unit)
	}
	s := table(head, cells)
	busyNote := ""
	if busy(d) > 1.05 {
		busyNote = " The machine was busy with other work; look at ratios."
	}
	rounds := 0
	for i := range d.Results {
		if d.Results[i].Suite == "models" {
			rounds = max(rounds, len(d.Results[i].Runs))
		}
	}
	return s + fmt.Sprintf("\nMedians of %d rounds on %s, %d cores, %s.%s The row of each peer is its quickest of those measured; all rows, charts, RPC and hostile input: [bench/report](bench/report/README.md).\n",
		rounds, d.Env.CPU, d.Env.Cores, d.Env.Go, busyNote)
}
