// Command tour is what quickstart runs: it generates code before your eyes,
// marshals with it, and compares.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/spanwire/spanwire/span"
)

func main() {
	if err := run(context.Background(), os.Stdout, progress()); err != nil {
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

// run is the tour.
func run(ctx context.Context, w, log io.Writer) error {
	for _, step := range []func() error{
		func() error { return showStruct(w) },
		func() error { return showGenerated(ctx, w) },
		func() error { return showBytes(w) },
		func() error { return showCosts(w, log) },
		func() error { return showStrings(w, log) },
		func() error { return showHostile(w) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	fmt.Fprint(w, next)
	return nil
}

func title(w io.Writer, text string) {
	fmt.Fprintf(w, "\n== %s\n\n", text)
}

// next is what to do after the tour.
const next = `
== 7. Your turn

In a module of yours:

    go get github.com/spanwire/spanwire
    go get -tool github.com/spanwire/spanwire/cmd/spangen

Put "//go:generate go tool spangen" into a file, "//span:generate" above its
structs, and run "go generate ./...". Then:

    examples/evolution   how structs grow without breaking what is stored
    examples/zerocopy    when strings may alias their message
    examples/newlife     the same calls, byte for byte with .NET services
    examples/remoting    calls over the network
    bench/report         all peers, all rows, how they were measured
`

// showBytes prints the messages of a few values.
func showBytes(w io.Writer) error {
	title(w, "3. The bytes: field after field, no names, no tags")
	p := plainSimple(simple)
	if err := section(w, "Simple", &simple, &p); err != nil {
		return err
	}
	fmt.Fprintln(w)
	n := nested.plain()
	return section(w, "Nested: a struct within a struct", &nested, &n)
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
	fmt.Fprintf(w, "%s, %d bytes: %s\n\n", title, len(b), shorten(fmt.Sprintf("%+v", *v), 120))
	end, err := dump(w, reflect.ValueOf(v).Elem(), 0, "")
	if err != nil {
		return err
	}
	if end != len(b) {
		return fmt.Errorf("%s: the fields take %d bytes, the message %d", title, end, len(b))
	}
	return nil
}

// showCosts compares calls of span.Append and span.Unmarshal with what other
// packages' users call.
func showCosts(w, log io.Writer) error {
	title(w, "4. What it costs: span.Append and span.Unmarshal beside the standard library (x: times the first row)")
	p := plainSimple(simple)
	if err := compare(w, log, "Simple", []codec{
		spanCodec("generated", &simple), spanCodec("reflection", &p), spanCodec("hand-written", &fast),
		jsonCodec(&simple), gobStream(&p), gobCodec(&p),
	}); err != nil {
		return err
	}
	fmt.Fprintln(w, `
reflection    the same struct without generated code: the same bytes
hand-written  methods of the user's own (model.go: Fast), which write the time in four bytes:
              a type's own WriteSpan and ReadSpan always win over its fields
gob stream    one encoder and one decoder for many messages, which describe the type once
gob message   each message with its description, as it must be when it is stored alone`)
	b := batch(1000)
	q := b.plain()
	fmt.Fprintln(w, "\nA list of 1,000 Simple:")
	return compare(w, log, "Batch", []codec{
		spanCodec("generated", &b), spanCodec("reflection", &q), jsonCodec(&b), gobStream(&q),
	})
}

// showStrings compares the three ways to read strings.
func showStrings(w, log io.Writer) error {
	title(w, "5. Strings, chosen at each call of Unmarshal: the list of 1,000 again")
	b := batch(1000)
	if err := compareReads(w, log, &b); err != nil {
		return err
	}
	fmt.Fprintln(w, `
copied   every string has memory of its own: the default
shared   one copy of the message holds them all
aliased  they point into the message, which must stay as it is while they live`)
	return nil
}
