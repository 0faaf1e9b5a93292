package rpc

import (
	"context"
	"slices"

	"github.com/spanwire/spanwire/rpc/remoting"
)

// Pair is one entry of Metadata.
type Pair struct{ Key, Value string }

// Metadata travels beside a request or an answer between our own peers. Keys may repeat; their order is kept. NewLife peers
// neither see it nor send any.
type Metadata []Pair

// Get returns the first value of a key, "" without one.
func (m Metadata) Get(key string) string {
	for _, p := range m {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// addTail adds what a tail has.
func (m *Metadata) addTail(t remoting.Tail) {
	for k, v := range t.Metadata() {
		*m = append(*m, Pair{string(k), string(v)})
	}
}

// RequestMetadata returns what the caller has sent with the request that ctx belongs to. For inline handlers it is nil: see
// [Request.Metadata].
func RequestMetadata(ctx context.Context) Metadata {
	if x, ok := ctx.Value(callKey{}).(*callContext); ok {
		var m Metadata
		m.addTail(x.tail)
		return m
	}
	return nil
}

// SetReplyMetadata adds to what is sent back with the answer of the request that ctx belongs to. It is false when there is
// no way to: in one-way messages, inline handlers (see Request.SetReply), and for peers without metadata.
func SetReplyMetadata(ctx context.Context, key, value string) bool {
	x, ok := ctx.Value(callKey{}).(*callContext)
	if !ok || x.mute {
		return false
	}
	x.replyMu.Lock()
	defer x.replyMu.Unlock()
	x.reply = append(x.reply, Pair{key, value})
	return true
}

// CallOptions change how calls under a context are made.
type CallOptions struct {
	// Metadata is sent with the call.
	Metadata Metadata
	// ReplyMetadata, when not nil, is where that of the answer is added.
	ReplyMetadata *Metadata
	// Trace is the traceparent in W3C form. In a handler calls carry that of the request where this is "".
	Trace string
	// WaitReady makes the call wait, under its context, for a connection; else it fails with the last error of dialing while
	// the client backs off.
	WaitReady bool
	// Idempotent allows to repeat the call once when nobody knows whether it ran.
	Idempotent bool
	// Once forbids to repeat the call for any reason: whatever goes wrong first is what it returns.
	Once bool
	// Flag, when not nil, is the low six bits of the frame's first byte; NewLife's own messages have 1.
	Flag *byte
}

// WithOptions returns a context under which calls are made with o, merged into the options that ctx has already: metadata is added
// behind theirs, what o sets takes the place of theirs, and what it leaves zero stays as it was.
func WithOptions(ctx context.Context, o CallOptions) context.Context {
	if under := optionsOf(ctx); under != nil {
		o = under.merge(o)
	}
	return context.WithValue(ctx, optionsKey{}, &o)
}

// CallOptionsFrom returns the options under which calls of ctx are made; they are zero without any. Interceptors read them. Its
// Metadata must not be changed.
func CallOptionsFrom(ctx context.Context) CallOptions {
	if o := optionsOf(ctx); o != nil {
		return *o
	}
	return CallOptions{}
}

// merge returns o with what more sets on top.
func (o *CallOptions) merge(more CallOptions) CallOptions {
	out := *o
	out.Metadata = slices.Concat(o.Metadata, more.Metadata)
	if more.ReplyMetadata != nil {
		out.ReplyMetadata = more.ReplyMetadata
	}
	if more.Trace != "" {
		out.Trace = more.Trace
	}
	if more.Flag != nil {
		out.Flag = more.Flag
	}
	out.WaitReady = o.WaitReady || more.WaitReady
	out.Idempotent = o.Idempotent || more.Idempotent
	out.Once = o.Once || more.Once
	return out
}

// optionsOf returns the options of ctx, nil without.
func optionsOf(ctx context.Context) *CallOptions {
	o, _ := ctx.Value(optionsKey{}).(*CallOptions)
	return o
}

// Trace returns the traceparent, in W3C form, that calls under ctx carry: that of its [CallOptions], else, in a handler, that of
// the request. It is "" without one.
func Trace(ctx context.Context) string {
	if o := optionsOf(ctx); o != nil && o.Trace != "" {
		return o.Trace
	}
	return requestTrace(ctx)
}

// requestTrace returns the traceparent of the request that ctx belongs to.
func requestTrace(ctx context.Context) string {
	if x, ok := ctx.Value(callKey{}).(*callContext); ok {
		return x.trace
	}
	if c, ok := ctx.Value(inlineKey{}).(*conn); ok && c.read.batch != nil {
		return string(c.read.batch.req.tail.Trace())
	}
	return ""
}
