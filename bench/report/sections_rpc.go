package report

import (
	"fmt"
	"strings"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/rpcpeers"
	"github.com/spanwire/spanwire/bench/suite"
)

// numbered are blocks that differ by a number.
func numbered(format string, ns []int, head func(int) string) (blocks, heads []string) {
	for _, n := range ns {
		blocks, heads = append(blocks, fmt.Sprintf(format, n)), append(heads, head(n))
	}
	return blocks, heads
}

func (w *writer) rpc() {
	if !w.d.has("rpc") {
		return
	}
	w.p("## Remote procedure calls", "## 远程调用")
	w.p("Echo over loopback, 32 bytes where nothing else is said. Each load has two tables: calls a second by the clock (share of the floor's), and microseconds of processor time a call, both ends together (share of the floor's). "+
		"On a machine that is small or shared, calls a second depend on who else runs; processor time hardly does, and ranks better. "+
		"The floor is *raw*, one read and one write a message on net.Conn; where calls are in flight together it is *raw batched*, which writes back at once whatever was read.",
		"本机回环上的回声，未注明时为 32 字节。每种负载有两张表：按时钟的每秒调用数（相对下限），以及每次调用两端合计的处理器微秒（相对下限）。机器较小或共享时，每秒调用数取决于其他程序，处理器时间则几乎不受影响，排名更可靠。"+
			"下限为 *raw*：net.Conn 上每条消息一次读一次写；并发调用时为 *raw batched*：一次写回所有读到的数据。")
	w.pictures("rpc")
	rate := func(r *measure.Result) string {
		return mark(num(measure.Median(r.Runs))+paren(share(r)), r)
	}
	conns := func(n int) string { return fmt.Sprintf("C=%d", n) }
	w.loads("One call after another on each connection, 32 bytes", "每连接逐个调用，32 字节", "serial/%d", suite.Conns, conns, rate)
	w.loads("255 calls in flight on each connection, 32 bytes", "每连接 255 个并发调用，32 字节", "window/%d", suite.Conns, conns, rate)
	w.loads("One client, several goroutines, 32 bytes", "单个客户端、多协程，32 字节", "callers/%d", []int{1, 16, 64, 256, 1024, 4096},
		func(n int) string { return fmt.Sprint(n) }, rate)
	w.loads("Larger messages, one call after another: MB a second each way", "较大消息逐个调用：单向 MB/s", "size/%d", []int{1 << 10, 64 << 10, 1 << 20},
		func(n int) string { return size(float64(n)) }, func(r *measure.Result) string { return mark(num(r.Extra["MB/s"])+paren(share(r)), r) })
	w.networks(rate)
	w.loads("Streams of the server: MB a second, and processor time an item", "服务端流：MB/s 与每项处理器时间", "stream/%d", suite.StreamSizes,
		func(n int) string { return w.t("items of ", "每项 ") + size(float64(n)) }, rate)
	w.latency()
	w.idle()
	w.prototypes()
	w.p("What differs:", "差异说明：")
	var notes [][]string
	for _, p := range rpcpeers.All() {
		notes = append(notes, []string{bold(p.Module == "spanwire", p.Name), p.Module, p.Note})
	}
	w.b.WriteString(strings.ReplaceAll(table([]string{w.t("row", "行"), w.t("module", "模块"), w.t("what differs", "差异")}, notes), "--:", "---") + "\n")
}

func (w *writer) loads(en, zh, format string, ns []int, head func(int) string, cell func(*measure.Result) string) {
	blocks, heads := numbered(format, ns, head)
	if blocks, heads = w.have("rpc", blocks, heads); len(blocks) == 0 {
		return
	}
	w.b.WriteString("### " + w.t(en, zh) + "\n\n")
	w.matrix("rpc", blocks, heads, cell)
	w.processor(blocks, heads)
}

// processor is the table of processor time beside one of calls a second.
func (w *writer) processor(blocks, heads []string) {
	w.p("Microseconds of processor time:", "处理器微秒：")
	w.matrix("rpc", blocks, heads, func(r *measure.Result) string {
		s := num(r.Extra["cpu"])
		if f := w.d.get(r.Suite, r.Block, r.Floor); f != nil && f.Extra["cpu"] > 0 {
			s += fmt.Sprintf(" (%.2f)", r.Extra["cpu"]/f.Extra["cpu"])
		}
		return s
	})
}

// networks are the loads on other networks and on handlers that wait.
func (w *writer) networks(rate func(*measure.Result) string) {
	blocks := []string{"unix/serial", "unix/window", "tls/serial", "tls/window", "wait/16x16"}
	heads := []string{"unix, " + w.t("serial", "逐个"), "unix, 255", "TLS, " + w.t("serial", "逐个"), "TLS, 255", w.t("handler waits 1 ms, C=16 x 16", "处理等待 1 ms，C=16 x 16")}
	if blocks, heads = w.have("rpc", blocks, heads); len(blocks) == 0 {
		return
	}
	w.b.WriteString("### " + w.t("Unix sockets, TLS, handlers that wait", "Unix 套接字、TLS、等待的处理") + "\n\n")
	w.matrix("rpc", blocks, heads, rate)
	w.processor(blocks, heads)
}

func (w *writer) latency() {
	blocks, heads := w.have("rpc", []string{"open/50%", "open/80%"}, []string{"50 %", "80 %"})
	if len(blocks) == 0 {
		return
	}
	w.b.WriteString("### " + w.t("Latency under planned load", "计划负载下的延迟") + "\n\n")
	w.p("16 connections, calls due at planned times at 50 and 80 % of what each peer did in a closed loop; latency counts from the planned time. p50 / p99 / p99.9 in microseconds, the load in brackets.",
		"16 个连接，按各自闭环峰值的 50 与 80 % 计划调用时间；延迟从计划时间算起。p50 / p99 / p99.9，微秒，括号内为负载。")
	w.matrix("rpc", blocks, heads, func(r *measure.Result) string {
		s := fmt.Sprintf("%s / %s / %s (%s/s", num(r.Extra["p50"]), num(measure.Median(r.Runs)), num(r.Extra["p99.9"]), num(r.Extra["planned"]))
		if b := r.Extra["behind"]; b > 0.02 {
			s += fmt.Sprintf(w.t(", %.0f %% not done", "，%.0f %% 未完成"), b*100)
		}
		return mark(s+")", r)
	})
}

func (w *writer) idle() {
	if len(w.d.rows("rpc", "idle")) == 0 && len(w.d.rows("rpc", "serial/1024")) == 0 {
		return
	}
	w.b.WriteString("### " + w.t("Memory of the server", "服务端内存") + "\n\n")
	w.p("Idle: 10,000 connections, one echo on each, then collected; KiB a connection over what the server had before. Under load: MiB with 1,024 connections, one call after another.",
		"空闲：10,000 个连接，各回声一次，随后回收；每连接 KiB。负载下：1,024 个连接逐个调用时的 MiB。")
	var rows [][]string
	for _, name := range w.d.rows("rpc", "idle", "serial/1024") {
		idle, load := "", ""
		if r := w.d.get("rpc", "idle", name); r != nil {
			idle = ranged(r, num)
		}
		if r := w.d.get("rpc", "serial/1024", name); r != nil {
			load = num(r.Extra["server MiB"])
		}
		rows = append(rows, []string{bold(strings.HasPrefix(name, "spanwire"), name), idle, load})
	}
	w.table([]string{w.t("row", "行"), w.t("idle, KiB a connection", "空闲，每连接 KiB"), w.t("under load, MiB", "负载下，MiB")}, rows)
}

// headLoads are the loads of the summary.
var headLoads = []struct{ block, en, zh string }{
	{"serial/1", "one connection, one call after another", "单连接，逐个调用"},
	{"serial/64", "64 connections, one call after another", "64 连接，逐个调用"},
	{"window/1", "one connection, 255 calls in flight", "单连接，255 个并发调用"},
	{"window/64", "64 connections, 255 calls in flight each", "64 连接，各 255 个并发调用"},
	{"callers/1024", "one client, 1,024 goroutines", "单客户端，1,024 个协程"},
	{"wait/16x16", "16 connections, 16 calls each, handler waits 1 ms", "16 连接各 16 个调用，处理等待 1 ms"},
}

// headKinds are the kinds of calls of the summary: ours beside peers that do the same.
var headKinds = []struct {
	row, en, zh string
	peers       func(*load.Peer) bool
}{
	{"spanwire typed", "typed", "类型化",
		func(p *load.Peer) bool { return p.Module != "spanwire" && !p.Floor && !p.Loop && p.Name != natsRow }},
	{"spanwire goroutine blocking", "raw bytes", "原始字节", func(p *load.Peer) bool { return p.Loop }},
}

// natsRow is a peer whose calls go through a broker.
const natsRow = "nats request"

// CallBest is one line of the summary of calls.
type CallBest struct {
	Load, Kind string
	Ours, Peer *measure.Result
}

// callBests compare our typed calls with the libraries' typed calls, and raw ones with raw ones.
func (w *writer) callBests() (list []CallBest) {
	for _, k := range headKinds {
		for _, l := range headLoads {
			ours := w.d.get("rpc", l.block, k.row)
			if ours == nil || len(ours.Runs) == 0 {
				continue
			}
			var best *measure.Result
			for _, p := range rpcpeers.All() {
				r := w.d.get("rpc", l.block, p.Name)
				if k.peers(p) && r != nil && len(r.Runs) > 0 && (best == nil || measure.Median(r.Runs) > measure.Median(best.Runs)) {
					best = r
				}
			}
			if best != nil {
				list = append(list, CallBest{w.t(l.en, l.zh), w.t(k.en, k.zh), ours, best})
			}
		}
	}
	return list
}

// callHeadlines are the summary of calls.
func (w *writer) callHeadlines() {
	var rows [][]string
	for _, b := range w.callBests() {
		mine, other := measure.Median(b.Ours.Runs), measure.Median(b.Peer.Runs)
		rows = append(rows, []string{
			b.Kind + w.t(", ", "，") + b.Load, mark(num(mine), b.Ours) + paren(num(b.Ours.Extra["cpu"])), b.Peer.Row, mark(num(other), b.Peer) + paren(num(b.Peer.Extra["cpu"])),
			fmt.Sprintf("%.2f", mine/other), fmt.Sprintf("%.2f", b.Peer.Extra["cpu"]/b.Ours.Extra["cpu"]),
		})
	}
	if len(rows) == 0 {
		return
	}
	w.p("Calls a second of 32 bytes (microseconds of processor time a call, both ends). Typed: `Handle` and `Invoke` with a generated struct beside the quickest library whose calls are typed. "+
		"Raw: bytes in, bytes out, handlers in goroutines none of which waits for another, beside the quickest event loop with the same frames, whose handlers must not block.%s",
		"32 字节每秒调用数（每次调用两端的处理器微秒）。类型化：用生成代码的结构体调用 `Handle` 与 `Invoke`，与类型化调用最快的库对比。"+
			"原始：收发字节，处理函数在互不等待的协程中运行，与使用相同帧的最快事件循环对比，其处理函数不得阻塞。%s", w.natsNote())
	w.table([]string{w.t("calls", "调用"), "spanwire", w.t("quickest peer", "最快的同类"), "", w.t("times the calls", "调用倍数"), w.t("processor time saved, times", "处理器时间倍数")}, rows)
}

// natsNote says how the calls through a broker do.
func (w *writer) natsNote() string {
	r := w.d.get("rpc", "window/1", natsRow)
	if r == nil || len(r.Runs) == 0 {
		return ""
	}
	return fmt.Sprintf(w.t(" NATS is not among them, as its requests go through a broker, which takes processor time of its own: %s calls a second with 255 in flight.",
		" NATS 的请求要经过中间服务器，它另外占用处理器时间，因此未列入：255 个并发时每秒 %s 次。"), num(measure.Median(r.Runs)))
}

// prototypes compares ours with the prototype of the same way: medians of both.
func (w *writer) prototypes() {
	var blocks, heads []string
	for _, c := range suite.Conns {
		blocks, heads = append(blocks, fmt.Sprintf("serial/%d", c)), append(heads, fmt.Sprintf("C=%d", c))
	}
	for _, c := range suite.Conns {
		blocks, heads = append(blocks, fmt.Sprintf("window/%d", c)), append(heads, fmt.Sprintf("C=%d x 255", c))
	}
	blocks, heads = w.have("rpc", blocks, heads)
	var rows [][]string
	for _, way := range []string{"inline blocking", "inline callbacks", "goroutine blocking", "goroutine callbacks", "length-field blocking", "length-field callbacks"} {
		row := []string{way}
		found := false
		for _, b := range blocks {
			a, p := w.d.get("rpc", b, "spanwire "+way), w.d.get("rpc", b, "prototype "+way)
			s := ""
			if a != nil && p != nil && len(a.Runs) > 0 && len(p.Runs) > 0 && p.Extra["cpu"] > 0 {
				s = fmt.Sprintf("%.2f (%.2f)", measure.Median(a.Runs)/measure.Median(p.Runs), a.Extra["cpu"]/p.Extra["cpu"])
				found = true
			}
			row = append(row, s)
		}
		if found {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return
	}
	w.b.WriteString("### " + w.t("Beside the prototype", "与原型对比") + "\n\n")
	w.p("spanwire's calls a second as a share of the prototype's, and its processor time a call as a share of the prototype's in brackets. The prototype has no contexts, limits or failure handling.",
		"spanwire 每秒调用数与原型之比，括号内为每次调用处理器时间之比。原型没有 context、限制和失败处理。")
	w.table(append([]string{w.t("way", "方式")}, heads...), rows)
}
