package rpc_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/value"
)

func quote(s *string) string {
	if s == nil {
		return "(null)"
	}
	return "'" + *s + "'"
}

func clockText(t time.Time) string {
	kind := "Unspecified"
	switch {
	case t.IsZero():
	case t.Location() == time.UTC:
		kind = "Utc"
	case t.Location() == time.Local:
		kind = "Local"
	}
	return t.Format("2006-01-02 15:04:05.000 ") + kind
}

func list[T any](v []T, show func(T) string) string {
	if v == nil {
		return "(null)"
	}
	var out []string
	for _, e := range v {
		out = append(out, show(e))
	}
	return "[" + strings.Join(out, ",") + "]"
}

func showInt(n int32) string { return strconv.Itoa(int(n)) }

func showString(s string) string { return quote(&s) }

func showAny(v any) string {
	switch v := v.(type) {
	case string:
		return quote(&v)
	case value.Object:
		var out []string
		for _, m := range v {
			out = append(out, m.Name+"="+showAny(m.Value))
		}
		return "{" + strings.Join(out, ",") + "}"
	}
	return fmt.Sprint(v)
}

// one adds an action with the parameter v.
func one[T any](x *rpc.Mux, action string, show func(T) string) {
	type arg struct {
		V T `json:"v"`
	}
	rpc.Handle(x, action, func(_ context.Context, a arg) (string, error) { return show(a.V), nil }, rpc.Params())
}

// with adds an action whose parameters are the fields of A.
func with[A any](x *rpc.Mux, action string, show func(A) string, options ...rpc.HandleOption) {
	rpc.Handle(x, action, func(_ context.Context, a A) (string, error) { return show(a), nil }, append(options, rpc.Params())...)
}

type allArgs struct {
	I    int32     `json:"i"`
	L    int64     `json:"l"`
	D    float64   `json:"d"`
	B    bool      `json:"b"`
	T    time.Time `json:"t"`
	S    *string   `json:"s"`
	U    *User     `json:"u"`
	Arr  []int32   `json:"arr"`
	List []string  `json:"list"`
	N    *int32    `json:"n"`
}

type defArgs struct {
	A int32  `json:"a"`
	B int32  `json:"b"`
	C string `json:"c"`
}

// addArgs adds the Arg service.
func addArgs(x *rpc.Mux) {
	one(x, "Arg/Int", func(v int32) string { return fmt.Sprint("int ", v) })
	one(x, "Arg/Long", func(v int64) string { return fmt.Sprint("long ", v) })
	one(x, "Arg/Dbl", func(v float64) string { return "double " + text(v) })
	one(x, "Arg/Bool", func(v bool) string { return "bool " + text(v) })
	one(x, "Arg/Date", func(v time.Time) string { return "date " + clockText(v) })
	one(x, "Arg/Str", func(v *string) string { return "string " + quote(v) })
	one(x, "Arg/Gid", func(v GUID) string { s, _ := v.MarshalText(); return "guid " + string(s) })
	one(x, "Arg/Enm", func(v Color) string { return "enum " + v.String() })
	one(x, "Arg/NInt", func(v *int32) string {
		if v == nil {
			return "int? (null)"
		}
		return "int? " + showInt(*v)
	})
	one(x, "Arg/Ints", func(v []int32) string { return "int[] " + list(v, showInt) })
	one(x, "Arg/Strs", func(v []string) string { return "list " + list(v, showString) })
	one(x, "Arg/Usrs", func(v []*User) string { return "users " + list(v, (*User).show) })
	with(x, "Arg/Usr", func(a struct {
		User *User `json:"user"`
	}) string {
		return "user " + a.User.show()
	})
	with(x, "Arg/TwoUsr", func(a struct {
		A, B *User
	}) string {
		return "a " + a.A.show() + " ; b " + a.B.show()
	})
	with(x, "Arg/UsrAndInt", func(a struct {
		User *User
		N    int32
	}) string {
		return "user " + a.User.show() + " ; n " + showInt(a.N)
	})
	with(x, "Arg/Def", func(a defArgs) string { return fmt.Sprintf("a=%d b=%d c='%s'", a.A, a.B, a.C) },
		rpc.Params(func() any { return defArgs{B: 5, C: "dft"} }))
	with(x, "Arg/Dic", func(a struct{ D value.Object }) string { return "dic " + showAny(a.D) })
	with(x, "Arg/Obj", func(a struct{ O any }) string {
		if m, ok := a.O.(map[string]any); ok {
			o := value.Object{}
			for k, e := range m {
				o = append(o, value.Entry{Name: k, Value: e})
			}
			return "object NullableDictionary " + showAny(o)
		}
		return "object String " + showAny(a.O)
	})
	with(x, "Arg/Bytes", func(a struct{ Data []byte }) string { return fmt.Sprintf("bytes:%x", a.Data) })
	with(x, "Arg/BytesAndInt", func(a struct {
		Data []byte
		N    int32
	}) string {
		return fmt.Sprintf("bytes:%x n=%d", a.Data, a.N)
	})
	with(x, "Arg/PkAndInt", func(a struct {
		Pk value.Packet
		N  int32
	}) string {
		return fmt.Sprintf("packet:%x n=%d", a.Pk, a.N)
	})
	with(x, "Arg/All", func(a allArgs) string {
		n := "(null)"
		if a.N != nil {
			n = showInt(*a.N)
		}
		return fmt.Sprintf("i=%d l=%d d=%s b=%s t=%s s=%s u=(%s) arr=%s list=%s n=%s", a.I, a.L, text(a.D), text(a.B), clockText(a.T), quote(a.S),
			a.U.show(), list(a.Arr, showInt), list(a.List, showString), n)
	})
	rpc.Handle(x, "Arg/None", func(context.Context, struct{}) (int32, error) { return 1, nil }, rpc.Params())
}

// addPack adds the Pack service.
func addPack(x *rpc.Mux) {
	type pk struct{ Pk value.Packet }
	rpc.Handle(x, "Pack/PkPk", func(_ context.Context, a pk) (value.Packet, error) { return a.Pk, nil }, rpc.Params())
	rpc.Handle(x, "Pack/PkBytes", func(_ context.Context, a pk) ([]byte, error) { return a.Pk, nil }, rpc.Params())
	rpc.Handle(x, "Pack/PkInt", func(_ context.Context, a pk) (int, error) {
		if a.Pk == nil {
			return -1, nil
		}
		return len(a.Pk), nil
	}, rpc.Params())
	with(x, "Pack/PkText", func(a pk) string {
		if a.Pk == nil {
			return "(null)"
		}
		return fmt.Sprintf("packet:%x", a.Pk)
	})
	rpc.Handle(x, "Pack/IntPk", func(_ context.Context, a struct{ N int }) (value.Packet, error) {
		p := make(value.Packet, a.N)
		for i := range p {
			p[i] = byte(i)
		}
		return p, nil
	}, rpc.Params())
	rpc.Handle(x, "Pack/AccAcc", func(_ context.Context, a struct{ Acc Acc }) (*Acc, error) {
		return &Acc{a.Acc.Id + 1, a.Acc.Name + "!"}, nil
	}, rpc.Params())
	with(x, "Pack/AccStr", func(a struct{ Acc Acc }) string { return fmt.Sprintf("%d:%s", a.Acc.Id, a.Acc.Name) })
	rpc.Handle(x, "Pack/SpnSpn", func(_ context.Context, a struct{ Spn Spn }) (Spn, error) {
		return Spn{a.Spn.Id + 1, a.Spn.Name + "!"}, nil
	}, rpc.Params())
}
