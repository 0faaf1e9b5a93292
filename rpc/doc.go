// Package rpc holds calls, connections and the formats below them, in layers that are each testable without the one above:
//
//   - [github.com/spanwire/spanwire/rpc/frame]: pure functions that cut a byte stream into frames (SRMP, length field,
//     delimiter, JSON documents) and the receive buffer they are fed from;
//   - [github.com/spanwire/spanwire/rpc/websocket]: the same for RFC 6455;
//   - [github.com/spanwire/spanwire/rpc/remoting]: the message inside an SRMP frame: action, code, data, extension tail;
//   - [github.com/spanwire/spanwire/rpc/value]: values as text, JSON, raw or span bytes, and the binding of arguments.
//
// Dependencies point one way: remoting and websocket import frame, value imports none of them, rpc/rpctest imports frame.
// Package [github.com/spanwire/spanwire/rpc/rpctest] lets a codec of your own prove itself, and records conversations.
package rpc
