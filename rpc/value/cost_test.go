package value

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/internal/test"
)

// Time to read an object with many members grows with their number, not with its square.
func TestManyMembers(t *testing.T) {
	growth := test.Growth(members(t, 1000), members(t, 20_000))
	if growth > 200 { // its square would be 400; a loaded machine makes it more than 20
		t.Fatalf("20 times the members take %.0f times as long", growth)
	}
}

// members gives a function that reads an object of n members, one of them twice.
func members(t *testing.T, n int) func() {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `,"%06d":1`, i)
	}
	in := append([]byte{'{'}, append(b.Bytes()[1:], `,"000007":2}`...)...)
	return func() {
		var o Object
		if err := (Dialect{}).Read(in, &o); err != nil || len(o) != n || o[7].Value != int64(2) || o[n-1].Name != fmt.Sprintf("%06d", n-1) {
			t.Fatal(len(o), err)
		}
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
