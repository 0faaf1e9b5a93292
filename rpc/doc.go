// Package rpc calls actions on other machines, and answers such calls, over TCP, TLS or unix sockets: connections, clients and
// servers. The layers below are packages of their own, each testable without the one above:
//
//   - [github.com/spanwire/spanwire/rpc/frame]: pure functions that cut a byte stream into frames (SRMP, length field,
//     delimiter, JSON documents) and the receive buffer they are fed from;
//   - [github.com/spanwire/spanwire/rpc/websocket]: the same for RFC 6455;
//   - [github.com/spanwire/spanwire/rpc/remoting]: the message inside an SRMP frame: action, code, data, extension tail;
//   - [github.com/spanwire/spanwire/rpc/value]: values as text, JSON, lossless JSON, raw or span bytes, and the binding of
//     arguments.
//
// Dependencies point one way: rpc imports all of them, remoting and websocket import frame, value imports none of them,
// rpc/rpctest imports frame. Package [github.com/spanwire/spanwire/rpc/rpctest] lets a codec of your own prove itself, and
// records conversations.
//
// # A server and a client
//
//	x := new(rpc.Mux)
//	rpc.Handle(x, "Math/Add", func(ctx context.Context, a *AddRequest) (*AddReply, error) { ... })
//	s := &rpc.Server{Handler: x}
//	l, err := rpc.Listen(ctx, "tcp", ":7788")
//	err = s.Serve(l)
//
//	cl, err := rpc.Dial(ctx, "tcp", "host:7788")
//	err = cl.Invoke(ctx, "Math/Add", &AddRequest{1, 2}, &reply)
//
// These speak NewLife.Remoting, so that either end may be a .NET program. Calls are made with values ([Client.Invoke], [Stream]),
// with bytes ([Client.Call]), with bytes and a callback ([Client.Go]), or one way ([Client.Notify], [Client.NotifyValue]). A server
// sends one-way messages to its clients ([Session.Notify], [Session.NotifyValue], [Server.Broadcast], [Server.BroadcastValue]) and
// calls those of this package ([Session.Invoke]).
//
// # Values
//
// Between two peers of this package a value arrives as it was sent, or there is an error: by the first call of a connection as by any
// other, in answers, streams, one-way messages and calls of the server as in arguments.
//
//   - Every value that package span can carry travels as a span body, with generated methods or without. What it cannot, an any for
//     one, travels as lossless JSON: see [github.com/spanwire/spanwire/rpc/value.Dialect.AppendLossless]. Into an any come JSON's own
//     types: what an any held as a struct comes as a map, a []byte as base64. A []byte, a [value.Packet] and values that write themselves are
//     the body as it stands. A nil pointer is no body.
//   - Span bodies are positional, so both sides must have one layout. A request says which layouts its argument and its result have
//     ([github.com/spanwire/spanwire/span.Fingerprint]), and the server compares them with those of the handler that is about to run. Where they differ nothing is run
//     (code 412), and the client makes the call once more as lossless JSON, where names count; it remembers that, logs it once and
//     counts it in Stats.Mismatches. Fields may so be added, moved and renamed in one program before the other. A member of an
//     argument that is not zero, and that the handler has no place for, is refused with code 412 before the handler runs; in an answer
//     it is dropped and counted, unless the client's Dialect is Strict.
//   - Handlers without types ([Mux.HandleFunc], names with *) have no layout: they get lossless JSON. [PassThrough] marks proxies and
//     recorders that take anything.
//   - Before the first one-way message of an action and a type the peer is asked whether it has the layout.
//
// For that a client must know who its peer is: [Dialer].Peer. Under [Auto] it asks once a connection, with the dial when it has a
// Handler, else with its first typed call, which waits two seconds at most for the answer. A peer that has not answered by then counts
// as NewLife's until it shows otherwise; so does the next peer at that address when the connection ended on the question. Calls with
// bytes never ask. A server waits for a client's first frame before it sends values.
//
// NewLife's dialect cannot carry everything. An argument that it would change - text that begins with { or [ or has white space around
// it, a fraction below 100 ns, a zero entry of a map, bytes that are not UTF-8 - is [value.ErrLossy] before it is sent, unless the
// Dialect is Lossy; answers and pushes to NewLife are cut as NewLife cuts them, and counted in Stats.Cut.
//
// Without the envelope a value is one JSON value, lossless; bytes stand as they are where frames are not JSON documents. There the
// dialect is NewLife's only if Peer says so, on either side.
//
// # What each codec can carry
//
//	                          request/response   one-way            stream            cancel, deadline   error answer
//	Standard                  yes                yes                with the envelope with the envelope  yes
//	LengthField, Delimited,   in order           with NotifyOnly    no                no                 closes
//	JSON, any other
//
// What is not there is errors.ErrUnsupported. The envelope is the Remoting message with action, code and extension tail; Raw
// leaves it out. Codecs without numbers match answers by order: a call that is given up closes the connection, since nothing
// else keeps a late answer from the next call. They cannot tell a frame that was lost or came twice; TCP loses none. LengthField
// has header bytes in front: [Dialer].Header makes those of requests, and an answer must repeat them.
//
// # Who runs what
//
// Requests run beside each other, at most Limits.InFlight a connection, and none waits for another: a goroutine that is done with
// one may take the next, as long as yet another is on its way. Answers leave in the order in which they are ready, or that of the
// requests for codecs without numbers. One-way messages run one after another in the order they came.
// [Inline] handlers run on the connection's reader and must not block. Callbacks of Go run on the goroutine that reads and must
// not block. User code never runs on a goroutine of a caller.
//
// A lone caller reads its own answer, which spares two changes of goroutines; when calls overlap a reader goroutine does. A
// context's end is then seen within 20 ms.
//
// # No wrong reply
//
// A number is not used again before its answer has come. A call that is given up retires its number; the late answer is dropped
// and frees it. A connection with 128 retired numbers takes no more calls, and the client goes to another, or says
// [ErrExhausted]. Every call ends exactly once: with its own answer, the peer's error, or a [*CallError].
//
// # Outcomes
//
// [OutcomeOf] tells what is known of a call that failed. NotSent and Refused calls are repeated where the client can dial, Unknown
// ones only when marked Idempotent, none that is marked Once. Refused is what the peer's library, or its middleware with [Refuse], says
// it has not begun, and what a peer that shut down has not answered before its last frame. A handler's own code 503 or 429 is Answered.
//
// # Limits and security
//
// Everything a peer can make a connection hold or wait for is bounded: see [Limits], which are on by default. Requests beyond InFlight
// are parked, up to InFlightBytes; while this side makes calls on the connection itself they are refused with code 429, since two
// sides that are full and call each other would wait for ever. What waits for its turn can be cancelled and expires. A connection holds
// at most InFlightBytes, one frame, a backlog, what arguments read from JSON take, and what its running handlers return; a server that holds more than Buffered ends the
// connection with the most. Notify on the connection of the handler whose context it gets never waits: it is [ErrBusy]. Bytes that no frame
// begins with, unfinished frames that stop or creep, and peers that do not read end the connection with a [*ConnError] whose reason
// says why; the server counts it and logs it, at most once a second. Others are not affected. A panic in a handler or in
// OnConnect is recovered; one in a callback or another hook is the program's own.
// Connections are not encrypted or authenticated unless the listener or Dialer.TLS does so.
//
// # Shutdown
//
// [Server.Shutdown] finishes what is under way and Serve returns after it: everything that was accepted is answered, and peers of ours
// are told so in the last frame. [Client.Shutdown] does the same, and waits for the calls under way.
//
// What a peer has sent before it closes its side, or before bytes that are no frame, is handled and answered, one-way messages too, with
// contexts that live, for at most CallTimeout; then OnClose is told. When a connection is lost, or closed on this side, contexts end at
// once and what has not begun is dropped: a [*ConnError] says how much. A client that closes cancels its calls.
//
// # Concurrency
//
// Clients, servers, sessions and muxes may be used by any number of goroutines. A Request belongs to its handler until that
// returns. Byte slices that are handed to a call may be used again when it returns.
package rpc
