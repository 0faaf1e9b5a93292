package rpc

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
	"github.com/spanwire/spanwire/span"
)

// encode writes the argument of a call into k as the peer understands it and makes a request of it. reply is the type of the pointer
// that the answer is read into, nil when it is not read. With json values travel as lossless JSON though package span carries them.
func (c *conn) encode(ctx context.Context, k *buffer, action string, arg any, reply reflect.Type, members []value.Member, json bool) (m outgoing, err error) {
	m.init(ctx, action, nil)
	switch {
	case !c.cfg.envelope:
		err = c.encodeBare(k, &m, arg)
	case c.ours():
		err = encodeOurs(&c.cfg.dialect, k, &m, arg, replyForm(reply), json)
		m.beside(members)
	default:
		err = c.encodeNewLife(k, &m, arg, members)
	}
	m.body = k.b
	return m, err
}

// encodeOurs writes a value for a peer of ours.
func encodeOurs(d *value.Dialect, k *buffer, m *outgoing, arg any, reply *typeForm, json bool) (err error) {
	argPrint := uint64(notRead)
	m.null = false
	switch t := reflect.TypeOf(arg); {
	case t == nil || t.Kind() == reflect.Pointer && isNil(reflect.ValueOf(arg)):
		m.null = true
	default:
		f := formOf(t)
		switch {
		case f.err != nil:
			return f.err
		case f.raw:
			var kind value.Kind
			k.b, kind, err = d.Append(k.b[:0], arg)
			m.null = kind == value.Absent
		case f.print != wantedJSON && !json:
			m.enc, argPrint = remoting.Span, f.print
			k.b, err = span.Append(k.b[:0], arg)
		default:
			m.enc, argPrint = remoting.Lossless, wantedJSON
			k.b, err = d.AppendLossless(k.b[:0], arg)
		}
	}
	result := uint64(notRead)
	switch {
	case reply == nil:
	case reply.err != nil:
		return reply.err
	case json || reply.raw:
		result = wantedJSON
	default:
		result = reply.print
	}
	// In lossless JSON a request is answered in kind; any other says what is wanted.
	m.layouts = m.enc == remoting.Span || result > wantedJSON || m.enc == remoting.Plain && result != notRead
	m.argPrint, m.resultPrint = argPrint, result
	return err
}

// isNil tells whether there is nothing at the end of pointers.
func isNil(v reflect.Value) bool {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	return false
}

// beside puts members beside the body: into the metadata.
func (m *outgoing) beside(members []value.Member) {
	if len(members) == 0 {
		return
	}
	more := outgoingMore{}
	if m.more != nil {
		more = *m.more
	}
	more.meta = append(Metadata(nil), more.meta...)
	for _, p := range members {
		if p.Value != "" {
			more.meta = append(more.meta, Pair{p.Name, p.Value})
		}
	}
	m.more = &more
}

// encodeNewLife writes a value in NewLife's dialect. An argument that would arrive changed is an error; what a server tells its clients
// is cut, as NewLife cuts it, and counted.
func (c *conn) encodeNewLife(k *buffer, m *outgoing, arg any, members []value.Member) (err error) {
	var kind value.Kind
	if c.cfg.server {
		k.b, kind, err = c.appendCut(k.b[:0], arg)
	} else {
		k.b, kind, err = c.cfg.dialect.AppendArgument(k.b[:0], arg)
	}
	if err != nil {
		return err
	}
	m.null = kind == value.Absent
	if len(members) > 0 {
		k.b, err = value.AppendMembers(k.b, 0, kind, members...)
	}
	return err
}

// appendCut writes a value in NewLife's dialect, and counts when that changes it.
func (c *conn) appendCut(b []byte, v any) ([]byte, value.Kind, error) {
	out, kind, cut, err := c.cfg.dialect.AppendCut(b, v)
	if cut && err == nil {
		c.cfg.rare.cut.Add(1)
	}
	return out, kind, err
}

// encodeBare writes a value where there is no envelope.
func (c *conn) encodeBare(k *buffer, m *outgoing, arg any) error {
	b, kind, err := c.appendBare(k.b[:0], arg)
	k.b = b
	m.null = false
	m.flag = kindFlag(m.flag, kind)
	return err
}

// appendBare writes a value as the payload of a frame: lossless JSON, whatever the value, but for bytes that stand as they are.
func (c *conn) appendBare(b []byte, v any) ([]byte, value.Kind, error) {
	d := &c.cfg.dialect
	if c.cfg.peers == NewLife {
		if c.cfg.server {
			return c.appendCut(b, v)
		}
		return d.AppendArgument(b, v)
	}
	if v != nil {
		raw, err := c.bareRaw(reflect.TypeOf(v))
		if err != nil {
			return b, value.Absent, err
		}
		if raw && !isNil(reflect.ValueOf(v)) {
			return d.Append(b, v)
		}
	}
	out, err := d.AppendLossless(b, v)
	return out, value.JSON, err
}

// bareRaw tells whether values of t stand as they are in a payload. Where payloads are JSON documents a []byte is one, too.
func (c *conn) bareRaw(t reflect.Type) (bool, error) {
	f := formOf(t)
	if f.err != nil || !f.raw {
		return false, f.err
	}
	if _, documents := c.cfg.codec.(frame.JSON); documents {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		return t != bytesType, nil
	}
	return true, nil
}

var bytesType = reflect.TypeFor[[]byte]()

// decode reads an answer into reply, a pointer, or nowhere when it is nil.
func (c *conn) decode(data []byte, enc remoting.Encoding, reply any) error {
	if reply == nil {
		return nil
	}
	d := &c.cfg.dialect
	switch {
	case enc == remoting.Plain && !c.lossless(reply):
		return d.Read(data, reply)
	case enc > remoting.Lossless:
		return fmt.Errorf("body encoding %d is not known", enc)
	case enc != remoting.Plain && formOf(reflect.TypeOf(reply).Elem()).raw:
		if enc == remoting.Span {
			return fmt.Errorf("a span body for a %T", reply)
		}
		return d.Read(data, reply) // the JSON as it stands
	case enc == remoting.Span:
		return span.Unmarshal(data, reply)
	}
	dropped, err := d.ReadLossless(data, reply)
	c.cfg.rare.unplaced.Add(uint64(dropped))
	return err
}

// lossless tells whether a payload without an envelope is lossless JSON for reply.
func (c *conn) lossless(reply any) bool {
	if c.cfg.envelope || c.cfg.peers == NewLife {
		return false
	}
	raw, _ := c.bareRaw(reflect.TypeOf(reply).Elem())
	return !raw
}

// badReply tells why an answer cannot be read into reply.
func badReply(reply any) error {
	if reply == nil {
		return nil
	}
	v := reflect.ValueOf(reply)
	switch {
	case v.Kind() != reflect.Pointer:
		return fmt.Errorf("the reply is %T, not a pointer", reply)
	case v.IsNil():
		return fmt.Errorf("the reply is a nil %T", reply)
	}
	return formOf(v.Type().Elem()).err
}

// otherLayout tells an answer that says: not run, the layout is another.
func otherLayout(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.refusal == remoting.OtherLayout
}

// The kinds of a payload in the low two bits of a Standard frame's flag.
const (
	textFlag = 0
	jsonFlag = 3
)

// kindFlag sets the kind in a flag.
func kindFlag(flag byte, kind value.Kind) byte {
	switch kind {
	case value.JSON:
		return flag&^jsonFlag | jsonFlag
	case value.Text:
		return flag&^jsonFlag | textFlag
	}
	return flag
}
