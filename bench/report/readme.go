package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spanwire/spanwire/bench/ser"
)

// The lines of the root README between which its table stands.
const (
	begin = "<!-- bench:begin -->"
	end   = "<!-- bench:end -->"
)

// updateReadme replaces what stands between the markers of a README and of its
// Chinese twin. A file that is not there, or has no markers, is left alone.
func updateReadme(d *Data, file string) error {
	twin := filepath.Join(filepath.Dir(file), chinese.file)
	return errors.Join(english.updateReadme(d, file), chinese.updateReadme(d, twin))
}

func (l lang) updateReadme(d *Data, file string) error {
	old, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, ok := between(string(old), l.readmeTable(d))
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

// readmeModels are the columns of the root README's tables.
var readmeModels = []string{"Simple", "Small", "Nested", "Batch1000", "Rich"}

// readmeOurs are our rows of each table, by what a program calls.
var readmeOurs = []struct{ prefix, call string }{
	{"spanwire any ", "spanwire: span.Append, span.Unmarshal"},
	{"spanwire ", "spanwire: v.AppendSpan, v.ReadSpan"},
	{"spanwire reflection ", "spanwire without generated code"},
}

// readmeRow is a row of a README table and what it is called there.
type readmeRow struct {
	row  *ser.Row
	name string
}

// readmeRows are the rows of the table of one way to read strings: ours, then the best row of each peer, quickest first, then the
// floor.
func readmeRows(d *Data, alias bool) []readmeRow {
	modes := []string{"copy", "shared"}
	if alias {
		modes = []string{"alias"}
	}
	var rows []readmeRow
	for _, o := range readmeOurs {
		for _, mode := range modes {
			r := ser.ByName(o.prefix + mode)
			if r == nil || mode == "shared" && o.prefix != readmeOurs[0].prefix {
				continue
			}
			name := o.call
			if mode == "shared" {
				name += ", one copy a message"
			}
			rows = append(rows, readmeRow{r, "**" + name + "**"})
		}
	}
	seen := map[string]bool{}
	for _, r := range sortedRows(d, "Simple") {
		if r.Ours || r.Group == ser.Floor || r.Peer == "encoding/binary" || seen[r.Peer] || (r.Strings == "alias") != alias {
			continue
		}
		seen[r.Peer] = true
		rows = append(rows, readmeRow{r, r.Name})
	}
	return append(rows, readmeRow{ser.ByName("floor " + modes[0]), "*hand-written floor*"})
}

// readmeTable is what stands between the markers. The tables are the same in
// both languages.
func (l lang) readmeTable(d *Data) string {
	s := l.t("Strings copied, so that they are safe to keep; write / read in ns, Batch1000 in us:",
		"字符串复制，可以放心保留；写 / 读，单位 ns，Batch1000 为 us：") + "\n\n" + readmeSide(d, false) + "\n" +
		l.t("Strings that alias the message, where the program keeps it unchanged:", "字符串直接指向消息，程序须保证消息不变：") + "\n\n" + readmeSide(d, true)
	busyNote := ""
	if busy(d) > 1.05 {
		busyNote = l.t(" The machine was busy with other work; look at ratios.", "机器当时还有别的负载，请看比例。")
	}
	rounds := 0
	for i := range d.Results {
		if d.Results[i].Suite == "models" {
			rounds = max(rounds, len(d.Results[i].Runs))
		}
	}
	s += fmt.Sprintf(l.t("\nMedians of %d rounds on %s, %d cores, %s; the best row of each peer, bytes of Simple.%s The floor is unsafe code written by hand for each model, "+
		"with the same bytes and checks: what the hardware allows.\n", "\n%d 轮的中位数，%s，%d 核，%s；每个对手取最好的一行，字节数是 Simple 的。%s"+
		"floor 是为每个模型手写的 unsafe 代码，字节与检查都相同：硬件所允许的极限。\n"), rounds, d.Env.CPU, d.Env.Cores, d.Env.Go, busyNote)
	if h := l.readmeHostile(d); h != "" {
		s += "\n" + h
	}
	return s + l.t("\nAll rows, charts, remote calls and how it was measured: [bench/report](bench/report/README.md).\n",
		"\n全部数据、图表、远程调用以及测量方法：[bench/report](bench/report/README.zh-CN.md)。\n")
}

func readmeSide(d *Data, alias bool) string {
	var cells [][]string
	for _, r := range readmeRows(d, alias) {
		c := []string{r.name, ""}
		if m := marshalOf(d, "models", "Simple/marshal", r.row); m != nil {
			c[1] = num(m.Extra["bytes"])
		}
		for _, m := range readmeModels {
			t, ok := total(d, m, r.row)
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
	return table(append([]string{"", "bytes"}, readmeModels...), cells)
}

// harm is what hostile input does to a row.
type harm struct{ panics, crashes, memory bool }

// harmOf sums up a row of the hostile suite; ok is false when it has none.
func harmOf(d *Data, row string) (h harm, ok bool) {
	e, note, ok := hostileTotals(d, row)
	return harm{e["panics"] > 0, e["crashes"]+e["hangs"] > 0 || note != "", e["most alloc"] >= 1<<20}, ok
}

// readmeHostile is the line on hostile input: how many peers have no row that stands it.
func (l lang) readmeHostile(d *Data) string {
	best := map[string]harm{}
	for _, r := range ser.Rows() {
		h, ok := harmOf(d, r.Name)
		if !ok || r.Ours || r.Group == ser.Floor {
			continue
		}
		old, seen := best[r.Peer]
		if !seen {
			old = h
		}
		best[r.Peer] = harm{h.panics && old.panics, h.crashes && old.crashes, h.memory && old.memory}
	}
	if len(best) == 0 {
		return ""
	}
	var panics, crashes, memory int
	for _, h := range best {
		panics, crashes, memory = panics+count(h.panics), crashes+count(h.crashes), memory+count(h.memory)
	}
	return fmt.Sprintf(l.t("**Hostile input** - messages cut, changed or with lengths that lie: of %d peers %d panic, %d crash or hang, and %d allocate 1 MiB or more for one "+
		"short message, in every row they have. spanwire does none of it; its errors name field and offset: [hostile input](bench/report/README.md#hostile-input).\n",
		"**恶意输入**：被截断、被改动或长度不实的消息。%d 个对手中，%d 个会 panic，%d 个会崩溃或挂起，%d 个会为一条短消息分配 1 MiB 以上的内存，它们的每一行都如此。"+
			"spanwire 不会；它的错误会指出字段与偏移：[恶意输入](bench/report/README.zh-CN.md#恶意输入)。\n"),
		len(best), panics, crashes, memory)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
