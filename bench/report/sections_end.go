package report

import (
	"fmt"
	"strings"
)

// absent names what could not be had, with what an earlier measurement on the
// same kind of machine gave, as shares of the floor in the same minutes, and
// what a peer cannot express.
func (w *writer) absent() {
	w.p("## Not measured here", "## 未在此测量")
	w.p("The Go module proxy serves no version of gencode and of the public suite go_serialization_benchmarks, so they cannot be built from this module. "+
		"An earlier measurement on the same kind of machine, not of this run, gave gencode these shares of the safe floor of the same minutes (marshal / unmarshal; that floor copies all strings of a message in one allocation):",
		"Go 模块代理不提供 gencode 与公开测试集 go_serialization_benchmarks 的任何版本，因此无法由本模块构建。"+
			"此前在同类机器上的一次测量（不属于本次运行）得到 gencode 相对同一时段安全下限的比值如下（编码 / 解码；该下限用一次分配拷贝一条消息的全部字符串）：")
	floor := [][2]float64{{6.8, 22.7}, {10.8, 39.6}, {9.6, 41.3}, {5.1, 23.0}}
	cells := []string{"gencode unsafe, " + w.t("strings copied", "拷贝字符串")}
	for i, v := range [][2]float64{{7.7, 21.9}, {12.7, 53.3}, {13.9, 49.2}, {8.7, 24.1}} {
		cells = append(cells, fmt.Sprintf("%.2f / %.2f", v[0]/floor[i][0], v[1]/floor[i][1]))
	}
	w.table([]string{w.t("peer", "同类"), "Simple", "Small", "Nested", "Batch1000"}, [][]string{cells})
	w.p("colfer has no maps and no lists of integers, so it has no Rich.", "colfer 没有映射和整数列表，因此没有 Rich。")
	w.p("encoding/json/v2 is measured as go-json-experiment/json, the same code without an experiment of the toolchain.",
		"encoding/json/v2 以 go-json-experiment/json 测量：代码相同，不需要工具链的实验开关。")
}

// dotnet compares with the figures of the reference.
func (w *writer) dotnet() {
	w.p("## Beside .NET", "## 与 .NET 对照")
	w.p("Figures of the reference implementation on the same kind of machine (.NET 10), with the floor of the same minutes (6.4 / 12.3 ns for Simple with aliased strings, 4.4 / 5.4 us for 1,000): compare the shares with the tables above.",
		"参考实现在同类机器上的数据（.NET 10），以及同一时段的下限（Simple 引用字符串 6.4 / 12.3 ns，1,000 个 4.4 / 5.4 us）：请将比值与上面的表比较。")
	share := func(a, fa, b, fb float64) string { return fmt.Sprintf("%.1f / %.1f", a/fa, b/fb) }
	w.table([]string{"", "Simple ns", w.t("of the floor", "相对下限"), "B", w.t("1,000 in us", "1,000 个 us"), w.t("of the floor", "相对下限")}, [][]string{
		{"SpanSerializer", "52 / 81", share(52, 6.4, 81, 12.3), "96 / 184", "55 / 77", share(55, 4.4, 77, 5.4)},
		{"ISpanSerializable", "20 / 48", share(20, 6.4, 48, 12.3), "0 / 88", "", ""},
		{"Binary", "798 / 1231", share(798, 6.4, 1231, 12.3), "2016 / 2392", "633 / 1688", share(633, 4.4, 1688, 5.4)},
		{"MemoryPack", "42 / 50", share(42, 6.4, 50, 12.3), "0 / 40", "27 / 43", share(27, 4.4, 43, 5.4)},
	})
	w.p("Echo of 32 bytes, calls a second:", "32 字节回声，每秒调用数：")
	w.table([]string{"", "C=1", "C=16", "C=64", "C=256", "C=1 x 255", "C=16 x 255", "C=64 x 255", "C=256 x 255"}, [][]string{
		{w.t("NewLife.Core, same kind of machine", "NewLife.Core，同类机器"), "11.7k", "44k", "45k", "44k", "121k", "145k", "144k", "202k"},
		{w.t("raw floor there", "当时的 raw 下限"), "51k", "65k", "85k", "70k", "", "", "", ""},
		{w.t("NewLife.Core, i9-10900K with 10 cores", "NewLife.Core，i9-10900K 10 核"), "29.7k", "189k", "250k", "260k", "125k", "387k", "399k", "405k"},
		{w.t("NewLife.Remoting, JSON call, same kind of machine", "NewLife.Remoting JSON 调用，同类机器"), "12.0k", "15.9k", "18k", "", "", "", "", ""},
	})
}

func (w *writer) bottleneck() {
	if len(w.d.Profiles) == 0 {
		return
	}
	w.p("## Where the time goes", "## 瓶颈")
	w.p("Processor profiles of the stages of spanwire that are furthest from the floor: functions with the most samples of their own.",
		"spanwire 中离下限最远的阶段的处理器剖析：自身样本最多的函数。")
	for _, p := range w.d.Profiles {
		var rows [][]string
		for _, h := range p.Top {
			rows = append(rows, []string{"`" + h.Func + "`", fmt.Sprintf("%.0f %%", h.Share*100)})
		}
		w.b.WriteString("### " + p.Stage + "\n\n")
		w.table([]string{w.t("function", "函数"), w.t("share", "占比")}, rows)
	}
}

func (w *writer) versions() {
	w.p("## Versions", "## 版本")
	w.b.WriteString(strings.Join(w.d.Env.moduleList(), " · ") + "\n\n")
}

func (w *writer) reproduce() {
	w.p("## How to reproduce", "## 如何复现")
	w.b.WriteString("```sh\ncd bench\ngo run -v . -quick # " + w.t("a look, under two minutes once it is built; -v shows the packages being compiled", "快速查看，构建后两分钟内；-v 显示正在编译的包") +
		"\ngo run .           # " + w.t("everything; stop it and start it again as you like", "全部；可随时停止后继续") +
		"\ngo run . -report   # " + w.t("the report again", "重新生成报告") + "\n```\n\n")
	w.p("Close other programs, keep the processor's clock steady, and look at the environment block: it says when the machine was busy.",
		"请关闭其他程序，固定处理器频率，并查看环境一节：机器繁忙时会注明。")
}
