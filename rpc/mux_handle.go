package rpc

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
	"github.com/spanwire/spanwire/span"
)

// HandleOption changes how [Handle] adds a typed handler.
type HandleOption func(*typed)

// Params makes the fields of the argument, a struct or a pointer to one, the parameters of the action, bound as NewLife binds
// them: by name from a JSON object; a single one also takes the bare value, and a struct among them the whole object when it
// has no member of its name. What the fields hold when from returns them, a struct of the argument's type, are the defaults; without
// from they are zero. Handle calls from once and panics when it returns anything else, or the argument is neither.
//
// A []byte among them is base64 text, as NewLife's byte[] is, also when it is the only one. Bytes that [Client.Invoke] sends as they
// are - a []byte, a value.Packet - fit only a single value.Packet, or a whole argument; to a single []byte they are code 400
// unless they happen to be base64.
func Params(from ...func() any) HandleOption {
	return func(t *typed) {
		t.params = true
		if len(from) > 0 {
			t.fresh = from[0]
		}
	}
}

// RunInline runs the handler on the connection's reader: see [Inline]. HandleStream ignores it.
func RunInline() HandleOption { return func(t *typed) { t.inline = true } }

// Signature states the text of the action in Api/All.
func Signature(text string) HandleOption { return func(t *typed) { t.text = text } }

// typed is what is known of a typed handler.
type typed struct {
	layouts
	points reflect.Type // what a pointer argument points to, else nil
	looks  bool         // a token is looked for in the argument
	params bool
	inline bool
	text   string
	fresh  func() any
	fields []param
}

// param is a field that is a parameter.
type param struct {
	name string
	at   int
}

// Handle adds a handler with types. The argument is read from the request, as a whole unless [Params]: a span body, lossless JSON, or
// what NewLife sends. A pointer argument is never nil unless a Params field is. The result is written as the caller wants it: see
// "Values" in the package documentation.
//
// An argument that is a []byte or a value.Packet is the body as it stands, which is what [Client.Invoke] sends of either; of another
// value it is that value's lossless JSON. The []byte is a copy, the Packet is valid until the handler returns. A result of these types is
// sent as it stands, and read so.
//
// Handle panics, as [Mux.Handle] does, for names that can't be called, and for types without values to send: channels and functions.
func Handle[Arg, Result any](x *Mux, action string, f func(ctx context.Context, arg Arg) (Result, error), options ...HandleOption) {
	mustTravel(action, "argument", reflect.TypeFor[Arg]())
	mustTravel(action, "result", reflect.TypeFor[Result]())
	t := newTyped(action, reflect.TypeFor[Arg](), reflect.TypeFor[Result](), options)
	if t.text == "" {
		t.text = signature(action, reflect.TypeFor[Arg](), reflect.TypeFor[Result](), t.params)
	}
	m := newMethod(action, typedHandler(t, f))
	m.inline, m.text, m.types, m.looks = t.inline, t.text, &t.layouts, t.looks
	x.add(m)
}

// Typed makes a handler with types for servers without the envelope: each value that comes and goes is one JSON value, from which nothing
// is lost. With Server.Peer NewLife scalars are text and everything else its JSON, which frames of the Standard codec tell by their flag.
func Typed[Arg, Result any](f func(ctx context.Context, arg Arg) (Result, error), options ...HandleOption) Handler {
	mustTravel("", "argument", typeOf[Arg]())
	mustTravel("", "result", typeOf[Result]())
	t := newTyped("", typeOf[Arg](), typeOf[Result](), options)
	h := typedFunc{typedHandler(t, f), &t.layouts}
	if t.inline {
		return Inline(h)
	}
	return h
}

func typedHandler[Arg, Result any](t *typed, f func(ctx context.Context, arg Arg) (Result, error)) HandlerFunc {
	return func(ctx context.Context, dst []byte, r *Request) ([]byte, error) {
		defer r.letGo()
		arg, err := argument[Arg](ctx, t, r)
		if err != nil {
			return nil, err
		}
		res, err := f(ctx, arg)
		if err != nil {
			return nil, err
		}
		return r.write(dst, res)
	}
}

// HandleVoid adds a handler without a result.
func HandleVoid[Arg any](x *Mux, action string, f func(ctx context.Context, arg Arg) error, options ...HandleOption) {
	mustTravel(action, "argument", reflect.TypeFor[Arg]())
	t := newTyped(action, reflect.TypeFor[Arg](), nil, options)
	if t.text == "" {
		t.text = signature(action, reflect.TypeFor[Arg](), nil, t.params)
	}
	h := HandlerFunc(func(ctx context.Context, _ []byte, r *Request) ([]byte, error) {
		defer r.letGo()
		arg, err := argument[Arg](ctx, t, r)
		if err != nil {
			return nil, err
		}
		return nil, f(ctx, arg)
	})
	m := newMethod(action, h)
	m.inline, m.text, m.types, m.looks = t.inline, t.text, &t.layouts, t.looks
	x.add(m)
}

// argument reads the argument of a request.
func argument[Arg any](ctx context.Context, t *typed, r *Request) (arg Arg, err error) {
	if t.points != nil {
		arg = reflect.New(t.points).Interface().(Arg)
		return arg, t.read(ctx, r, arg)
	}
	p := new(Arg)
	err = t.read(ctx, r, p)
	return *p, err
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

func newTyped(action string, arg, result reflect.Type, options []HandleOption) *typed {
	t := &typed{layouts: layouts{arg: arg, result: result}}
	for _, o := range options {
		o(t)
	}
	if arg.Kind() == reflect.Pointer {
		t.points = arg.Elem()
		arg = arg.Elem()
	}
	if t.params {
		t.mustBind(action, arg)
		for i := range arg.NumField() {
			if f := arg.Field(i); f.IsExported() {
				t.fields = append(t.fields, param{paramName(f), i})
			}
		}
	}
	t.looks = t.holdsToken()
	return t
}

// read fills arg, a pointer, from a request.
func (t *typed) read(ctx context.Context, r *Request, arg any) (err error) {
	c, enc := r.conn, r.tail.Body()
	if enc == remoting.Plain && !c.cfg.envelope && c.cfg.peers != NewLife && !t.stands(c) {
		enc = remoting.Lossless
	}
	d := c.cfg.dialect
	if len(r.Body) >= grownBody && c.cfg.bytesHeld != nil {
		d.Grow = r.grow
	}
	r.noteToken(ctx, r.metadata(tokenMember))
	switch enc {
	case remoting.Plain:
		if t.looks {
			r.findToken(ctx)
		}
		err = t.bind(r, arg, d.Bind)
	case remoting.Span:
		if why := t.otherIn(r.tail); why != "" { // by way of PassThrough: else it was found on the reader
			return &Error{Code: remoting.Mismatch, Text: why, refusal: remoting.OtherLayout}
		}
		if r.Body != nil {
			err = span.Unmarshal(r.Body, arg)
		}
	case remoting.Lossless:
		if t.stands(c) {
			return d.Bind(r.Body, value.Param{Into: arg})
		}
		err = t.bind(r, arg, d.BindLossless)
	default:
		err = fmt.Errorf("body encoding %d is not known", enc)
	}
	if errors.Is(err, errShed) {
		return err
	}
	if err != nil {
		err = badArgument(err)
		r.unread(err)
	}
	return err
}

// stands tells whether the argument takes a body as it stands.
func (t *typed) stands(c *conn) bool {
	if t.params || !t.made().in.raw {
		return false
	}
	if c.cfg.envelope {
		return true
	}
	raw, _ := c.bareRaw(t.layouts.arg)
	return raw
}

// bind gives the body to the argument as a whole, or to its fields by name.
func (t *typed) bind(r *Request, arg any, bind func(data []byte, params ...value.Param) error) error {
	if !t.params {
		return bind(r.Body, value.Param{Into: arg})
	}
	v := reflect.ValueOf(arg).Elem()
	if t.fresh != nil {
		v.Set(reflect.ValueOf(t.fresh()))
	}
	params := make([]value.Param, len(t.fields))
	for i, f := range t.fields {
		params[i] = value.Param{Name: f.name, Into: v.Field(f.at).Addr().Interface()}
	}
	return bind(r.Body, params...)
}

// unread logs a one-way message whose argument cannot be read: nobody is told.
func (r *Request) unread(err error) {
	if r.OneWay {
		r.conn.cfg.rare.badRequests.Add(1)
		r.conn.drop(r, err.Error())
	}
}

// metadata is the value of a key, "" without.
func (r *Request) metadata(key string) string {
	for k, v := range r.tail.Metadata() {
		if string(k) == key {
			return string(v)
		}
	}
	return ""
}

// write appends a result to dst as the caller wants it.
func (r *Request) write(dst []byte, res any) (out []byte, err error) {
	c := r.conn
	var kind value.Kind
	r.enc = remoting.Plain
	if enc, read := r.wanted(); !read {
		return nil, nil
	} else if !c.cfg.envelope {
		out, kind, err = c.appendBare(dst, res)
		r.Flag = kindFlag(r.Flag, kind)
	} else if enc == remoting.Plain {
		out, kind, err = c.appendCut(dst, res)
	} else {
		out, kind, err = r.writeOurs(dst, res, enc)
	}
	switch {
	case err != nil:
		return nil, badResult(err)
	case kind == value.Absent:
		return nil, nil
	case out == nil:
		out = []byte{}
	}
	return out, nil
}

// writeOurs appends a result as a span body or lossless JSON.
func (r *Request) writeOurs(dst []byte, res any, enc remoting.Encoding) ([]byte, value.Kind, error) {
	d := &r.conn.cfg.dialect
	t := reflect.TypeOf(res)
	if t == nil || t.Kind() == reflect.Pointer && isNil(reflect.ValueOf(res)) {
		return dst, value.Absent, nil
	}
	switch f := formOf(t); {
	case f.err != nil:
		return dst, value.Absent, f.err
	case f.raw:
		return d.Append(dst, res)
	}
	r.enc = enc
	if enc == remoting.Span {
		out, err := span.Append(dst, res)
		return out, value.Span, err
	}
	out, err := d.AppendLossless(dst, res)
	return out, value.JSON, err
}
