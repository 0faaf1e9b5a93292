package report

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/ser"
	"github.com/spanwire/spanwire/bench/suite"
)

// report writes the whole.
func (w *writer) report() string {
	w.p("# Benchmarks", "# 性能对比")
	w.b.WriteString(w.other + " · [HTML](index.html) · [data.json](data.json)\n\n")
	w.p("Everything here was written by one command: spanwire, hand-written floors, and every peer that could be had. "+
		"Claims hold for what was measured here, on this machine; compare ratios rather than times.",
		"本页由一条命令生成：spanwire、手写的性能下限，以及所有能够取得的同类库。结论只适用于这里测过的对象和这台机器；请比较比值，而不是绝对时间。")
	if w.d.Quick {
		w.p("**A quick look: short runs, few loads. Not for quoting.**", "**这是快速运行：时间短、负载少，不宜引用。**")
	}
	w.headlines()
	w.environment()
	w.method()
	w.serializers()
	w.goser()
	w.growth()
	w.goroutines()
	w.hostile()
	w.frames()
	w.rpc()
	w.dotnet()
	w.bottleneck()
	w.absent()
	w.versions()
	w.reproduce()
	return strings.TrimRight(w.b.String(), "\n") + "\n"
}

// Best describes how our fastest row stands among the peers on one model.
type Best struct {
	Model, Strings   string
	Ours, Peer       string
	OursNS, PeerNS   float64 // both directions
	Peers            int     // that were measured
	OursMed, PeerMed [2]float64
}

// total is the time in both directions, 0 when one is missing.
func total(d *Data, model string, r *ser.Row) (t [2]float64, ok bool) {
	m, u := marshalOf(d, "models", model+"/marshal", r), d.get("models", model+"/unmarshal", r.Name)
	if m == nil || u == nil || m.Err != "" || u.Err != "" {
		return t, false
	}
	return [2]float64{measure.Median(m.Runs), measure.Median(u.Runs)}, true
}

// bests compares with the quickest peer of the same string mode.
func bests(d *Data) []Best {
	var out []Best
	for _, model := range ser.Models {
		for _, mode := range []string{"alias", "copy"} {
			b := Best{Model: model, Strings: mode}
			seen := map[string]bool{}
			for _, r := range ser.Rows() {
				if r.Group == ser.Floor || r.Name == "encoding/binary" {
					continue // fixed arrays instead of strings: not the same work
				}
				t, ok := total(d, model, r)
				if !ok {
					continue
				}
				if r.Ours {
					if !strings.HasPrefix(r.Name, "spanwire any") {
						continue // the calls that users make: those of the methods themselves are rows of their own
					}
					// The safe bar is the best of our safe modes; shared strings are copies too.
					if (r.Strings == mode || mode == "copy" && r.Strings == "shared") && (b.Ours == "" || t[0]+t[1] < b.OursNS) {
						b.Ours, b.OursNS, b.OursMed = r.Name, t[0]+t[1], t
					}
					continue
				}
				if !seen[r.Peer] {
					seen[r.Peer] = true
					b.Peers++
				}
				if (r.Strings == mode || mode == "alias") && (b.Peer == "" || t[0]+t[1] < b.PeerNS) {
					b.Peer, b.PeerNS, b.PeerMed = r.Name, t[0]+t[1], t
				}
			}
			if b.Ours != "" && b.Peer != "" {
				out = append(out, b)
			}
		}
	}
	return out
}

func (w *writer) headlines() {
	bs := bests(w.d)
	if len(bs) == 0 {
		return
	}
	w.p("## In short", "## 概要")
	var rows [][]string
	first := 0
	for _, b := range bs {
		if b.OursNS < b.PeerNS {
			first++
		}
		mode := w.t("strings alias the input", "字符串引用输入")
		if b.Strings == "copy" {
			mode = w.t("safe strings", "安全字符串")
		}
		rows = append(rows, []string{b.Model + ", " + mode, strings.TrimPrefix(b.Ours, "spanwire any "), pair(b.OursMed), b.Peer, pair(b.PeerMed), fmt.Sprintf("%.2f", b.PeerNS/b.OursNS)})
	}
	w.p("`span.Append` / `span.Unmarshal` on generated types beside the fastest of the %d serializers measured that does the same, by whatever its own quickest calls are; where strings may alias the input, any peer counts. "+
		"spanwire is first in %d of %d. Peers whose note says int64 instead of time are given the number and leave making a time of it to the caller.",
		"生成代码的类型上 `span.Append` / `span.Unmarshal` 与 %d 个被测序列化库中同类最快者（各用其最快的调用）的对比；允许字符串引用输入时，所有库都参与比较。在 %[3]d 项中，spanwire 有 %[2]d 项最快。备注为“int64 instead of time”的同类只处理整数，换算成时间由调用者完成。",
		bs[0].Peers, first, len(bs))
	w.table([]string{w.t("model", "模型"), w.t("spanwire, strings", "spanwire，字符串"), "ns", w.t("fastest peer", "最快的同类"), "ns", w.t("times", "倍数")}, rows)
	w.callHeadlines()
}

// rounds tells how each suite was run.
func (w *writer) rounds() string {
	var parts []string
	for _, name := range suite.Names {
		if o, ok := w.d.Options[name]; ok && name != "hostile" {
			parts = append(parts, fmt.Sprintf("%s %d+%d x %.2g", name, o.Rounds, o.Reruns, o.Scale))
		}
	}
	return strings.Join(parts, ", ")
}

func pair(t [2]float64) string { return num(t[0]) + " / " + num(t[1]) }

func (w *writer) environment() {
	e := w.d.Env
	w.p("## Environment", "## 环境")
	w.table([]string{w.t("what", "项目"), w.t("value", "值")}, [][]string{
		{"CPU", fmt.Sprintf("%s, %d %s", e.CPU, e.Cores, w.t("cores", "核"))},
		{w.t("memory", "内存"), fmt.Sprintf("%d GiB", e.MemoryGiB)},
		{w.t("system", "系统"), e.OS + ", kernel " + e.Kernel},
		{"Go", e.Go},
		{w.t("month", "月份"), e.Month},
		{w.t("rounds at least + most reruns x time of a run", "最少轮数+最多重跑 x 单次时间"), w.rounds()},
	})
	w.missing()
	if u := unstable(w.d, "rpc"); u > 0.3 {
		w.p("**Other programs ran while calls were measured:** %.0f %% of those cells stayed unstable. Their processor time is to be trusted, their calls a second only roughly.",
			"**测量远程调用时机器上还有其他程序：** %.0f %% 的单元不稳定。其处理器时间可信，每秒调用数仅供粗略参考。", u*100)
	}
	if b := busy(w.d); b > 1.05 {
		w.p("**The machine was busy with other work:** the processor gave these measurements %.0f %% of the time on the clock. "+
			"Serializer times are processor times, so they do not count the waiting, but caches and clock speed were shared; "+
			"throughput of RPC and of goroutines is by the clock and suffers fully. Shares of the floor, measured in the same rounds, are what to look at.",
			"**测量时机器还在忙别的工作：** 处理器只把约 %.0f %% 的时间给了这些测量。序列化时间是处理器时间，不含等待，但缓存和频率是共享的；"+
				"RPC 与多协程吞吐按时钟计算，受到全部影响。请看同一轮中相对下限的比值。", 100/b)
	}
}

// unstable is the share of a suite's cells that stayed noisy.
func unstable(d *Data, suite string) float64 {
	n, all := 0.0, 0.0
	for i := range d.Results {
		if d.Results[i].Suite == suite && len(d.Results[i].Runs) > 0 {
			all++
			if d.Results[i].Unstable {
				n++
			}
		}
	}
	if all == 0 {
		return 0
	}
	return n / all
}

// busy is the median of time on the clock over processor time.
func busy(d *Data) float64 {
	var v []float64
	for i := range d.Results {
		r := &d.Results[i]
		if r.Suite == "models" && r.Extra["wall"] > 0 && len(r.Runs) > 0 {
			v = append(v, r.Extra["wall"]/measure.Median(r.Runs))
		}
	}
	return measure.Median(v)
}

// missing says what of a full run is not there.
func (w *writer) missing() {
	if len(w.d.Missing) > 0 {
		w.p("Blocks of a full run that are not in this report: %s.", "完整运行中未包含在本报告的部分：%s。", strings.Join(w.d.Missing, ", "))
	}
}

func (w *writer) method() {
	noise := 0.0
	for _, o := range w.d.Options {
		noise = max(noise, o.Noise)
	}
	w.p("## Method", "## 方法")
	w.p("- Rounds: the rows of a table are run one after another, as many times over as the environment block says, each round beginning at another row. Values are medians; "+
		"brackets hold the narrowest interval of order statistics with 95 %% confidence for the median (with six rounds: all of them).\n"+
		"- *floor* columns are shares of the floor's value in the same round, so that machines compare.\n"+
		"- The floor is hand-written unsafe code in the wire order of package span with all its checks (`bench/floor`). The row *harness* encodes and decodes nothing: the cost of the loop.\n"+
		"- Encoders write into the buffer of the call before, decoders read into the value of the call before; what a library's authors recommend to clear or get anew is part of the time.\n"+
		"- Times are processor time of the whole process on one processor, the collector included: on an idle machine the same as time on the clock.\n"+
		"- A cell whose middle half spreads over more than %.0f %% is run again, as often as the environment block says and at most three times; if that does not help it is marked †. All runs are in data.json.\n"+
		"- ✗: did not run; the reason is in data.json. An empty cell: the peer does not have that.\n"+
		"- RPC: client and server in one process on one connection, in two processes pinned to a processor each on more. Sizes are those of a message with its header of 4 bytes.",
		"- 轮次：同一张表的各行依次运行，遍数见环境一节，每遍从不同的行开始。数值为中位数；括号内为中位数 95 %% 置信的次序统计区间（六轮时即全部范围）。\n"+
			"- *下限* 列是同一轮中相对下限的比值，便于不同机器间比较。\n"+
			"- 下限是按 span 包的字节顺序、带全部检查的手写 unsafe 代码（`bench/floor`）。*harness* 行什么也不编解码，即循环本身的开销。\n"+
			"- 编码写入上一次的缓冲区，解码读入上一次的值；各库作者建议的清空或新建都计入时间。\n"+
			"- 时间为单处理器上整个进程的处理器时间，含垃圾回收；机器空闲时与时钟时间相同。\n"+
			"- 中间一半的离散超过 %.0f %% 的单元按环境一节所列重跑（最多三次），仍不稳定则标 †。全部数据见 data.json。\n"+
			"- ✗：未能运行，原因见 data.json。空格：该库没有此项。\n"+
			"- RPC：单连接时客户端与服务端在同一进程，多连接时在两个各占一个处理器的进程。大小含 4 字节头。",
		noise*100)
}

// sortedRows are the rows of a model, quickest in both directions together first.
func sortedRows(d *Data, model string) []*ser.Row {
	type timed struct {
		r *ser.Row
		t float64
	}
	var rows []timed
	for _, r := range ser.Rows() {
		if t, ok := total(d, model, r); ok {
			rows = append(rows, timed{r, t[0] + t[1]})
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].t < rows[j].t })
	out := make([]*ser.Row, len(rows))
	for i, r := range rows {
		out[i] = r.r
	}
	return out
}

func (w *writer) pictures(section string) {
	for _, c := range w.charts {
		if c.Section == section {
			w.b.WriteString("![" + c.Title + "](" + c.File + ")\n\n")
		}
	}
}

func (w *writer) serializers() {
	if !w.d.has("models") {
		return
	}
	w.p("## Serializers", "## 序列化")
	w.p("Times in ns a message, quickest in both directions together first. *strings*: whether decoded strings alias the input, share one copy of the message, or are copied one by one.",
		"时间单位为每条消息 ns，按编解码之和排序。*字符串*：解码出的字符串是引用输入（alias）、整条消息共享一份拷贝（shared），还是逐个拷贝（copy）。")
	for _, m := range ser.Models {
		rows := sortedRows(w.d, m)
		if len(rows) == 0 {
			continue
		}
		w.b.WriteString("### " + m + "\n\n")
		for _, c := range w.charts {
			if c.File == "charts/"+strings.ToLower(m)+".svg" {
				w.b.WriteString("![" + c.Title + "](" + c.File + ")\n\n")
			}
		}
		var cells [][]string
		for _, r := range rows {
			mr, ur := marshalOf(w.d, "models", m+"/marshal", r), w.d.get("models", m+"/unmarshal", r.Name)
			cells = append(cells, []string{
				bold(r.Ours, r.Name), string(r.Group), r.Strings, ranged(mr, num), share(mr), ranged(ur, num), share(ur),
				num(mr.Extra["bytes"]), perOp(mr) + " / " + perOp(ur), allocs(mr) + " / " + allocs(ur),
			})
		}
		w.table([]string{w.t("row", "行"), w.t("kind", "类别"), w.t("strings", "字符串"), w.t("marshal", "编码"), w.t("floor", "下限"),
			w.t("unmarshal", "解码"), w.t("floor", "下限"), w.t("bytes", "字节"), "B/op", "allocs/op"}, cells)
	}
	w.p("What differs:", "差异说明：")
	var notes [][]string
	for _, r := range ser.Rows() {
		notes = append(notes, []string{bold(r.Ours, r.Name), r.Peer, r.Note})
	}
	w.b.WriteString(strings.ReplaceAll(table([]string{w.t("row", "行"), w.t("module", "模块"), w.t("what differs", "差异")}, notes), "--:", "---") + "\n")
}

// perOp writes whole bytes.
func perOp(r *measure.Result) string { return num(math.Round(r.Extra["B/op"])) }

// allocs writes whole allocations: fractions come from the collector's pools.
func allocs(r *measure.Result) string {
	a := r.Extra["allocs"]
	if a < 0.05 {
		return "0"
	}
	if a > 0.95 && a-float64(int(a)) < 0.05 {
		return fmt.Sprint(int(a))
	}
	return num(a)
}
