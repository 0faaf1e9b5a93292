package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/value"
)

// recorded makes the services of the recordings.
func recorded() *rpc.Mux {
	x := new(rpc.Mux)
	addTest(x)
	for name, v := range constants {
		rpc.Handle(x, "Value/"+name, func(context.Context, struct{}) (any, error) { return v, nil }, rpc.Params())
	}
	addArgs(x)
	addPack(x)
	addErr(x)
	addStream(x)
	addPush(x)
	addUser(x)
	addOver(x)
	x.AddAPI()
	return x
}

func addTest(x *rpc.Mux) {
	rpc.Handle(x, "Test/Echo", func(_ context.Context, a struct {
		Msg *string `json:"msg"`
	}) (*string, error) {
		return a.Msg, nil
	}, rpc.Params())
	rpc.Handle(x, "Test/Add", func(_ context.Context, a struct {
		A int32 `json:"a"`
		B int32 `json:"b"`
	}) (int32, error) {
		return a.A + a.B, nil
	}, rpc.Params())
	rpc.HandleVoid(x, "Test/Fail", func(context.Context, struct{}) error { return errors.New("boom") }, rpc.Params())
	rpc.Handle(x, "Test/Big", func(_ context.Context, a struct {
		N int32 `json:"n"`
	}) (string, error) {
		return strings.Repeat("b", int(a.N)), nil
	}, rpc.Params())
	rpc.Handle(x, "Test/Packet", func(_ context.Context, a struct {
		Pk value.Packet `json:"pk"`
	}) (value.Packet, error) {
		return a.Pk, nil
	}, rpc.Params(), rpc.Signature("IPacket Test/Packet(IPacket pk)"))
	rpc.Handle(x, "Test/Delay", func(ctx context.Context, a struct {
		Ms int32 `json:"ms"`
		Id int32 `json:"id"`
	}) (int32, error) {
		return a.Id, wait(ctx, time.Duration(a.Ms)*time.Millisecond)
	}, rpc.Params(), rpc.Signature("Task`1 Test/Delay(Int32 ms, Int32 id)"))
}

// wait passes time under a context.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func addErr(x *rpc.Mux) {
	var count atomic.Int32
	for name, text := range map[string]string{"Throw": "boom 中文", "ThrowInner": "inner", "ThrowAsync": "async boom", "ThrowMulti": "line1\r\nline2", "ThrowEmpty": "",
		"ArgNull": "Value cannot be null. (Parameter 'name')"} {
		rpc.HandleVoid(x, "Err/"+name, func(context.Context, struct{}) error { return errors.New(text) }, rpc.Params())
	}
	rpc.HandleVoid(x, "Err/Api", func(_ context.Context, a struct{ Code int32 }) error {
		return rpc.NewError(a.Code, fmt.Sprint("code ", a.Code))
	}, rpc.Params())
	for name, code := range map[string]int32{"ApiQuoted": 999, "ApiInner": 777} {
		rpc.HandleVoid(x, "Err/"+name, func(context.Context, struct{}) error { return rpc.NewError(code, `"`+name+`"`) }, rpc.Params())
	}
	rpc.HandleVoid(x, "Err/Count", func(context.Context, struct{}) error { count.Add(1); return nil }, rpc.Params())
	rpc.Handle(x, "Err/GetCount", func(context.Context, struct{}) (int32, error) { return count.Load(), nil }, rpc.Params())
}

// each makes a stream of n items.
func each[T any](n int, item func(int) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for i := range n {
			if !yield(item(i)) {
				return
			}
		}
	}
}

type countArg struct {
	Count int `json:"count"`
	N     int `json:"n"`
}

func addStream(x *rpc.Mux) {
	rpc.HandleStream(x, "Stream/Range", func(_ context.Context, a countArg) iter.Seq2[int32, error] {
		return each(a.Count, func(i int) (int32, error) { return int32(i), nil })
	}, rpc.Params())
	rpc.HandleStream(x, "Stream/Logs", func(_ context.Context, a countArg) iter.Seq2[string, error] {
		return each(a.Count, func(i int) (string, error) { return fmt.Sprint("Log #", i), nil })
	}, rpc.Params())
	rpc.HandleStream(x, "Stream/Users", func(_ context.Context, a countArg) iter.Seq2[*User, error] {
		return each(a.Count, func(i int) (*User, error) { return &User{Id: int32(i + 1), Name: str("u" + strconv.Itoa(i))}, nil })
	}, rpc.Params())
	rpc.HandleStream(x, "Stream/Bytes", func(_ context.Context, a countArg) iter.Seq2[value.Packet, error] {
		return each(a.Count, func(i int) (value.Packet, error) { return value.Packet{byte(i), 0xFF}, nil })
	}, rpc.Params())
	for name, items := range map[string][]*string{"WithEmpty": {str("a"), str(""), str("c")}, "WithNull": {str("a"), nil, str("c")}} {
		rpc.HandleStream(x, "Stream/"+name, func(context.Context, struct{}) iter.Seq2[*string, error] {
			return each(len(items), func(i int) (*string, error) { return items[i], nil })
		}, rpc.Params())
	}
	for name, end := range map[string]error{"FailAt": errors.New("stream boom"), "ApiFailAt": rpc.NewError(777, "api boom")} {
		rpc.HandleStream(x, "Stream/"+name, func(_ context.Context, a countArg) iter.Seq2[string, error] {
			return each(a.N+1, func(i int) (string, error) {
				if i == a.N {
					return "", end
				}
				return "ok" + strconv.Itoa(i), nil
			})
		}, rpc.Params())
	}
	rpc.HandleStream(x, "Stream/Slow", func(ctx context.Context, a countArg) iter.Seq2[int32, error] {
		return each(a.Count, func(i int) (int32, error) { return int32(i), wait(ctx, 20*time.Millisecond) })
	}, rpc.Params())
}

func addPush(x *rpc.Mux) {
	rpc.Handle(x, "Push/Ask", func(ctx context.Context, a countArg) (int, error) {
		for i := range a.N {
			body := fmt.Sprintf(`{"Index":%d,"Text":"push %d"}`, i+1, i+1)
			if err := rpc.Peer(ctx).Notify(ctx, "Notify", []byte(body)); err != nil {
				return 0, err
			}
		}
		return a.N, nil
	}, rpc.Params())
	rpc.Handle(x, "Push/AskKinds", func(ctx context.Context, _ struct{}) (int, error) {
		flags := [...]byte{1, 1, 1, 3, 1} // 0 was recorded as 1
		bodies := [...][]byte{[]byte("text"), nil, {1, 2, 3}, []byte(`{"A":1}`), []byte("x")}
		for i, name := range []string{"Str", "None", "Pk", "Flag3", "Flag0"} {
			if err := rpc.Peer(ctx).Notify(rpc.WithOptions(ctx, rpc.CallOptions{Flag: &flags[i]}), name, bodies[i]); err != nil {
				return 0, err
			}
		}
		return 5, nil
	}, rpc.Params())
}

// orNil shows a token as the recordings do.
func orNil(s string) string {
	if s == "" {
		return "(null)"
	}
	return s
}

func addUser(x *rpc.Mux) {
	rpc.Handle(x, "User/Login", func(ctx context.Context, a struct{ Name, Pass string }) (value.Object, error) {
		if a.Pass != "123" {
			return nil, rpc.NewError(401, "bad password")
		}
		return value.Object{{Name: "Token", Value: "tk-" + a.Name}, {Name: "Expire", Value: 7200}}, nil
	}, rpc.Params())
	rpc.Handle(x, "User/WhoAmI", func(ctx context.Context, _ struct{}) (string, error) { return orNil(rpc.Peer(ctx).Token()), nil }, rpc.Params())
	rpc.Handle(x, "User/WhoAmI1", func(ctx context.Context, a struct {
		X *int32 `json:"x"`
	}) (string, error) {
		n := ""
		if a.X != nil {
			n = showInt(*a.X)
		}
		return orNil(rpc.Token(ctx)) + " x=" + n, nil
	}, rpc.Params())
	rpc.Handle(x, "User/TokenArg", func(ctx context.Context, a struct {
		Token string `json:"token"`
		A     int32  `json:"a"`
	}) (string, error) {
		return fmt.Sprintf("arg=%s session=%s a=%d", a.Token, rpc.Peer(ctx).Token(), a.A), nil
	}, rpc.Params())
	guarded := func(ctx context.Context) error {
		if rpc.Token(ctx) != "tk-stone" {
			return rpc.NewError(401, "no token")
		}
		return nil
	}
	rpc.Handle(x, "Safe/Say", func(ctx context.Context, a struct {
		Text string `json:"text"`
	}) (string, error) {
		return "safe " + a.Text, guarded(ctx)
	}, rpc.Params())
	rpc.Handle(x, "Safe/NoArg", func(ctx context.Context, _ struct{}) (string, error) { return "safe", guarded(ctx) }, rpc.Params())
}

func addOver(x *rpc.Mux) {
	type a struct {
		A string `json:"a"`
	}
	with(x, "Over/Same", func(v struct {
		A int32 `json:"a"`
		B int32 `json:"b"`
	}) string {
		return fmt.Sprint("ints ", v.A+v.B)
	})
	for name, text := range map[string]string{"Over/Case": "mixed ", "Over/renamed": "renamed ", "Top/Level": "slash ", "Over/Desc": "", "Wild/*": "wild "} {
		with(x, name, func(v a) string { return text + v.A })
	}
	for name, text := range map[string]string{"Over/ToString": "overridden ToString", "Wild/One": "one"} {
		with(x, name, func(struct{}) string { return text })
	}
	for i := range 10 {
		with(x, "Many/M"+strconv.Itoa(i), func(struct{}) string { return strconv.Itoa(i) })
	}
}
