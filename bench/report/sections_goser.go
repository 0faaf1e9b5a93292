package report

import (
	"sort"

	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/ser"
)

// goser writes the table in the manner of the public suite.
func (w *writer) goser() {
	if !w.d.has("goser") {
		return
	}
	w.p("## The public suite's manner", "## 公开测试集的方式")
	w.p("As alecthomas/go_serialization_benchmarks does it: its record, its interface (`Marshal(any) ([]byte, error)`, `Unmarshal([]byte, any) error`), "+
		"one of 1,000 records at random, the destination cleared before each read. The suite itself could not be had as a module, so its procedure is followed here "+
		"with entries written for its interface. Entries whose types have int64 instead of time make a time of it here, which their rows in the tables above leave to the caller. ns a record; total is both directions.",
		"按照 alecthomas/go_serialization_benchmarks 的方式：同样的记录、同样的接口、从 1,000 条记录中随机取一条、每次解码前清空目标。该测试集无法作为模块取得，因此这里按其步骤、用其接口编写条目。以 int64 代替时间的条目在此要换算成时间，而上面各表中的对应行把换算留给调用者。单位 ns；总计为两个方向之和。")
	type entry struct {
		e     ser.GoserEntry
		total float64
	}
	var es []entry
	for _, e := range ser.GoserEntries() {
		m, u := w.d.get("goser", "marshal", e.Name), w.d.get("goser", "unmarshal", e.Name)
		if m != nil && u != nil {
			es = append(es, entry{e, measure.Median(m.Runs) + measure.Median(u.Runs)})
		}
	}
	sort.SliceStable(es, func(i, j int) bool { return es[i].total < es[j].total })
	first := func(unsafe bool) (ours, peer *entry) { // es is sorted
		for i := range es {
			e := &es[i]
			switch {
			case e.e.Name == "floor" || e.e.Unsafe && !unsafe:
			case e.e.Ours && ours == nil:
				ours = e
			case !e.e.Ours && peer == nil:
				peer = e
			}
		}
		return ours, peer
	}
	for _, unsafe := range []bool{true, false} {
		ours, peer := first(unsafe)
		if ours == nil || peer == nil {
			continue
		}
		kind := w.t("Any strings", "任意字符串")
		if !unsafe {
			kind = w.t("Safe strings", "安全字符串")
		}
		w.p("%s: %s takes %s ns in both directions, the quickest peer of those measured, %s, takes %s.", "%s：%s 两个方向共 %s ns，被测同类中最快的 %s 为 %s。",
			kind, ours.e.Name, num(ours.total), peer.e.Name, num(peer.total))
	}
	var rows [][]string
	for _, e := range es {
		m, u := w.d.get("goser", "marshal", e.e.Name), w.d.get("goser", "unmarshal", e.e.Name)
		unsafe := ""
		if e.e.Unsafe {
			unsafe = w.t("alias", "引用")
		}
		rows = append(rows, []string{bold(e.e.Ours, e.e.Name), unsafe, ranged(m, num), ranged(u, num), num(e.total), num(m.Extra["bytes"]), allocs(m) + " / " + allocs(u), e.e.Note})
	}
	w.table([]string{w.t("entry", "条目"), w.t("strings", "字符串"), w.t("marshal", "编码"), w.t("unmarshal", "解码"), w.t("total", "总计"), w.t("bytes", "字节"), "allocs/op", ""}, rows)
}
