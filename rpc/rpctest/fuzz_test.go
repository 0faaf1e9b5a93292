package rpctest

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzTranscript reads text and writes it: what is written reads back as the same, and writes the same.
func FuzzTranscript(f *testing.F) {
	f.Add("# c\n> 01 02 ..\n+ 03\n    note\n<!\n")
	f.Add("< " + strings.Repeat("00", 200) + "\n\n>!")
	f.Fuzz(func(t *testing.T, s string) {
		tr, err := ReadTranscript(strings.NewReader(s))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "rpctest: ") {
				t.Fatal(err)
			}
			return
		}
		var b, c bytes.Buffer
		tr.WriteTo(&b)
		again, err := ReadTranscript(bytes.NewReader(b.Bytes()))
		if err != nil || len(again.Steps) != len(tr.Steps) {
			t.Fatalf("%q: written as %q: %v", s, b.String(), err)
		}
		for i := range tr.Steps {
			if k, l := &tr.Steps[i], &again.Steps[i]; k.From != l.From || k.End != l.End || !bytes.Equal(k.Bytes, l.Bytes) || !k.matches(l.Bytes) {
				t.Fatalf("%q: step %d is %+v, was %+v", s, i, l, k)
			}
		}
		if again.WriteTo(&c); c.String() != b.String() {
			t.Fatalf("%q\nthen\n%q", b.String(), c.String())
		}
	})
}
