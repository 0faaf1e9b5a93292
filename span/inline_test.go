package span_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// Helpers that must be inlined: into generated code, which may cost no call per
// field, and into the walkers of plans. A method of the cursors that generated code
// moves may cost no more than its number says, since what it is inlined into has a
// budget as well.
var inlined = map[string]map[string]int{
	".": {
		"(*Reader).Fast": 20, "(*FastReader).Skip": 20, "(*FastReader).Failed": 20, "(*FastReader).EnterElems": 20, "(*FastReader).LeaveElems": 20,
		"(*FastReader).Claim": 20, "(*FastReader).Unread": 80, "(*FastReader).StringAt": 80, "(*FastReader).Decimal": 80,
		"(*Writer).Fast": 20, "(*FastWriter).Direct": 20, "(*FastWriter).Depth": 20, "(*FastWriter).Failed": 20,
		"(*Reader).Leave": 20, "(*Writer).Reset": 80, "(*Writer).Leave": 20, "(*Writer).Bytes": 20, "Decimal.PutBits": 80,

		"load8": 80, "load16": 80, "load32": 80, "load64": 80, "loadString": 80, "loadTime": 80,
		"store8": 80, "store16": 80, "store32": 80, "store64": 80, "storeString": 80, "storeTime": 80,
		"put8": 80, "put16": 80, "put32": 80, "put64": 80, "get8": 80, "get16": 80, "get32": 80, "get64": 80,
		"field": 80, "elem": 80, "listLen": 80, "listData": 80, "(*plan).first": 80, "(*Writer).room": 80, "(*Reader).tolerates": 80,
	},
	"./spanrt": {
		"Bool": 80, "PutUint16": 80, "PutUint32": 80, "PutUint64": 80, "PutUint16BE": 80, "PutUint32BE": 80, "PutUint64BE": 80,
		"GetUint16": 80, "GetUint32": 80, "GetUint64": 80, "GetUint16BE": 80, "GetUint32BE": 80, "GetUint64BE": 80,
		"PutFloat32": 80, "PutFloat64": 80, "GetFloat32": 80, "GetFloat64": 80, "PutTime": 80, "FitsDecimal": 80,
		"PutLength": 80, "PutUvarint": 80, "Tail": 80, "At": 80, "UnixNano": 80, "Index": 80, "SizeLength": 80, "SizeString": 80, "ZigZag": 80,
	},
	"./wire": {"AppendUvarint": 80, "SizeUvarint": 80, "AppendTime": 80},
}

func TestInlining(t *testing.T) {
	for dir, names := range inlined {
		out, err := exec.Command("go", "build", "-gcflags=-m=2", dir).CombinedOutput()
		if err != nil {
			t.Skipf("no compiler: %v\n%s", err, out)
		}
		costs := map[string]int{}
		for _, m := range regexp.MustCompile(`(?m): can inline (\S+) with cost (\d+)`).FindAllSubmatch(out, -1) {
			costs[string(m[1])], _ = strconv.Atoi(string(m[2]))
		}
		for name, most := range names {
			cost, ok := costs[name]
			switch {
			case !ok:
				reason := regexp.MustCompile(`(?m)cannot inline ` + regexp.QuoteMeta(name) + `: .*$`).Find(out)
				t.Errorf("%s: %s is not inlined: %s", dir, name, reason)
			case cost > most:
				t.Errorf("%s: %s costs %d, at most %d", dir, name, cost, most)
			}
		}
	}
}
