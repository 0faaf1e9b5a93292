package rpc

import "github.com/spanwire/spanwire/rpc/remoting"

// Codes of errors that the library itself answers with. A handler may answer with any other; 0 and 200 are no errors.
const (
	CodeOK              = remoting.OK
	CodeBadRequest      = remoting.BadRequest      // the message, or an argument, could not be read
	CodeUnauthorized    = remoting.Unauthorized    // the client logs in and repeats once
	CodeForbidden       = remoting.Forbidden       // for handlers
	CodeMismatch        = remoting.Mismatch        // another layout, or a member that the reader has no place for
	CodeNotFound        = remoting.NotFound        // no such action
	CodeTooLarge        = remoting.PayloadTooLarge // a message over the limit
	CodeTooManyRequests = remoting.TooManyRequests // the connection works on too much
	CodeCancelled       = remoting.Cancelled       // the handler's context was cancelled
	CodeInternal        = remoting.Internal        // any other failure, and panics
	CodeUnavailable     = remoting.Unavailable     // the server closes
	CodeTimeout         = remoting.Timeout         // the time of the handler's context was over
)
