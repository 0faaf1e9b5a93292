package span_test

import (
	"os/exec"
	"regexp"
	"testing"
)

// Helpers that must be inlined: into generated code, which may cost no call per
// field, and into the walkers of plans.
var inlined = []string{
	"Bool", "PutUint16", "PutUint32", "PutUint64", "PutUint16BE", "PutUint32BE", "PutUint64BE",
	"GetUint16", "GetUint32", "GetUint64", "GetUint16BE", "GetUint32BE", "GetUint64BE",
	"PutFloat32", "PutFloat64", "GetFloat32", "GetFloat64", "PutLength", "Tail", "UnixNano", "Index",
	"(*Reader).Unread", "(*Reader).Skip", "(*Reader).StringAt", "(*Reader).Failed", "(*Reader).Leave", "(*Reader).Claim",
	"(*Writer).Direct", "(*Writer).Depth", "(*Writer).Reset", "(*Writer).Leave", "(*Writer).Bytes",

	"load8", "load16", "load32", "load64", "loadString", "loadTime", "store8", "store16", "store32", "store64",
	"storeString", "storeTime", "put8", "put16", "put32", "put64", "get8", "get16", "get32", "get64", "field", "elem",
	"listLen", "listData", "(*plan).first", "(*Writer).room", "(*Reader).tolerates",
}

func TestInlining(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m=2", ".").CombinedOutput()
	if err != nil {
		t.Skipf("no compiler: %v\n%s", err, out)
	}
	can := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m): can inline (\S+) with cost`).FindAllSubmatch(out, -1) {
		can[string(m[1])] = true
	}
	for _, name := range inlined {
		if !can[name] {
			reason := regexp.MustCompile(`(?m)cannot inline ` + regexp.QuoteMeta(name) + `: .*$`).Find(out)
			t.Errorf("%s is not inlined: %s", name, reason)
		}
	}
}
