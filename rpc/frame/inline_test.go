package frame

import (
	"os/exec"
	"regexp"
	"testing"
)

// The pull form costs no call for a byte that completes nothing.
func TestInlining(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m=2", ".").CombinedOutput()
	if err != nil {
		t.Skipf("no compiler: %v\n%s", err, out)
	}
	for _, name := range []string{"(*Reader).Space", "(*Reader).Wrote", "(*Reader).Next"} {
		if !regexp.MustCompile(`(?m): can inline ` + regexp.QuoteMeta(name) + ` with cost`).Match(out) {
			t.Errorf("%s is not inlined: %s", name, regexp.MustCompile(`(?m)cannot inline `+regexp.QuoteMeta(name)+`: .*$`).Find(out))
		}
	}
}
