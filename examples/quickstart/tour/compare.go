package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/spanwire/spanwire/span"
)

// codec is one way to write and read one value, into used memory where the
// package allows it.
type codec struct {
	name      string
	marshal   func() (size int, err error)
	unmarshal func() error
}

// row is what a codec measured.
type row struct {
	codec
	size           int
	write, read    float64 // nanoseconds a message
	writeN, readN  float64 // allocations a message
	writeB, readBy float64 // bytes allocated a message
}

// spanCodec measures package span on v: generated code if *T has it.
func spanCodec[T any](name string, v *T) codec {
	in, _ := span.Marshal(v)
	var buf []byte
	out := new(T)
	return codec{name,
		func() (int, error) {
			var err error
			buf, err = span.Append(buf[:0], v)
			return len(buf), err
		},
		func() error { return span.Unmarshal(in, out) },
	}
}

// jsonCodec measures encoding/json on v.
func jsonCodec[T any](v *T) codec {
	in, _ := json.Marshal(v)
	out := new(T)
	return codec{"json",
		func() (int, error) {
			b, err := json.Marshal(v)
			return len(b), err
		},
		func() error { return json.Unmarshal(in, out) },
	}
}

// gobCodec measures encoding/gob on v, each message on its own with its type
// description, as a message that is stored or sent alone needs it.
func gobCodec[T any](v *T) codec {
	var in bytes.Buffer
	_ = gob.NewEncoder(&in).Encode(v)
	var buf bytes.Buffer
	return codec{"gob message",
		func() (int, error) {
			buf.Reset()
			err := gob.NewEncoder(&buf).Encode(v)
			return buf.Len(), err
		},
		func() error { return gob.NewDecoder(bytes.NewReader(in.Bytes())).Decode(new(T)) },
	}
}

// gobStream measures encoding/gob on a stream of messages, which describes the
// type once: its best case.
func gobStream[T any](v *T) codec {
	var stream bytes.Buffer
	enc := gob.NewEncoder(&stream)
	_ = enc.Encode(v)
	in := &repeating{next: bytes.Clone(stream.Bytes())} // with the description
	stream.Reset()
	_ = enc.Encode(v)
	in.again = bytes.Clone(stream.Bytes())
	dec := gob.NewDecoder(in)
	out := new(T)
	return codec{"gob stream",
		func() (int, error) {
			stream.Reset()
			err := enc.Encode(v)
			return stream.Len(), err
		},
		func() error { return dec.Decode(out) },
	}
}

// repeating reads as some bytes, and then others again and again.
type repeating struct{ next, again []byte }

func (r *repeating) Read(p []byte) (int, error) {
	if len(r.next) == 0 {
		r.next = r.again
	}
	n := copy(p, r.next)
	r.next = r.next[n:]
	return n, nil
}

// compareReads measures what reading costs in each string mode.
func compareReads[T any](w, log io.Writer, v *T) error {
	in, err := span.Marshal(v)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tread ns\tallocs\tB\t")
	for _, mode := range []struct {
		name string
		mode span.StringMode
	}{{"copied", span.CopyStrings}, {"shared", span.SharedStrings}, {"aliased", span.AliasStrings}} {
		fmt.Fprintf(log, "\r\x1b[Kmeasuring strings: %s", mode.name)
		o := span.Options{Strings: mode.mode}
		out := new(T)
		ns, allocs, size, err := measure(func() error { return o.Unmarshal(in, out) })
		if err != nil {
			return fmt.Errorf("%s: %w", mode.name, err)
		}
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.0f\t\n", mode.name, ns, allocs, size)
	}
	fmt.Fprint(log, "\r\x1b[K")
	return t.Flush()
}

// compare measures the codecs and prints a table, with progress on log.
func compare(w, log io.Writer, title string, codecs []codec) error {
	rows := make([]row, len(codecs))
	for i, c := range codecs {
		fmt.Fprintf(log, "\r\x1b[Kmeasuring %s: %s (%d of %d)", title, c.name, i+1, len(codecs))
		r := row{codec: c}
		var err error
		if r.size, err = c.marshal(); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if r.write, r.writeN, r.writeB, err = measure(func() error { _, err := c.marshal(); return err }); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if r.read, r.readN, r.readBy, err = measure(c.unmarshal); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		rows[i] = r
	}
	fmt.Fprint(log, "\r\x1b[K")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tbytes\twrite ns\tx\tallocs\tB\tread ns\tx\tallocs\tB\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d\t%.0f\t%.1f\t%.0f\t%.0f\t%.0f\t%.1f\t%.0f\t%.0f\t\n", r.name, r.size,
			r.write, r.write/rows[0].write, r.writeN, r.writeB, r.read, r.read/rows[0].read, r.readN, r.readBy)
	}
	return t.Flush()
}

// round is how long one round of measuring takes.
var round = 40 * time.Millisecond

// measure runs f for about a quarter of a second and returns what one call takes:
// the fastest of several rounds, since other work on the machine only adds.
func measure(f func() error) (ns, allocs, size float64, err error) {
	const rounds = 5
	n := 1
	for {
		start := time.Now()
		for range n {
			if err := f(); err != nil {
				return 0, 0, 0, err
			}
		}
		if d := time.Since(start); d > round/4 {
			n = max(1, int(float64(n)*float64(round)/float64(d)))
			break
		}
		n *= 2
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		start := time.Now()
		for range n {
			if err := f(); err != nil {
				return 0, 0, 0, err
			}
		}
		if d := float64(time.Since(start).Nanoseconds()) / float64(n); ns == 0 || d < ns {
			ns = d
		}
	}
	runtime.ReadMemStats(&after)
	total := float64(rounds * n)
	return ns, float64(after.Mallocs-before.Mallocs) / total, float64(after.TotalAlloc-before.TotalAlloc) / total, nil
}
