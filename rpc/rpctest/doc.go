// Package rpctest proves codecs and keeps conversations.
//
// [Codec] is a conformance suite: a package with a frame codec of its own calls it in a test, with frames the codec carries and
// bytes it must refuse.
//
// A [Transcript] is a conversation as a text file that a person can read and change. A [Recorder] writes one, of connections
// or of bytes; Play plays one side of it against a peer and compares what comes back.
//
//	# comment
//	> 01011d0009546573742f4563686f0f0000007b226d7367223a2268656c6c6f227d
//	    request 1 Test/Echo {"msg":"hello"}
//	< 8101130009546573742f4563686f05000000 68656c6c6f
//	    response 1 Test/Echo hello
//	>!
//	<!
//
// A line that begins with > has bytes from client to server, < from server to client, in hexadecimal digits; spaces between
// them mean nothing, and .. is a byte that may be any when it is compared. A line that begins with + goes on with the bytes of
// the line before. >! and <! are the end of what that side sends. Lines that begin with # or white space, and empty ones, are
// for the reader only.
package rpctest
