// Command quickstart marshals a few annotated structs with generated code, by
// reflection, with encoding/json and encoding/gob, prints the bytes and compares
// size, time and allocations. It takes about ten seconds.
package main

import (
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/spanwire/spanwire/span"
)

func main() {
	if err := run(os.Stdout, progress()); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// progress returns where progress goes: standard error if that is a terminal.
func progress() io.Writer {
	if s, err := os.Stderr.Stat(); err == nil && s.Mode()&os.ModeCharDevice != 0 {
		return os.Stderr
	}
	return io.Discard
}

// run prints one section an example.
func run(w, log io.Writer) error {
	p := plainSimple(simple)
	if err := section(w, "Simple: five fields", &simple, &p); err != nil {
		return err
	}
	if err := compare(w, log, "Simple", []codec{
		spanCodec("generated", &simple), spanCodec("reflection", &p), jsonCodec(&simple), gobCodec(&p),
	}); err != nil {
		return err
	}

	n := nested.plain()
	if err := section(w, "Nested: a struct within a struct", &nested, &n); err != nil {
		return err
	}
	if err := compare(w, log, "Nested", []codec{
		spanCodec("generated", &nested), spanCodec("reflection", &n), jsonCodec(&nested), gobCodec(&n),
	}); err != nil {
		return err
	}

	if err := section(w, "Fast: hand-written WriteSpan and ReadSpan", &fast, nil); err != nil {
		return err
	}
	if err := compare(w, log, "Fast", []codec{
		spanCodec("hand-written", &fast), jsonCodec(&fast), gobCodec(&p),
	}); err != nil {
		return err
	}

	b := batch(1000)
	q := b.plain()
	if err := section(w, "Batch: a list of 1,000 Simple", &b, &q); err != nil {
		return err
	}
	return compare(w, log, "Batch", []codec{
		spanCodec("generated", &b), spanCodec("reflection", &q), jsonCodec(&b), gobCodec(&q),
	})
}

// section prints a value and its bytes, after checking that they read back as
// the value and that its twin without generated code gives the same.
func section[T any](w io.Writer, title string, v *T, twin any) error {
	b, err := span.Marshal(v)
	if err != nil {
		return err
	}
	out := new(T)
	if err := span.Unmarshal(b, out); err != nil {
		return err
	}
	if !reflect.DeepEqual(v, out) {
		return fmt.Errorf("%s does not read back as it was written", title)
	}
	if twin != nil {
		c, err := span.Marshal(twin)
		if err != nil {
			return err
		}
		if string(c) != string(b) {
			return fmt.Errorf("%s: generated code and reflection differ", title)
		}
	}
	fmt.Fprintf(w, "\n== %s (%d bytes)\n\n%s\n\n", title, len(b), shorten(fmt.Sprintf("%+v", *v), 150))
	if _, own := any(v).(*Fast); own || len(b) > 256 {
		fmt.Fprintln(w, hexLines(b, 64))
		return nil
	}
	end, err := dump(w, reflect.ValueOf(v).Elem(), 0, "")
	if err != nil {
		return err
	}
	if end != len(b) {
		return fmt.Errorf("%s: the fields take %d bytes, the message %d", title, end, len(b))
	}
	fmt.Fprintln(w)
	return nil
}
