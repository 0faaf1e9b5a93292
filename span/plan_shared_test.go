package span_test

import (
	"bytes"
	"testing"

	"github.com/spanwire/spanwire/span"
)

type person struct {
	Name   string
	Friend *person            `span:"shared"`
	All    []*person          `span:"shared"`
	By     map[string]*person `span:"shared"`
}

func TestPlanShared(t *testing.T) {
	a, b := &person{Name: "a"}, &person{Name: "b"}
	a.Friend, b.Friend = b, a
	a.All = []*person{a, b, nil}
	a.By = map[string]*person{"b": b}
	got, err := span.Marshal(a)
	want := "0161 02 0162 01 00 00 03 01 02 00 01 0162 02"
	if err != nil || !bytes.Equal(got, unhex(t, want)) {
		t.Errorf("%x %v, want %s", got, err, want)
	}
	if n, err := span.Size(a); n != len(got) || err != nil {
		t.Errorf("Size %d %v", n, err)
	}
	var v person
	if err := span.Unmarshal(got, &v); err != nil {
		t.Fatal(err)
	}
	f := v.Friend
	if f.Friend != &v || v.All[0] != &v || v.All[1] != f || v.All[2] != nil || v.By["b"] != f || f.Name != "b" {
		t.Errorf("the graph is not the same: %+v", v)
	}
	for n := range got {
		var v person
		if err := span.Unmarshal(got[:n], &v); err == nil {
			t.Errorf("accepted %d of %d bytes", n, len(got))
		}
	}
	reject[person](t, here(), "0161 03", span.ErrMalformed, "Friend", 2)
	reject[person](t, here(), "0161 02 0162 04", span.ErrMalformed, "Friend.Friend", 5)
}

type leaf struct{ N int8 }

type twoKinds struct {
	A *leaf  `span:"shared"`
	B *other `span:"shared"`
	C *leaf  `span:"shared"`
}

type other struct{ Leaf leaf }

func TestPlanSharedKinds(t *testing.T) {
	o := &other{leaf{3}}
	v := twoKinds{A: &o.Leaf, B: o, C: &o.Leaf} // one address, two objects
	b := exercise(t, here(), v)
	if want := "01 03 02 03 01"; !bytes.Equal(b, unhex(t, want)) {
		t.Errorf("%x, want %s", b, want)
	}
	reject[twoKinds](t, here(), "0103 01 00", span.ErrMalformed, "B", 2)
}

type sizedPart struct {
	A *leaf `span:"shared"`
	B *leaf `span:"shared"`
}

func TestPlanSharedSized(t *testing.T) {
	type holder struct {
		X *leaf     `span:"shared"`
		P sizedPart `span:"sized"`
		Y *leaf     `span:"shared"`
	}
	l := &leaf{5}
	onWire(t, here(), holder{l, sizedPart{l, l}, l}, "0105 03 0105 01 01")
}

type treeNode struct {
	V    uint8
	Kids []treeNode
	Next *treeNode
}

type forest []forest

type ring struct {
	V    int8
	Next *ring
}

func chain(n int) *ring {
	var r *ring
	for range n {
		r = &ring{1, r}
	}
	return r
}

func TestPlanDepth(t *testing.T) {
	exercise(t, here(), *chain(20))
	exercise(t, here(), treeNode{1, []treeNode{{2, nil, &treeNode{V: 3}}, {V: 4}}, nil})
	exercise(t, here(), forest{{}, {{}, {}}})

	b, err := span.Marshal(chain(1000))
	if err != nil {
		t.Fatalf("1,000 levels: %v", err)
	}
	var v ring
	if err := span.Unmarshal(b, &v); err != nil {
		t.Errorf("1,000 levels: %v", err)
	}
	_, err = span.Marshal(chain(1001))
	isError(t, here(), err, span.ErrDepth)
	_, err = span.Size(chain(1001))
	isError(t, here(), err, span.ErrDepth)
	b, err = span.Options{MaxDepth: 1001}.Marshal(chain(1001))
	isError(t, here(), err, nil)
	isError(t, here(), span.Unmarshal(b, &v), span.ErrDepth)
	isError(t, here(), span.Options{MaxDepth: 2000}.Unmarshal(b, &v), nil)
	_, err = span.Options{MaxDepth: 2}.Marshal(chain(3))
	isError(t, here(), err, span.ErrDepth)

	cyclic := &ring{V: 1}
	cyclic.Next = cyclic
	_, err = span.Marshal(cyclic)
	isError(t, here(), err, span.ErrDepth)
	f := make(forest, 1)
	f[0] = f
	_, err = span.Marshal(f)
	isError(t, here(), err, span.ErrDepth)
	// The deepest that options allow does not overflow the stack.
	b, err = span.Options{MaxDepth: 1 << 30}.Marshal(chain(100_000))
	isError(t, here(), err, nil)
	isError(t, here(), span.Options{MaxDepth: 1 << 30}.Unmarshal(b, &v), nil)
	isError(t, here(), span.Options{MaxDepth: 1 << 30}.Unmarshal(bytes.Repeat([]byte{1}, 1<<20), &v), span.ErrDepth)
}
