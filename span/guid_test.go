package span_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/span"
)

func TestGUIDText(t *testing.T) {
	for _, r := range []struct {
		at   row
		text string
		wire string
	}{
		{here(), "00112233-4455-6677-8899-aabbccddeeff", "33221100 5544 7766 8899aabbccddeeff"},
		{here(), "00000000-0000-0000-0000-000000000000", "00000000000000000000000000000000"},
		{here(), "ffffffff-ffff-ffff-ffff-ffffffffffff", "ffffffffffffffffffffffffffffffff"},
		{here(), "6f9619ff-8b86-d011-b42d-00c04fc964ff", "ff19966f868b11d0b42d00c04fc964ff"},
	} {
		wire := unhex(t, r.wire)
		bare := strings.ReplaceAll(r.text, "-", "")
		for _, form := range []string{r.text, bare, "{" + r.text + "}", "(" + r.text + ")"} {
			for _, s := range []string{form, strings.ToUpper(form)} {
				g, err := span.ParseGUID(s)
				isError(t, r.at, err, nil)
				if !bytes.Equal(g[:], wire) || g.String() != r.text {
					t.Errorf("%s: ParseGUID(%q) = %x, %v", r.at, s, g[:], g)
				}
			}
		}
		g, _ := span.ParseGUID(r.text)
		if u := g.UUID(); !bytes.Equal(u[:], unhex(t, bare)) || span.GUIDFromUUID(u) != g {
			t.Errorf("%s: UUID %x", r.at, u)
		}
		if b, _ := appendBy([]byte("x"), func(w *span.Writer) { w.WriteRaw(g[:]) }); string(b) != "x"+string(wire) {
			t.Errorf("%s: wrote %x", r.at, b)
		}
		var h span.GUID
		if span.NewReader(append(wire, 7)).ReadRaw(h[:]); h != g {
			t.Errorf("%s: read %v", r.at, h)
		}
		if g.IsZero() != (g == span.GUID{}) {
			t.Errorf("%s: IsZero %v", r.at, g.IsZero())
		}
	}
}

func TestGUIDTextErrors(t *testing.T) {
	const good = "00112233-4455-6677-8899-aabbccddeeff"
	bad := []string{
		"", "{}", "()", good[1:], good + "0", " " + good, good + " ", "{" + good, good + "}", "{" + good + ")", "(" + good + "}",
		"[" + good + "]", "{{" + good[2:] + "}}", "{00112233445566778899aabbccddeeff}",
		"001122334455-6677-8899-aabbccddeeff--", "00112233_4455_6677_8899_aabbccddeeff", "0011223-34455-6677-8899-aabbccddeeff",
		"00112233-4455-6677-8899-aabbccddeef", "0x112233445566778899aabbccddeeff00", "urn:uuid:" + good, strings.Repeat("0", 34),
		"0011223344556677-8899-aabb-ccdd-eeff", "+0112233-4455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899-aabbccddee\xe4\xb8",
	}
	for i := range good { // no other byte may stand anywhere
		for _, c := range "g/:@`G{ \x00\xffé" {
			bad = append(bad, good[:i]+string(c)+good[i+1:])
		}
	}
	for _, s := range bad {
		g, err := span.ParseGUID(s)
		isError(t, row(s), err, span.ErrMalformed)
		if !g.IsZero() {
			t.Errorf("%q: gave %v beside an error", s, g)
		}
		keep := span.GUID{1}
		isError(t, row(s), keep.UnmarshalText([]byte(s)), span.ErrMalformed)
		if keep != (span.GUID{1}) {
			t.Errorf("%q: UnmarshalText changed its receiver", s)
		}
	}
	if _, err := span.ParseGUID(strings.Repeat("x", 1e6)); len(err.Error()) > 200 {
		t.Errorf("the error repeats %d bytes", len(err.Error()))
	}
}

func TestGUIDCompare(t *testing.T) {
	sign := func(s, u string) int { return strings.Compare(s, u) }
	for range 2000 {
		g, h := span.NewGUID(), span.NewGUID()
		if rand.N(2) == 0 { // differ in one byte only
			h = g
			h[rand.N(16)]++
		}
		if got, want := g.Compare(h), sign(g.String(), h.String()); got != want {
			t.Fatalf("%v.Compare(%v) = %d, want %d", g, h, got, want)
		}
		if g.Compare(g) != 0 {
			t.Fatalf("%v differs from itself", g)
		}
	}
}

func TestNewGUID(t *testing.T) {
	seen := map[span.GUID]bool{}
	var ones, zeros span.GUID
	for range 1000 {
		g := span.NewGUID()
		s := g.String()
		if s[14] != '4' || !strings.ContainsRune("89ab", rune(s[19])) {
			t.Fatalf("%s is not of version 4", s)
		}
		if seen[g] {
			t.Fatalf("%s came twice", s)
		}
		seen[g] = true
		for i, c := range g {
			ones[i] |= c
			zeros[i] |= ^c
		}
	}
	// All bits but the six fixed ones vary.
	one, zero := ones.UUID(), zeros.UUID()
	for i := range one {
		fixed := map[int]byte{6: 0xf0, 8: 0xc0}[i]
		if one[i]|fixed != 0xff || zero[i]|fixed != 0xff {
			t.Errorf("byte %d: bits seen set %02x, seen clear %02x", i, one[i], zero[i])
		}
	}
}

func TestGUIDJSON(t *testing.T) {
	type holder struct {
		ID   span.GUID
		ByID map[span.GUID]int
	}
	const text = `{"ID":"00112233-4455-6677-8899-aabbccddeeff","ByID":{"6f9619ff-8b86-d011-b42d-00c04fc964ff":1}}`
	var h holder
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		t.Fatal(err)
	}
	if b, err := json.Marshal(h); err != nil || string(b) != text {
		t.Errorf("%s, %v", b, err)
	}
}

func TestGUIDAllocs(t *testing.T) {
	g := span.NewGUID()
	s, buf := "{"+g.String()+"}", make([]byte, 0, 64)
	text := []byte(s)
	noAllocs(t, "ParseGUID", func() { _, _ = span.ParseGUID(s) })
	noAllocs(t, "UnmarshalText", func() { _ = g.UnmarshalText(text) })
	noAllocs(t, "AppendText", func() { _, _ = g.AppendText(buf) })
	noAllocs(t, "Compare", func() { _ = g.Compare(span.GUIDFromUUID(g.UUID())) })
	if n := testing.AllocsPerRun(100, func() { _ = g.String() }); n > 1 {
		t.Errorf("String: %v allocations", n)
	}
}

func FuzzGUIDText(f *testing.F) {
	for _, s := range []string{"", "{00112233-4455-6677-8899-aabbccddeeff}", "00112233445566778899AABBCCDDEEFF", "(00112233-4455-6677-8899-aabbccddeeff)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, err := span.ParseGUID(s)
		var h span.GUID
		if herr := h.UnmarshalText([]byte(s)); h != g || (herr == nil) != (err == nil) {
			t.Fatalf("string gives %v, %v; bytes give %v, %v", g, err, h, herr)
		}
		if err != nil {
			return
		}
		canonical := strings.ToLower(strings.Trim(s, "{}()"))
		if strings.ReplaceAll(g.String(), "-", "") != strings.ReplaceAll(canonical, "-", "") {
			t.Fatalf("%q reads as %v", s, g)
		}
		if back, err := span.ParseGUID(g.String()); err != nil || back != g {
			t.Fatalf("%v reads back as %v, %v", g, back, err)
		}
	})
}
