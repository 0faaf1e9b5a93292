package binary_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// urls writes url.URL, which no default handler takes, as a string.
type urls struct{}

var urlType = reflect.TypeFor[url.URL]()

func (urls) Write(e *binary.Encoder, v reflect.Value) error {
	if v.Type() != urlType {
		return errors.ErrUnsupported
	}
	u := v.Interface().(url.URL)
	e.WriteString(u.String())
	return nil
}

func (urls) Read(d *binary.Decoder, v reflect.Value) error {
	if v.Type() != urlType {
		return errors.ErrUnsupported
	}
	u, err := url.Parse(d.ReadString())
	if err == nil {
		v.Set(reflect.ValueOf(*u))
	}
	return err
}

// upper takes strings, writes something and leaves them to the next after all.
type upper struct{ asked *int }

func (u upper) Write(e *binary.Encoder, v reflect.Value) error {
	*u.asked++
	e.WriteString("taken back")
	return fmt.Errorf("not mine: %w", errors.ErrUnsupported)
}

func (u upper) Read(d *binary.Decoder, v reflect.Value) error {
	d.ReadUint8()
	return errors.ErrUnsupported
}

func TestChain(t *testing.T) {
	type m struct {
		ID   uint8
		U    url.URL
		List []url.URL
		Map  map[string]url.URL
		P    *url.URL
		N    string
	}
	asked := 0
	handlers := slices.Insert(binary.DefaultHandlers(), 0, binary.Handler(urls{}), binary.Handler(upper{&asked}))
	o := binary.Options{Handlers: handlers}
	u := url.URL{Scheme: "a", Opaque: "b"}
	v := &m{1, u, []url.URL{u, u}, map[string]url.URL{"k": u}, &u, "n"}
	roundTrip(t, v, "01 03613a62 02 03613a62 03613a62 01 016b 03613a62 03613a62 016e", o)
	if asked == 0 {
		t.Error("the second handler has not been asked")
	}
	if _, err := (binary.Options{Handlers: []binary.Handler{}}).Marshal(v); !errors.Is(err, binary.ErrUnsupported) {
		t.Errorf("an empty chain: %v", err)
	}
	bad := unhex("01 03253a62")
	var got m
	err := o.Unmarshal(bad, &got)
	var e *binary.Error
	if !errors.As(err, &e) || e.Path != "U" {
		t.Errorf("error %v", err)
	}
}

func TestDefaultHandlers(t *testing.T) {
	var names []string
	for _, h := range binary.DefaultHandlers() {
		names = append(names, fmt.Sprint(h))
	}
	if want := []string{"General", "Normal", "List", "Dictionary", "Composite"}; !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
	a := binary.DefaultHandlers()
	a[0] = urls{}
	if binary.DefaultHandlers()[0] == binary.Handler(urls{}) {
		t.Error("the slice is shared")
	}
}

// picky writes one of its members itself.
type picky struct {
	Code  uint16
	Level int
	Name  string
}

func (p *picky) WriteMember(e *binary.Encoder, name string) error {
	switch name {
	case "Level":
		e.WriteString(strconv.Itoa(p.Level))
		return nil
	case "Name":
		e.WriteUint8(0xff) // taken back
	}
	return errors.ErrUnsupported
}

func (p *picky) ReadMember(d *binary.Decoder, name string) (err error) {
	if name == "Level" {
		p.Level, err = strconv.Atoi(d.ReadString())
		return err
	}
	return errors.ErrUnsupported
}

func TestMemberAccessor(t *testing.T) {
	roundTrip(t, &picky{1, 42, "x"}, "0001 023432 0178", binary.Options{})
	refuses[picky](t, "0001 0178", binary.Options{}, strconv.ErrSyntax, "Level")
}

// faulty fails in its methods.
type faulty struct{ stone }

func (*faulty) WriteBinary(*binary.Encoder) error { return errBroken }
func (*faulty) ReadBinary(*binary.Decoder) error  { return errBroken }

type Selfish struct{ N int32 }

func (s *Selfish) WriteSpan(w *span.Writer) {
	if s.N < 0 {
		w.Fail(span.ErrRange)
		return
	}
	w.WriteInt32(s.N)
}

func (s *Selfish) ReadSpan(r *span.Reader) { s.N = r.ReadInt32() }

func TestSelfWriting(t *testing.T) {
	type m struct {
		A uint8
		S *Selfish
		V []Selfish
		B uint8
	}
	v := &m{1, &Selfish{300}, []Selfish{{1}, {2}}, 9}
	roundTrip(t, v, "01 0000012c 02 00000001 00000002 09", binary.Options{})
	roundTrip(t, v, "01 ac02 02 01 02 09", binary.Options{EncodeInt: true})
	roundTrip(t, v, "01 2c010000 02 01000000 02000000 09", binary.Options{LittleEndian: true})
	cannot(t, &m{S: &Selfish{1}, V: []Selfish{{1}, {-1}}}, binary.Options{}, binary.ErrRange, "V[1]")
	type h struct{ F faulty }
	cannot(t, &h{}, binary.Options{}, errBroken, "F")
	refuses[h](t, "00", binary.Options{}, errBroken, "F")
	refuses[m](t, "01 0000", binary.Options{}, io.ErrUnexpectedEOF, "S")
}

// idle writes itself as nothing.
type idle struct{}

func (*idle) WriteBinary(*binary.Encoder) error { return nil }
func (*idle) ReadBinary(*binary.Decoder) error  { return nil }

// TestMissingSelf: a value that reads itself is missing at the end like others.
func TestMissingSelf(t *testing.T) {
	type m struct {
		A uint8
		S Selfish
		B uint8
	}
	type tagged struct {
		A uint8 `binary:"pad=1"`
		S Selfish
	}
	got := m{9, Selfish{9}, 9}
	if err := binary.Unmarshal(unhex("01"), &got); err != nil || got != (m{A: 1}) {
		t.Errorf("%+v, %v", got, err)
	}
	refuses[m](t, "01", binary.Options{Strict: true}, io.ErrUnexpectedEOF, "S")
	refuses[m](t, "01 0000", binary.Options{}, io.ErrUnexpectedEOF, "S")
	was := tagged{9, Selfish{9}}
	if err := binary.Unmarshal(unhex("01 00"), &was); err != nil || was != (tagged{A: 1}) {
		t.Errorf("%+v, %v", was, err)
	}
	type held struct {
		L []struct {
			A uint8
			I idle
		}
		I idle
	}
	roundTrip(t, &held{L: make([]struct {
		A uint8
		I idle
	}, 2)}, "02 00 00", binary.Options{})
	roundTrip(t, &held{}, "00", binary.Options{Strict: true})
}

// promoted has the methods of what it embeds, and says that they don't count.
type promoted struct {
	_ struct{} `binary:"fields"`
	Selfish
	B uint8
}

type unclear struct {
	Selfish
	B uint8
}

func TestPromotedMethods(t *testing.T) {
	if _, err := binary.Marshal(&unclear{}); !errors.Is(err, binary.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
	roundTrip(t, &promoted{Selfish: Selfish{300}, B: 2}, "0000012c 02", binary.Options{})
}

func TestAny(t *testing.T) {
	type m struct {
		L []any
		N uint8
	}
	v := &m{[]any{int32(1), "s", true, 2.5, &stone{1, "x"}, []uint16{7}}, 9}
	holds(t, v, binary.Options{}, false, "06 00000001 0173 01 4004000000000000 00000001 0178 01 0007 09")
	if err := binary.Unmarshal(unhex("01 00000001"), v); !errors.Is(err, binary.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
	cannot(t, &m{L: []any{nil}}, binary.Options{}, binary.ErrNil, "L[0]")
	cannot(t, &m{L: []any{make(chan int)}}, binary.Options{}, binary.ErrUnsupported, "L[0]")
}

type family struct {
	Name  string
	Up    *family
	Kids  []*family
	Inner struct{ Owner *family }
}

func TestReferences(t *testing.T) {
	o := binary.Options{UseRef: true}
	root := &family{Name: "r"}
	kid := &family{Name: "k", Up: root}
	kid.Inner.Owner = kid
	root.Kids = []*family{kid, nil}
	b, err := o.Marshal(root)
	want := "0172 00 02 02 016b 02 00 03 02 00 02 00"
	if err != nil || !bytes.Equal(b, unhex(want)) {
		t.Errorf("%x, %v, want %s", b, err, want)
	}
	var got family
	if err := o.Unmarshal(b, &got); err != nil || got.Kids[0].Up != &got || got.Kids[0].Inner.Owner != got.Kids[0] || got.Kids[1] != nil {
		t.Errorf("%+v, %v", got, err)
	}
	refuses[family](t, "0172 05", o, binary.ErrMalformed, "Up")
	type other struct{ In *struct{ F *other } }
	refuses[other](t, "02 01", o, binary.ErrMalformed, "In.F")
}

// TestConcurrency uses plans of one type from many goroutines at once.
func TestConcurrency(t *testing.T) {
	type fresh struct {
		A uint8
		B []picky
		C map[string]*stone
	}
	v := &fresh{1, []picky{{1, 2, "x"}}, map[string]*stone{"k": {1, "y"}}}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			o := binary.Options{EncodeInt: i%2 == 0, SizeWidth: []int{0, 1, 2, 4}[i%4]}
			for range 50 {
				b, err := o.Marshal(v)
				var got fresh
				if err == nil {
					err = o.Unmarshal(b, &got)
				}
				if err != nil || !reflect.DeepEqual(*v, got) {
					t.Errorf("%+v, %v", got, err)
					return
				}
			}
		})
	}
	wg.Wait()
}
