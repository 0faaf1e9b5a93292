// Package websocket reads and writes RFC 6455 frames and joins them to messages, on either side, without a connection.
//
// [Codec] is a [frame.Codec]: its frames stand in the bytes as they are on the wire, a masked payload still masked. It reads
// what NewLife's reader reads. [Assembler] is where RFC 6455 is enforced: masking, fragments, control frames, reserved bits,
// opcodes, text encoding, close codes; its error is a [*CloseError] with the code to close with.
//
// Reading: feed a frame.Reader with the bytes, give each frame to an Assembler, and act on the messages: answer [Ping] with
// [Pong] and the same payload, [Close] with its own code. Writing: [AppendMessage], [AppendClose]. A client masks every frame
// with a key from a source that cannot be guessed (crypto/rand); a server never masks.
package websocket
