// Package vectors reads the recorded byte strings that tests compare with.
package vectors

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Line is one line of a recording: its members as they stand.
type Line struct {
	File   string
	Number int
	Bad    error // why the line can't be read: its own subtest says so
	m      map[string]json.RawMessage
}

// env names the folder of other recordings. It need not have all files.
const env = "SPANWIRE_VECTORS"

// Dir returns the folder of the recordings: SPANWIRE_VECTORS when it is set, else up, a path to rpc/testdata/vectors.
func Dir(up string) string {
	if d := os.Getenv(env); d != "" {
		return d
	}
	return committed(up)
}

func committed(up string) string { return filepath.Join(up, "testdata", "vectors") }

// Read returns the lines of a file below Dir(up). Where SPANWIRE_VECTORS has no such file, or an empty one, the test is skipped.
func Read(t testing.TB, up, name string) []Line {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(Dir(up), name))
	if os.IsNotExist(err) && os.Getenv(env) != "" {
		t.Skipf("%s has no %s", env, name)
	}
	return lines(t, b, err, name)
}

// Committed is Read for the recordings that come with the tests, whatever SPANWIRE_VECTORS says: for tests that make what one
// conversation shows happen again.
func Committed(t testing.TB, up, name string) []Line {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(committed(up), name))
	return lines(t, b, err, name)
}

func lines(t testing.TB, b []byte, err error, name string) (out []Line) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 64<<20)
	for n := 1; sc.Scan(); n++ {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		l := Line{File: name, Number: n}
		if err := json.Unmarshal(sc.Bytes(), &l.m); err != nil {
			l.Bad = fmt.Errorf("%s:%d: %w", name, n, err)
		}
		out = append(out, l)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Skipf("%s has no lines", name)
	}
	return out
}

// Files returns the names of the files below Dir(up) that match a pattern, relative to it. Where SPANWIRE_VECTORS has none the test
// is skipped.
func Files(t testing.TB, up, pattern string) []string {
	t.Helper()
	got, err := filepath.Glob(filepath.Join(Dir(up), pattern))
	if err == nil && len(got) == 0 && os.Getenv(env) != "" {
		t.Skipf("%s has no %s", env, pattern)
	}
	if err != nil || len(got) == 0 {
		t.Fatalf("%s: %v files, %v", pattern, len(got), err)
	}
	for i, g := range got {
		got[i], _ = filepath.Rel(Dir(up), g)
	}
	return got
}

// Name is a subtest's name for the line.
func (l Line) Name() string { return fmt.Sprintf("%d-%s", l.Number, l.Text("name")) }

// Has reports whether the line has the member.
func (l Line) Has(key string) bool { _, ok := l.m[key]; return ok }

// Kind joins the names of those of keys that the line has: what tells one kind of line from another.
func (l Line) Kind(keys ...string) string {
	var has []string
	for _, k := range keys {
		if l.Has(k) {
			has = append(has, k)
		}
	}
	return strings.Join(has, "+")
}

// Only fails when the line has a member that is not among keys: a kind of line that the test does not know.
func (l Line) Only(t testing.TB, keys ...string) {
	t.Helper()
	if l.Bad != nil {
		t.Fatal(l.Bad)
	}
	for k := range l.m {
		known := false
		for _, want := range keys {
			known = known || k == want
		}
		if !known {
			t.Fatalf("%s:%d: unknown member %q", l.File, l.Number, k)
		}
	}
}

// Text returns a member that is a string, "" when it is absent.
func (l Line) Text(key string) string {
	var s string
	if raw, ok := l.m[key]; ok && json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

// Raw returns a member as JSON, "" when it is absent.
func (l Line) Raw(key string) string { return string(l.m[key]) }

// JSON returns the line as JSON.
func (l Line) JSON() string {
	b, _ := json.Marshal(l.m)
	return string(b)
}

// Bool returns a member that is a boolean.
func (l Line) Bool(key string) bool { return string(l.m[key]) == "true" }

// Int returns a member that is a number in a string.
func (l Line) Int(t testing.TB, key string) int {
	t.Helper()
	n, err := strconv.ParseInt(l.Text(key), 10, 64)
	if err != nil {
		t.Fatalf("%s:%d: %s: %v", l.File, l.Number, key, err)
	}
	return int(n)
}

// Sub returns a member that is an object; Subs one that is a list of objects.
func (l Line) Sub(t testing.TB, key string) Line {
	t.Helper()
	s := Line{File: l.File, Number: l.Number}
	if err := json.Unmarshal(l.m[key], &s.m); err != nil {
		t.Fatalf("%s:%d: %s: %v", l.File, l.Number, key, err)
	}
	return s
}

// Subs returns a member that is a list of objects.
func (l Line) Subs(t testing.TB, key string) []Line {
	t.Helper()
	var ms []map[string]json.RawMessage
	if err := json.Unmarshal(l.m[key], &ms); err != nil {
		t.Fatalf("%s:%d: %s: %v", l.File, l.Number, key, err)
	}
	out := make([]Line, len(ms))
	for i, m := range ms {
		out[i] = Line{File: l.File, Number: l.Number, m: m}
	}
	return out
}

// List returns the elements of a member that is a list.
func (l Line) List(t testing.TB, key string) []Bytes {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal(l.m[key], &raw); err != nil {
		t.Fatalf("%s:%d: %s: %v", l.File, l.Number, key, err)
	}
	out := make([]Bytes, len(raw))
	for i, r := range raw {
		out[i] = decode(t, r)
	}
	return out
}

// Bytes returns a member that stands for a byte string.
func (l Line) Bytes(t testing.TB, key string) Bytes {
	t.Helper()
	return decode(t, l.m[key])
}

// Try returns a member that stands for a byte string, false where it does not.
func (l Line) Try(key string) (b Bytes, ok bool) {
	ok = l.Has(key) && b.UnmarshalJSON(l.m[key]) == nil
	return b, ok
}

// Optional returns a member that stands for a whole byte string, nil when it is absent.
func (l Line) Optional(t testing.TB, key string) []byte {
	t.Helper()
	if !l.Has(key) {
		return nil
	}
	return l.Bytes(t, key).Head
}

// Bytes is a recorded byte string: whole, or the head, length and hash of a long one.
type Bytes struct {
	Head   []byte // the first bytes, all of them when Whole
	Whole  bool
	Length int
	Sum    string // SHA-256 in hex, "" when unknown
}

// UnmarshalJSON reads hex, {"repeat","count"} or {"head","length","sha256"}.
func (b *Bytes) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		h, err := hex.DecodeString(s)
		*b = Bytes{Head: h, Whole: true, Length: len(h)}
		return err
	}
	var o struct{ Repeat, Count, Head, Length, SHA256 string }
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	if o.Repeat != "" {
		n, err := strconv.Atoi(o.Count)
		h, err2 := hex.DecodeString(o.Repeat)
		*b = Bytes{Head: bytes.Repeat(h, n), Whole: true, Length: n * len(h)}
		return firstError(err, err2)
	}
	n, err := strconv.Atoi(o.Length)
	h, err2 := hex.DecodeString(o.Head)
	*b = Bytes{Head: h, Length: n, Sum: o.SHA256}
	return firstError(err, err2)
}

func firstError(errs ...error) error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}

func decode(t testing.TB, raw json.RawMessage) Bytes {
	t.Helper()
	var b Bytes
	if err := b.UnmarshalJSON(raw); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return b
}

// Equal fails unless got is the recorded byte string.
func (b Bytes) Equal(t testing.TB, got []byte) {
	t.Helper()
	if len(got) != b.Length {
		t.Fatalf("%d bytes, recorded %d\ngot      %.200x\nrecorded %.200x", len(got), b.Length, got, b.Head)
	}
	if !bytes.HasPrefix(got, b.Head) {
		t.Fatalf("got      %.400x\nrecorded %.400x", got, b.Head)
	}
	if sum := sha256.Sum256(got); b.Sum != "" && hex.EncodeToString(sum[:]) != b.Sum {
		t.Fatalf("hash of %d bytes differs from the recorded one", len(got))
	}
}

// Holds reports that b is the recorded byte string.
func (b Bytes) Holds(got []byte) bool {
	sum := sha256.Sum256(got)
	return len(got) == b.Length && bytes.HasPrefix(got, b.Head) && (b.Sum == "" || hex.EncodeToString(sum[:]) == b.Sum)
}

// Fill returns the byte string, a long one made of its head and pad; it fails when the hash then differs.
func (b Bytes) Fill(t testing.TB, pad byte) []byte {
	t.Helper()
	if b.Whole {
		return b.Head
	}
	out := append([]byte(nil), b.Head...)
	for len(out) < b.Length {
		out = append(out, pad)
	}
	if b.Sum != "" {
		b.Equal(t, out)
	}
	return out
}
