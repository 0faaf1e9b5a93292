package rpc_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/floormodel"
	"github.com/spanwire/spanwire/internal/randval"
	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/span"
)

// plainTimes is a struct without methods that NewLife's dialect changes everywhere.
type plainTimes struct {
	At    time.Time
	For   time.Duration
	Text  string
	Zero  map[string]int
	Ptr   *int
	List  []*string
	Bytes []byte
	Float float64
	Sub   struct{ At time.Time }
}

// withAny is what span bodies do not carry.
type withAny struct {
	Name string
	Any  any
	At   time.Time
	D    time.Duration
	M    map[string]any
	P    *int
	Z    int
}

// embedsGenerated embeds a type with generated methods: they are not its own.
type embedsGenerated struct {
	floormodel.Simple
	B string
}

type generics[T any] struct {
	A T
	L []T
}

var exact = time.Date(2024, 2, 3, 4, 5, 6, 123456789, time.FixedZone("", 8*3600))

// values of every kind.
func everyKind() map[string]any {
	n, s := 0, ""
	return map[string]any{
		"bool": true, "int": -5, "int8": int8(-128), "uint64": uint64(math.MaxUint64), "float": 0.1, "minus zero": math.Copysign(0, -1),
		"infinite": math.Inf(1), "float32": float32(0.1), "complex": complex(1.5, -2), "string": "plain", "empty": "", "spaces": " spaces ", "array text": "[hi]",
		"object text": "{a", "quoted": `"q"`, "null text": "null", "bad UTF-8": "a\xff\x00b", "number text": "5", "bytes": []byte{0, 255, '{'}, "no bytes": []byte{},
		"time": exact, "zero time": time.Time{}, "early": time.Date(-5, 1, 1, 0, 0, 0, 7, time.UTC), "duration": time.Duration(1234567891), "negative": time.Duration(-1),
		"guid": span.NewGUID(), "addr": netip.MustParseAddr("fe80::1%eth0"), "prefix": netip.MustParsePrefix("10.0.0.0/8"), "month": time.March,
		"map": map[string]int{"a": 0, "b": 1, "": 2}, "keys": map[[2]int]string{{1, 2}: "x"}, "nil map": map[string]int(nil), "floats": map[float64]bool{0.5: true},
		"list": []int{0, 1}, "times": []time.Time{exact, {}}, "pointers": []*int{nil, &n}, "strings": []*string{&s, nil}, "array": [3]uint16{1, 0, 3},
		"struct":     plainTimes{exact, 1, "a\xfe", map[string]int{"a": 0}, &n, []*string{nil, &s}, []byte{1}, math.Copysign(0, -1), struct{ At time.Time }{exact}},
		"pointer":    &plainTimes{At: exact, Zero: map[string]int{"z": 0}},
		"list of it": []plainTimes{{At: exact}, {}}, "map of it": map[int8]plainTimes{-1: {At: exact}},
		"generated": floormodel.Simple{ID: 1, Name: "n", CreatedAt: exact, Score: 0.5}, "generated pointer": &floormodel.Simple{Name: "x", CreatedAt: exact},
		"generated list": []*floormodel.Simple{{Name: "x", CreatedAt: exact}}, "embeds": embedsGenerated{floormodel.Simple{Name: "in", CreatedAt: exact}, "out"},
		"generic": generics[time.Duration]{1, []time.Duration{2}}, "empty struct": struct{}{},
		"any":  withAny{"n", int64(5), exact, 3, map[string]any{"a": int64(0), "n": nil, "s": " x ", "f": 5.0, "b": false, "l": []any{int64(1), nil}}, nil, 0},
		"anys": []any{int64(1), nil, "5", 2.5, true, map[string]any{"x": nil}}, "any map": map[string]any{"a": int64(0), "b": nil, "c": ""},
		"recursive": func() any {
			type node struct{ Next []node }
			return node{[]node{{}, {[]node{{}}}}}
		}(),
	}
}

// echoServer answers each of the values under its name.
func echoServer(values map[string]any) *rpc.Mux {
	x := new(rpc.Mux)
	for name, v := range values {
		rpc.EchoType(x, "Echo/"+fmt.Sprintf("%x", name), reflect.TypeOf(v))
	}
	return x
}

// echoed calls with v and compares what comes back.
func echoed(ctx context.Context, invoke func(ctx context.Context, action string, arg, reply any) error, name string, v any) error {
	reply := reflect.New(reflect.TypeOf(v))
	if err := invoke(ctx, "Echo/"+fmt.Sprintf("%x", name), v, reply.Interface()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if d := randval.Diff(v, reply.Elem().Interface()); d != "" {
		return fmt.Errorf("%s%s: %v came back as %v", name, d, v, reply.Elem().Interface())
	}
	return nil
}

// R1, R2, R12, R23: what is sent is what arrives, by the first call of a connection, and by each other.
func TestEveryKindArrives(t *testing.T) {
	base(t)
	values := everyKind()
	x := echoServer(values)
	for _, peer := range []rpc.PeerKind{rpc.Auto, rpc.Spanwire} {
		s := &rpc.Server{Handler: x, Log: quiet}
		addr := serve(t, s)
		for name, v := range values {
			cl := dial(t, addr, rpc.Dialer{Log: quiet, Peer: peer})
			for n := range 3 {
				require.NoError(t, echoed(t.Context(), cl.Invoke, name, v), "call %d", n+1)
			}
			require.NoError(t, cl.Close())
		}
		require.Zero(t, s.Stats().Mismatches, "calls of equal layouts")
	}
	s := &rpc.Server{Handler: new(rpc.Mux), Log: quiet} // and the other way, on a connection on which nothing was called yet
	dial(t, serve(t, s), rpc.Dialer{Log: quiet, Handler: x})
	until(t, "the session", func() bool { return len(s.Sessions()) == 1 })
	for name, v := range values {
		require.NoError(t, echoed(t.Context(), s.Sessions()[0].Invoke, name, v))
	}
}

// R1: a hundred calls at once on a new connection, and the first ones after it was lost.
func TestValuesArriveAtOnceAndAfterReconnect(t *testing.T) {
	base(t)
	v := map[string]any{"it": plainTimes{At: exact, For: 1, Text: "\xff", Zero: map[string]int{"a": 0}}}
	s := &rpc.Server{Handler: echoServer(v), Log: quiet}
	cl := dial(t, serve(t, s), rpc.Dialer{Log: quiet})
	for range 3 {
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if err := echoed(t.Context(), cl.Invoke, "it", v["it"]); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		cl.Session().Close(nil)
	}
}

// R1: each connection of a pool knows its peer before values travel on it.
func TestPooledConnectionKnowsItsPeerBeforeValues(t *testing.T) {
	base(t)
	v := map[string]any{"it": plainTimes{At: exact, For: 1, Text: "\xff"}}
	x := echoServer(v)
	free := make(chan struct{})
	x.HandleFunc("A/Wait", func(context.Context, []byte, *rpc.Request) ([]byte, error) { <-free; return nil, nil })
	s := &rpc.Server{Handler: x, Log: quiet}
	cl := dial(t, serve(t, s), rpc.Dialer{Log: quiet})
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() { _, _ = cl.Call(t.Context(), nil, "A/Wait", nil) })
	}
	until(t, "calls under way", func() bool { return s.Stats().Requests >= 192 })
	until(t, "another connection that takes values", func() bool {
		require.NoError(t, echoed(t.Context(), cl.Invoke, "it", v["it"]))
		return cl.Conns() > 1 && s.Stats().Accepted > 1
	})
	for range 20 {
		require.NoError(t, echoed(t.Context(), cl.Invoke, "it", v["it"]))
	}
	close(free)
	wg.Wait()
}

// randomType makes a type of all kinds that span bodies carry.
func randomType(r *rand.Rand, depth int) reflect.Type {
	kinds := []reflect.Type{reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](),
		reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](),
		reflect.TypeFor[[5]byte](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[span.GUID](), reflect.TypeFor[floormodel.Simple](),
		reflect.TypeFor[*floormodel.Simple](), reflect.TypeFor[time.Weekday]()}
	if depth == 0 || r.IntN(3) == 0 {
		return kinds[r.IntN(len(kinds))]
	}
	in := func() reflect.Type { return randomType(r, depth-1) }
	switch r.IntN(6) {
	case 0:
		return reflect.SliceOf(in())
	case 1:
		return reflect.ArrayOf(r.IntN(3), in())
	case 2:
		return reflect.PointerTo(in())
	case 3:
		keys := []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int16](), reflect.TypeFor[bool](), reflect.TypeFor[[2]string](), reflect.TypeFor[time.Time](), reflect.TypeFor[span.GUID]()}
		return reflect.MapOf(keys[r.IntN(len(keys))], in())
	}
	var fields []reflect.StructField
	for i := range 1 + r.IntN(4) {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: in()})
	}
	return reflect.StructOf(fields)
}

// Random values of random types arrive as they were sent, as span bodies and as lossless JSON, in both directions.
func TestRandomTypesArrive(t *testing.T) {
	base(t)
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	x, mine := new(rpc.Mux), new(rpc.Mux)
	x.Handle("A/Echo", echo)
	var list []reflect.Type
	for len(list) < test.Count(60, 300, 2000) {
		typ := reflect.StructOf([]reflect.StructField{{Name: "V", Type: randomType(r, 3)}})
		if _, err := span.Marshal(reflect.New(typ).Interface()); err != nil {
			continue // the type has an array of many empty elements, say
		}
		// The other side has more fields: the layouts differ, and calls travel as JSON.
		wide := reflect.StructOf([]reflect.StructField{{Name: "V", Type: typ.Field(0).Type}, {Name: "More", Type: reflect.TypeFor[string]()}})
		for _, m := range []*rpc.Mux{x, mine} {
			rpc.EchoType(m, fmt.Sprintf("Same/%d", len(list)), typ)
			rpc.EchoType(m, fmt.Sprintf("Wide/%d", len(list)), wide)
		}
		list = append(list, typ)
	}
	s := &rpc.Server{Handler: x, Log: quiet}
	cl := dial(t, serve(t, s), rpc.Dialer{Log: quiet, Handler: mine})
	_, err := cl.Call(t.Context(), nil, "A/Echo", nil) // so that there is a session
	require.NoError(t, err)
	back := s.Sessions()[0]
	fill := randval.Filler{Rand: r}
	for i, typ := range list {
		v := reflect.New(typ)
		fill.Fill(v.Elem())
		for name, invoke := range map[string]func(context.Context, string, any, any) error{"client": cl.Invoke, "session": back.Invoke} {
			for _, action := range []string{"Same", "Wide"} {
				got := reflect.New(typ)
				require.NoError(t, invoke(t.Context(), fmt.Sprintf("%s/%d", action, i), v.Interface(), got.Interface()), "%s %s %v %+v", name, action, typ, v)
				require.Empty(t, randval.Diff(v.Interface(), got.Interface()), "%s %s %v %+v %+v", name, action, typ, v, got)
			}
		}
	}
	require.Equal(t, uint64(2*len(list)), cl.Stats().Mismatches, "each wide action once as a caller, and once as a callee")
}

// R16: every value is one JSON value where there is no envelope, and arrives.
func TestValuesWithoutEnvelopeAreOneJSONValue(t *testing.T) {
	base(t)
	values := everyKind()
	for _, name := range []string{"infinite", "bad UTF-8", "early", "struct"} { // which JSON does not have
		delete(values, name)
	}
	values["struct"] = plainTimes{exact, 1, "ä", map[string]int{"a": 0}, nil, []*string{nil}, []byte{1}, math.Copysign(0, -1), struct{ At time.Time }{exact}}
	for _, codec := range []frame.Codec{frame.JSON{}, frame.LengthField{Size: 4}, frame.Delimited{}, frame.Standard{}} {
		for name, v := range values {
			if _, lines := codec.(frame.Delimited); lines && name == "bytes" {
				continue
			}
			x := new(rpc.Mux)
			rpc.EchoType(x, "echo", reflect.TypeOf(v))
			h := rpc.TheHandler(x, "echo")
			cl := dial(t, serve(t, &rpc.Server{Handler: h, Codec: codec, Raw: true, Log: quiet}), rpc.Dialer{Codec: codec, Raw: true, Log: quiet})
			for range 2 {
				reply := reflect.New(reflect.TypeOf(v))
				require.NoError(t, cl.Invoke(t.Context(), "", v, reply.Interface()), "%T %s", codec, name)
				require.Empty(t, randval.Diff(v, reply.Elem().Interface()), "%T %s: %v", codec, name, reply.Elem())
			}
			require.NoError(t, cl.Close())
		}
		cl := dial(t, serve(t, &rpc.Server{Handler: rpc.Typed(func(_ context.Context, v any) (any, error) { return v, nil }), Codec: codec, Raw: true}), rpc.Dialer{Codec: codec, Raw: true})
		got := any("not nil")
		require.NoError(t, cl.Invoke(t.Context(), "", nil, &got))
		require.Nil(t, got)
	}
}
