package value

// Packet is bytes that stand in a message as they are. As the only parameter of an action it is the data itself, where a
// []byte with a name would be base64 text.
type Packet []byte

// RawAppender is a value that writes itself, as NewLife's IAccessor.
type RawAppender interface {
	AppendRaw(b []byte) ([]byte, error)
}

// RawReader reads what RawAppender wrote; data is nil when there is none. It must not keep data.
type RawReader interface {
	ReadRaw(data []byte) error
}

// SpanAppender is a value that writes itself in the span format.
type SpanAppender interface {
	AppendSpan(b []byte) ([]byte, error)
}
