package value

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Time to read an object with many members grows with their number, not with its square.
func TestManyMembers(t *testing.T) {
	const n = 100_000
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `,"%06d":1`, i)
	}
	in := append([]byte{'{'}, append(b.Bytes()[1:], `,"000007":2}`...)...)
	start := time.Now()
	var o Object
	if err := (Dialect{}).Read(in, &o); err != nil || len(o) != n || o[7].Value != int64(2) || o[n-1].Name != "099999" {
		t.Fatal(len(o), err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Fatal(d)
	}
}

// What is no number costs no more memory than a few times its text.
func TestCommas(t *testing.T) {
	in := []byte(strings.Repeat(",", 1<<20))
	var before, after runtime.MemStats
	n := 0
	runtime.ReadMemStats(&before)
	err := Dialect{}.Read(in, &n)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrConvert) || used > 6<<20 {
		t.Fatal(used, err)
	}
}
