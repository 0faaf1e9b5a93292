package rpc

import (
	"bytes"
	"context"
	"reflect"

	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// tokenMember is the member of the argument, or the key of the metadata, that a token travels as.
const tokenMember = "Token"

// Token returns the token that counts for the request ctx belongs to: the one sent with it, which middleware and typed handlers know,
// else the session's.
func Token(ctx context.Context) string {
	if x, ok := ctx.Value(callKey{}).(*callContext); ok && x.token != "" {
		return x.token
	}
	if c, ok := ctx.Value(inlineKey{}).(*conn); ok && c.read.batch != nil && c.read.batch.req.token != "" {
		return c.read.batch.req.token
	}
	if s := Peer(ctx); s != nil {
		return s.Token()
	}
	return ""
}

// holdsToken reports whether the argument is an object that a token is looked for in: not without parameters, nor for bytes as they stand.
func (t *typed) holdsToken() bool {
	into := t.arg
	if t.points != nil {
		into = t.points
	}
	if t.params {
		if len(t.fields) != 1 {
			return len(t.fields) > 0
		}
		into = into.Field(t.fields[0].at).Type
	} else if into == typeOf[[]byte]() {
		return false
	}
	return into != typeOf[value.Packet]() && into != typeOf[struct{}]() && !reflect.PointerTo(into).Implements(typeOf[value.RawReader]())
}

// knowToken notes the token that came with a request before a middleware asks for it.
func (r *Request) knowToken(ctx context.Context, looks bool) {
	r.noteToken(ctx, r.metadata(tokenMember))
	if looks && r.tail.Body() == remoting.Plain {
		r.findToken(ctx)
	}
}

// tokenFirst stands around a handler of everything, which may be middleware around a Mux. Nobody knows here what the action's argument is:
// the token counts for this call, and becomes the session's where the action is known.
type tokenFirst struct{ Handler }

// ServeRPC notes the token that came with a request.
func (h tokenFirst) ServeRPC(ctx context.Context, dst []byte, r *Request) ([]byte, error) {
	token := r.metadata(tokenMember)
	if token == "" && r.tail.Body() == remoting.Plain && r.mentionsToken() {
		token, _ = r.conn.cfg.dialect.FindMember(r.Body, tokenMember)
	}
	r.noteCallToken(ctx, token)
	return h.Handler.ServeRPC(ctx, dst, r)
}

// mentionsToken is a quick look before a thorough one.
func (r *Request) mentionsToken() bool {
	return bytes.Contains(r.Body, []byte("oken")) || bytes.Contains(bytes.ToLower(r.Body), []byte(`token"`))
}

// findToken notes the token among the members of the request's object.
func (r *Request) findToken(ctx context.Context) {
	if !r.mentionsToken() {
		return
	}
	if token, ok := r.conn.cfg.dialect.FindMember(r.Body, tokenMember); ok {
		r.noteToken(ctx, token)
	}
}

// noteToken makes a token that of this call, and that of the session where the peer is not one of ours.
func (r *Request) noteToken(ctx context.Context, token string) {
	r.noteCallToken(ctx, token)
	if token != "" && r.tail == nil {
		r.Session().SetToken(token)
	}
}

// noteCallToken makes a token that of this call.
func (r *Request) noteCallToken(ctx context.Context, token string) {
	if token == "" {
		return
	}
	if x, ok := ctx.Value(callKey{}).(*callContext); ok {
		x.token = token
	}
	r.token = token
}
