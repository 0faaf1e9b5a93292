package report

import (
	"fmt"
	"strings"

	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/ser"
	"github.com/spanwire/spanwire/bench/suite"
)

// matrix writes a table of rows by blocks.
func (w *writer) matrix(suite string, blocks, heads []string, cell func(*measure.Result) string) {
	var rows [][]string
	for _, name := range w.d.rows(suite, blocks...) {
		r := []string{bold(strings.HasPrefix(name, "spanwire"), name)}
		any := false
		for _, b := range blocks {
			res := w.d.get(suite, b, name)
			s := ""
			if res != nil {
				if s = "✗"; res.Err == "" {
					s = cell(res)
				}
			}
			any = any || s != ""
			r = append(r, s)
		}
		if any {
			rows = append(rows, r)
		}
	}
	if len(rows) > 0 {
		w.table(append([]string{w.t("row", "行")}, heads...), rows)
	}
}

// have keeps the blocks that were measured, with their heads.
func (w *writer) have(suite string, blocks, heads []string) (b, h []string) {
	for i, name := range blocks {
		if len(w.d.rows(suite, name)) > 0 {
			b, h = append(b, name), append(h, heads[i])
		}
	}
	return b, h
}

func mark(s string, r *measure.Result) string {
	if r.Unstable {
		s += "†"
	}
	return s
}

func (w *writer) growth() {
	if !w.d.has("growth") {
		return
	}
	w.p("## Growth", "## 规模增长")
	w.p("Lists of Simple: ns an element (share of the floor).", "Simple 列表：每个元素 ns（相对下限）。")
	w.pictures("growth")
	for _, op := range suite.Ops {
		var blocks, heads []string
		for _, n := range suite.GrowthSizes(suite.Config{}) {
			blocks, heads = append(blocks, fmt.Sprintf("Batch%d/%s", n, op)), append(heads, short(float64(n)))
		}
		blocks, heads = w.have("growth", blocks, heads)
		w.b.WriteString("### " + w.t(op, map[string]string{"marshal": "编码", "unmarshal": "解码"}[op]) + "\n\n")
		w.matrix("growth", blocks, heads, func(r *measure.Result) string {
			var n float64
			fmt.Sscanf(r.Block, "Batch%f", &n)
			return mark(num(measure.Median(r.Runs)/n)+paren(share(r)), r)
		})
	}
}

func paren(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func (w *writer) goroutines() {
	if !w.d.has("goroutines") {
		return
	}
	w.p("## Goroutines", "## 多协程")
	w.p("Messages a second, all goroutines together, by the clock, with as many processors as the machine has (share of the floor).",
		"所有协程每秒消息数之和，按时钟计，使用全部处理器（相对下限）。")
	w.pictures("goroutines")
	for _, model := range []string{"Simple", "Rich"} {
		for _, op := range suite.Ops {
			var blocks, heads []string
			for _, n := range suite.Goroutines {
				blocks, heads = append(blocks, fmt.Sprintf("%s/%s/%d", model, op, n)), append(heads, fmt.Sprint(n))
			}
			if blocks, heads = w.have("goroutines", blocks, heads); len(blocks) == 0 {
				continue
			}
			w.b.WriteString("### " + model + ", " + w.t(op, map[string]string{"marshal": "编码", "unmarshal": "解码"}[op]) + "\n\n")
			w.matrix("goroutines", blocks, heads, func(r *measure.Result) string {
				return mark(num(measure.Median(r.Runs))+paren(share(r)), r)
			})
		}
	}
}

// hostileTotals sums a row over the models.
func hostileTotals(d *Data, row string) (e map[string]float64, note string, ok bool) {
	e = map[string]float64{}
	for i := range d.Results {
		r := &d.Results[i]
		if r.Suite != "hostile" || r.Row != row {
			continue
		}
		ok = true
		for name, v := range r.Extra {
			if name == "most alloc" {
				if v > e[name] {
					e[name], e["most input"] = v, r.Extra["most input"]
				}
			} else if name != "most input" {
				e[name] += v
			}
		}
		if r.Err != "" {
			note = r.Err
		}
	}
	return e, note, ok
}

func (w *writer) hostile() {
	if !w.d.has("hostile") {
		return
	}
	w.p("## Hostile input", "## 恶意输入")
	w.p("Messages of Simple, Nested, a list of 3 and Rich (with one map entry), cut at every byte, with every byte changed, and with lengths of 2^31 and more written at every place; "+
		"each row in a process of its own with 3 GiB of address space. *cut, accepted*: a decoder that takes a part for the whole; protobuf and JSON-like formats with optional fields do so by design at field borders. "+
		"*panic*: recovered. *crash*: the process died or hung (the row is left alone after three on one model). *most memory*: of one message, and how long that was. "+
		"*encodes differently*: what was accepted is not what its value encodes to; ReadSpan and most generated readers leave bytes behind the value to their caller, Unmarshal of spanwire refuses them.",
		"对 Simple、Nested、三元素列表和 Rich（单个映射项）的消息：在每个字节处截断、改变每个字节、在每个位置写入 2^31 及以上的长度；每行在自己的、地址空间限制为 3 GiB 的进程中。"+
			"*截断被接受*：把部分当成整体；protobuf 等允许缺省字段的格式在字段边界处本来如此。*panic*：已恢复。*崩溃*：进程死亡或卡住（同一模型三次后不再试）。*最多内存*：单条消息分配的最大内存及该消息长度。"+
			"*重编码不同*：被接受的输入与其值的编码不一致；ReadSpan 与多数生成的读取函数把值之后的字节留给调用者，spanwire 的 Unmarshal 会拒绝。")
	var rows [][]string
	for _, r := range ser.Rows() {
		e, note, ok := hostileTotals(w.d, r.Name)
		if !ok {
			continue
		}
		crash := num(e["crashes"] + e["hangs"])
		if note != "" {
			crash += w.t(", left alone", "，中止")
		}
		rows = append(rows, []string{
			bold(r.Ours, r.Name), num(e["prefixes"]), num(e["prefix accepted"]), num(e["changes"]), num(e["accepted"]), num(e["different"]),
			num(e["panics"]), crash, size(e["most alloc"]) + w.t(" of ", " / ") + num(e["most input"]) + " B", num(e["over MiB"]),
		})
	}
	w.table([]string{w.t("row", "行"), w.t("cut", "截断"), w.t("cut, accepted", "截断被接受"), w.t("changed", "改变"), w.t("accepted", "被接受"),
		w.t("accepted, encodes differently", "接受但重编码不同"), "panic", w.t("crash", "崩溃"), w.t("most memory", "最多内存"), w.t("over 1 MiB", "超过 1 MiB")}, rows)
}

func size(v float64) string {
	switch {
	case v >= 1<<30:
		return fmt.Sprintf("%.1f GiB", v/(1<<30))
	case v >= 1<<20:
		return fmt.Sprintf("%.1f MiB", v/(1<<20))
	case v >= 1<<10:
		return fmt.Sprintf("%.0f KiB", v/(1<<10))
	}
	return fmt.Sprintf("%.0f B", v)
}

func (w *writer) frames() {
	if !w.d.has("frames") {
		return
	}
	w.p("## Frame decoder", "## 帧解码")
	w.p("Frames a second through the decoder alone (share of the prototype's time). *Ark* is the C++ figure of the seed report, on other hardware.",
		"仅解码器每秒帧数（相对原型的时间）。*Ark* 为种子报告中的 C++ 数据，硬件不同。")
	ark := []string{"18.4M", "10.5M", "4.8M", "5.9M", "56.8k"}
	var blocks, heads []string
	for i, r := range suite.ArkRows {
		blocks = append(blocks, fmt.Sprintf("decode/%d/%d", r.Body, r.Chunk))
		heads = append(heads, fmt.Sprintf("%s %d / %s %d (Ark %s)", w.t("body", "体"), r.Body, w.t("chunk", "块"), r.Chunk, ark[i]))
	}
	blocks, heads = w.have("frames", blocks, heads)
	w.matrix("frames", blocks, heads, func(r *measure.Result) string {
		return mark(num(1e9/measure.Median(r.Runs))+paren(share(r)), r)
	})
	blocks, heads = nil, nil
	for _, n := range []int{32, 8 << 10, 64 << 10} {
		blocks, heads = append(blocks, fmt.Sprintf("receive/%d", n)), append(heads, fmt.Sprintf(w.t("writes of %d B", "每次写 %d B"), n))
	}
	if blocks, heads = w.have("frames", blocks, heads); len(blocks) > 0 {
		w.p("Pure receive: frames of 32 bytes a second on one connection (microseconds of processor time a frame, both ends).",
			"纯接收：单连接每秒 32 字节帧数（每帧两端处理器微秒）。")
		w.matrix("frames", blocks, heads, func(r *measure.Result) string {
			return mark(num(measure.Median(r.Runs))+paren(num(r.Extra["cpu"])+" us"), r)
		})
	}
}
