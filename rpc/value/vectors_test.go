package value

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/internal/vectors/talks"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

const up = ".."

// TestVectorAnswers gives each recorded request to the service of the recordings, and compares what it answers with the
// recorded answer: the binding of arguments and the form of results.
func TestVectorAnswers(t *testing.T) {
	for _, file := range vectors.Files(t, up, "remoting/*.jsonl") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			for _, c := range talks.Read(vectors.Read(t, up, file)) {
				for _, r := range c.Requests {
					if _, err := call(Dialect{}, r.Action(), nil); c.Made || !r.Asks() || len(r.Answers) == 0 || errors.Is(err, errUnknown) {
						continue
					}
					t.Run(fmt.Sprintf("%d-%s%s", r.Line.Number, c.Case, r.Action()), func(t *testing.T) { answered(t, r) })
				}
			}
		})
	}
}

// answered compares an answer. Where NewLife takes 0, false, "" or the wrapped number an argument does not convert here, and gives
// the recorded answer under Compat. So do objects that nest deeper than NewLife writes.
func answered(t *testing.T, r *talks.Request) {
	action, data, want := r.Action(), r.Message.Message.Data, r.Answers[0].Message
	if want.Code == 401 {
		return // what the session knows is tested with servers
	}
	got, err := call(Dialect{}, action, data)
	if r.Answers[0].Frame.Mode() == frame.ErrorResponse {
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%v, %v; recorded an error: %s", got, err, want.Data)
		}
		return
	}
	same := func(d Dialect, got any, err error) error {
		if err != nil {
			return err
		}
		b, kind, err := d.Append(nil, got)
		if err == nil && ((kind == Absent) != (want.Data == nil) || string(b) != string(want.Data)) {
			err = fmt.Errorf("%q %d", b, kind)
		}
		return err
	}
	if first := same(Dialect{}, got, err); first != nil {
		compat := Dialect{Compat: true}
		got, err = call(compat, action, data)
		if again := same(compat, got, err); again != nil || !errors.Is(first, ErrConvert) && action != "Value/Deep" {
			t.Fatalf("%v, under Compat %v\nrecorded\n%q", first, again, want.Data)
		}
	}
}

// TestRecordedArguments writes what the recorded client was given, and compares with what it sent.
func TestRecordedArguments(t *testing.T) {
	type O = Object
	user := func(id int32) *User { return &User{Id: id} }
	when := plain(2024, 2, 3, 4, 5, 6, 789)
	full := O{{"i", 1}, {"l", int64(9007199254740993)}, {"d", 1.5}, {"b", true}, {"t", when}, {"s", "中文😀"},
		{"u", &User{Id: 1, Name: str("Stone"), CreateTime: plain(2024, 1, 1, 0, 0, 0, 0), Tags: []string{"x"}}},
		{"arr", []int{1, 0, 3}}, {"list", []*string{str("a"), nil, str("b")}}, {"n", (*int32)(nil)}}
	defaults := O{{"i", 0}, {"l", int64(0)}, {"d", 0.0}, {"b", false}, {"t", time.Time{}}, {"s", ""}, {"u", &User{}}, {"arr", []int{}}, {"list", []*string{}}, {"n", nil}}
	args := map[string][]any{
		"echo-string": {O{{"msg", "hello"}}, "hello", O{{"msg", ""}}, "", nil, O{}, O{{"msg", "中文😀"}}, "中文😀", "  spaces  ", O{{"msg", "  spaces  "}},
			`{"msg":"inside"}`, `{"other":"x"}`, "[1,2]", "{bad", `"quoted"`, 123, when, true, 1.5, O{{"msg", odd + "<>&'"}}, O{{"MSG", "upper name"}},
			O{{"msg", "hello"}}, O{{"msg", "77"}}, O{{"msg", "hello"}}},
		"object-args": {full, defaults, struct{}{}, map[string]any{"s": "x", "i": 5}, O{{"v", 5}}, 5, nil, O{{"other", 5}}, int64(9007199254740993), O{{"v", 1e300}},
			O{{"v", 0.1}}, 1.5e-7, O{{"v", true}}, true, O{{"v", when}}, O{{"v", utc(when)}}, when, utc(when), O{{"v", guid}}, O{{"v", Blue}}, Blue,
			O{{"v", (*int32)(nil)}}, O{{"v", new(int32)}}, stone, O{{"user", &User{Id: 1, Name: str("in user")}}}, O{{"id", 3}, {"NAME", "case"}}, nil, &User{},
			O{{"a", user(1)}, {"b", user(2)}}, O{{"a", user(1)}, {"Id", 7}, {"Name", "top"}}, O{{"Id", 1}, {"Name", "x"}, {"n", 5}}, O{{"a", 1}},
			O{{"a", 1}, {"b", 0}, {"c", nil}}, O{{"a", 1}, {"b", 2}, {"c", "z"}}, 7, O{{"x", 1}, {"y", "s"}}, O{{"d", O{{"x", 1}}}}, []int32{1, 2, 3},
			O{{"v", []int32{1, 2, 3}}}, []int32{}, []any{"a", nil, "b"}, []User{{Id: 1}, {Id: 2, Name: str("B")}}, O{{"x", 1}}, "text", 5, []byte{1, 2, 3},
			O{{"data", []byte{1, 2, 3}}}, O{{"data", []byte{1, 2, 3}}, {"n", 4}}, O{{"pk", Packet{1, 2, 3}}, {"n", 4}}, O{{"x", 1}}},
		"accessor": {&Acc{1, "ab"}, &Acc{258, "中"}, &Acc{1, "ab"}, nil, []byte{1, 2}, Spn{1, "ab"}, &Acc{1, "ab"}},
	}
	*args["object-args"][22].(O)[0].Value.(*int32) = 3
	for file, want := range args {
		n := 0
		for _, l := range vectors.Committed(t, up, "remoting/"+file+".jsonl") {
			if l.Text("dir") != "c2s" || !l.Has("frame") {
				continue
			}
			f, _, _ := frame.Standard{}.ParseFrame(l.Bytes(t, "frame").Head)
			m, err := remoting.Parse(f.Mode(), f.Payload)
			if err != nil || n >= len(want) {
				t.Fatal(n, err)
			}
			t.Run(fmt.Sprintf("%s/%d", file, n+1), func(t *testing.T) {
				b, kind, err := Dialect{}.Append(nil, want[n])
				if err != nil || (kind == Absent) != (m.Data == nil) || string(b) != string(m.Data) {
					t.Fatalf("%s:%d: %q %v\nrecorded\n%q", file, l.Number, b, err, m.Data)
				}
			})
			n++
		}
		if n != len(want) {
			t.Fatalf("%s: %d requests, %d known", file, n, len(want))
		}
	}
}

// TestVectorMembers: tokens and headers in the arguments of the recorded client.
func TestVectorMembers(t *testing.T) {
	type O = Object
	for _, k := range []struct {
		v       any
		members []Member
		want    string
		err     error
	}{
		{O{{"x", 1}}, []Member{{"Token", "tk-abc"}}, `{"x":1,"Token":"tk-abc"}`, nil},
		{O{{"x", 1}}, []Member{{"Token", ""}}, `{"x":1}`, nil},
		{O{{"token", "mine"}, {"a", 5}}, []Member{{"Token", "tk-abc"}}, `{"token":"mine","a":5}`, nil},
		{O{}, []Member{{"Token", "tk-stone"}}, `{"Token":"tk-stone"}`, nil},
		{O{{"x", 1}}, []Member{{"Token", "t"}, {"h", "v"}, {"H", "w"}}, `{"x":1,"Token":"t","h":"v"}`, nil},
		{&User{Id: 1}, []Member{{"Token", "tk-abc"}}, `{"Id":1,"Color":0,"Token":"tk-abc"}`, nil},
		{[]int{1, 2}, []Member{{"Token", "tk-abc"}}, `[1,2]`, nil},
		{[]byte{1, 2}, []Member{{"Token", "tk-abc"}}, "\x01\x02", nil},
		{nil, []Member{{"Token", "tk-abc"}}, "", nil},
		{"text", []Member{{"Token", "tk-abc"}}, "text", ErrNoObject}, {5, []Member{{"Token", "t"}}, "5", ErrNoObject},
		{Packet{1}, []Member{{"Token", "t"}}, "\x01", ErrNoObject}, {&Acc{}, []Member{{"Token", "t"}}, "\x00\x00\x00\x00", ErrNoObject},
		{guid, []Member{{"Token", "t"}}, `"11223344-5566-7788-99aa-bbccddeeff00"`, ErrNoObject}, {"text", []Member{{"Token", ""}}, "text", nil},
	} {
		b, kind, err := Dialect{}.Append([]byte("pre"), k.v)
		if err != nil {
			t.Fatal(err)
		}
		b, err = AppendMembers(b, 3, kind, k.members...)
		if !errors.Is(err, k.err) || string(b) != "pre"+k.want {
			t.Errorf("%v: %q %v", k.v, b, err)
		}
	}
}

// TestVectorTokens: every recorded token is found where the server finds it.
func TestVectorTokens(t *testing.T) {
	for _, file := range vectors.Files(t, up, "remoting/*.jsonl") {
		t.Run(file, func(t *testing.T) {
			for _, c := range talks.Read(vectors.Read(t, up, file)) {
				for _, r := range c.Requests {
					data := r.Message.Message.Data
					var members map[string]json.RawMessage
					if json.Unmarshal(data, &members) != nil {
						continue
					}
					var tokens []string
					for name, raw := range members {
						var s string
						if strings.EqualFold(name, "token") && json.Unmarshal(raw, &s) == nil {
							tokens = append(tokens, s)
						}
					}
					if got, ok := FindMember(data, "Token"); ok != (len(tokens) > 0) || ok && !slices.Contains(tokens, got) {
						t.Errorf("line %d: %q %v of %q", r.Line.Number, got, ok, tokens)
					}
				}
			}
		})
	}
}

// TestVectorJSON: what the recorded peers wrote as JSON is written again to the same bytes, from values that keep it whole.
func TestVectorJSON(t *testing.T) {
	for _, file := range vectors.Files(t, up, "remoting/*.jsonl") {
		t.Run(file, func(t *testing.T) {
			for _, l := range vectors.Read(t, up, file) {
				b, ok := l.Try("frame")
				if !ok || !b.Whole {
					continue
				}
				f, _, _ := talks.Wide.ParseFrame(b.Head)
				m, err := remoting.Parse(f.Mode(), f.Payload)
				if v, ok := plainJSON(m.Data); err == nil && ok && !strings.HasSuffix(string(m.Action), "/StrJson") {
					t.Run(l.Name(), func(t *testing.T) {
						b, err := Dialect{Keep: true}.AppendJSON(nil, v)
						if err != nil || string(b) != string(m.Data) {
							t.Fatalf("%q, %v\nrecorded\n%q", b, err, m.Data)
						}
					})
				}
			}
		})
	}
}

// plainJSON reads an object or array that has no white space between its parts and is valid.
func plainJSON(b []byte) (any, bool) {
	var tight bytes.Buffer
	if len(b) == 0 || b[0] != '{' && b[0] != '[' || json.Compact(&tight, b) != nil || tight.Len() != len(b) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	v, err := ordered(d)
	return v, err == nil
}

// ordered reads the next JSON value with members in their order.
func ordered(d *json.Decoder) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		o := Object{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := ordered(d)
			if err != nil {
				return nil, err
			}
			o = append(o, Entry{Name: name.(string), Value: v})
		}
		_, err := d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := ordered(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	return tok, nil
}

// TestVectorJSONCodec: values through NewLife's JsonCodec, which keeps nulls and zeros, writes byte arrays as base64 and lets
// packets pass.
func TestVectorJSONCodec(t *testing.T) {
	for _, l := range vectors.Read(t, up, "split.jsonl") {
		if !strings.HasSuffix(l.Text("codec"), "json") || !l.Has("write") {
			continue
		}
		t.Run(l.Text("codec")+"/"+l.Name(), func(t *testing.T) {
			payload := l.Bytes(t, "hex").Head
			flag := byte(1)
			if l.Text("codec") == "standard+json" {
				f, _, err := frame.Standard{}.ParseFrame(payload)
				if err != nil {
					t.Fatal(err)
				}
				payload, flag = f.Payload, f.Flag()
			}
			v, err := written(l.Text("write"), payload)
			if err != nil {
				t.Fatal(err)
			}
			b, kind, err := Dialect{Keep: true}.Append(nil, v)
			if kind == Bytes { // this codec has no bytes as they are
				kind = JSON
				b, err = Dialect{Keep: true}.AppendJSON(nil, v)
			}
			if err != nil || string(b) != string(payload) {
				t.Fatalf("%q %v, recorded %q", b, err, payload)
			}
			if l.Has("flagSet") && (kind == JSON) != (l.Text("flagSet") == "Json") || l.Text("codec") == "standard+json" && flag != kind.Flag() {
				t.Fatal(kind, flag)
			}
		})
	}
}

// written returns the value that a line says was written. Of an object whose form the line does not say the payload is taken.
func written(write string, payload []byte) (any, error) {
	kind, text := vectors.Described(write)
	switch kind {
	case "string":
		return text, nil
	case "byte[]":
		return hex.DecodeString(text)
	case "ipacket", "packet", "arraypacket", "ownerpacket":
		b, err := hex.DecodeString(text)
		return Packet(b), err
	case "bool", "boolean":
		return strconv.ParseBool(text)
	case "int", "long", "short", "byte", "uint", "ulong", "int16", "int32", "int64", "decimal":
		return json.Number(text), nil
	case "double", "single", "float":
		f, err := strconv.ParseFloat(text, 64)
		return f, err
	case "datetime":
		return dotnet.ParseTime(text)
	}
	v, ok := plainJSON(payload)
	if o, err := describedObject(write, v); ok && (o != nil || err != nil) {
		return o, err
	}
	if ok {
		return v, nil
	}
	var s string
	if json.Unmarshal(payload, &s) == nil {
		return json.RawMessage(payload), nil // a text form in quotes
	}
	return nil, fmt.Errorf("nobody knows %q", write)
}

// TestVectorClient reads the recorded answers as the types that the recorded client asked for.
func TestVectorClient(t *testing.T) {
	for _, file := range vectors.Files(t, up, "remoting/*.jsonl") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			lines := vectors.Read(t, up, file)
			if !lines[0].Has("client calls") {
				t.Skip("no calls of a client")
			}
			calls, requests := lines[0].Subs(t, "client calls"), asked(lines)
			same := func(c vectors.Line, r *talks.Request) bool { return c.Text("action") == r.Action() }
			if !slices.EqualFunc(calls, requests, same) || !inTurn(requests) {
				t.Skip("the calls did not go out one by one")
			}
			for i, c := range calls {
				if !c.Has("resultType") || len(requests[i].Answers) == 0 || requests[i].Answers[0].Frame.Mode() != frame.Response {
					continue
				}
				t.Run(c.Text("n")+"-"+c.Text("action"), func(t *testing.T) { returned(t, c, requests[i].Answers[0].Message.Data) })
			}
		})
	}
}

// inTurn reports that each request was answered before the next one went out.
func inTurn(requests []*talks.Request) bool {
	for i, r := range requests[:max(len(requests)-1, 0)] {
		if n := len(r.Answers); n > 0 && r.Answers[n-1].Line.Number > requests[i+1].Line.Number {
			return false
		}
	}
	return true
}

// asked gives the requests of all connections in the order of their lines.
func asked(lines []vectors.Line) (all []*talks.Request) {
	for _, c := range talks.Read(lines) {
		if !c.Made {
			all = append(all, c.Requests...)
		}
	}
	slices.SortStableFunc(all, func(a, b *talks.Request) int { return a.Line.Number - b.Line.Number })
	return all
}

// returned compares what a recorded call returned with what ours reads. Where the recorded client fails ours may read, and where it
// takes a bad number for 0 ours does so under Compat.
func returned(t *testing.T, c vectors.Line, data []byte) {
	kind, want := c.Text("resultType"), c.Text("result")
	if kind == "IMessage" {
		return // the frame itself
	}
	show, dst := clientTypes(kind)
	if dst == nil {
		t.Fatalf("unknown type %q", kind)
	}
	err := Dialect{}.Read(data, dst)
	if c.Has("error") {
		if err != nil && !errors.Is(err, ErrConvert) && !errors.Is(err, ErrSyntax) {
			t.Fatal(err)
		}
		return
	}
	if errors.Is(err, ErrConvert) {
		err = Dialect{Compat: true}.Read(data, dst)
	}
	if strings.HasPrefix(c.Raw("result"), "{") { // a long one
		r, sum := c.Sub(t, "result"), sha256.Sum256(data)
		if length := "length"; err != nil || r.Has(length) && len([]rune(string(data))) != r.Int(t, length) ||
			r.Has("hexLength") && len(data) != r.Int(t, "hexLength") || r.Has("sha256") && hex.EncodeToString(sum[:]) != r.Text("sha256") {
			t.Fatal(len(data), err)
		}
		return
	}
	if kind == "UInt64" && want == "UInt64 0" { // the recorded client's own
		want = "UInt64 " + string(data)
	}
	if got := show(); err != nil || got != want && want != "(null)" && kind != "Object" {
		t.Fatalf("%q %v, recorded %q", got, err, want)
	}
}

// clientTypes makes a destination for a recorded result type, and shows it as the recording does.
func clientTypes(kind string) (show func() string, dst any) {
	number := func(p any) (func() string, any) {
		return func() string {
			b, _, _ := Dialect{}.Append(nil, p)
			return kind + " " + string(b)
		}, p
	}
	asJSON := func(name string, p any) (func() string, any) {
		return func() string {
			b, _ := Dialect{Keep: true}.AppendJSON(nil, p)
			return name + " " + string(b)
		}, p
	}
	switch kind {
	case "String":
		p := new(string)
		return func() string { return *p }, p
	case "Int32":
		return number(new(int32))
	case "Int64":
		return number(new(int64))
	case "Byte":
		return number(new(uint8))
	case "UInt64":
		return number(new(uint64))
	case "Double":
		return number(new(float64))
	case "Single":
		return number(new(float32))
	case "Decimal":
		p := new(json.Number)
		return func() string { return "Decimal " + string(*p) }, p
	case "Boolean":
		p := new(bool)
		return func() string { return fmt.Sprintf("Boolean %v", *p) }, p
	case "Char":
		p := new(string)
		return func() string { return `Char "` + *p + `"` }, p
	case "DateTime":
		p := new(time.Time)
		return func() string { return clockText(*p) }, p
	case "Color":
		p := new(Color)
		return func() string { return fmt.Sprintf("Color %d", *p) }, p
	case "Nullable<Int32>":
		p := new(*int32)
		return func() string { return "" }, p
	case "TimeSpan":
		return func() string { return "" }, new(time.Duration)
	case "Guid":
		return func() string { return "" }, new(GUID)
	case "Object":
		return func() string { return "" }, new(any)
	case "IPacket":
		p := new(Packet)
		return func() string { return "hex:" + hex.EncodeToString(*p) }, p
	case "Byte[]":
		p := new([]byte)
		return func() string { return "hex:" + hex.EncodeToString(*p) }, p
	case "Acc":
		p := new(Acc)
		return func() string { return fmt.Sprintf("Acc %d:%s", p.Id, p.Name) }, p
	case "Spn":
		return asJSON("Spn", new(Spn))
	case "String[]":
		return asJSON("String[]", new([]string))
	case "User":
		p := new(*User)
		return func() string { return (*p).show() }, p
	case "User[]":
		return asJSON("User[]", new([]User))
	case "List<User>":
		return asJSON("List", new([]*User))
	case "IDictionary<String,Object>":
		return asJSON("NullableDictionary", new(Object))
	case "Int32[]":
		return asJSON("Int32[]", new([]int32))
	}
	return nil, nil
}
