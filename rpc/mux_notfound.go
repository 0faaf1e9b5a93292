package rpc

import (
	"strconv"

	"github.com/spanwire/spanwire/internal/nearest"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// suggestions is how many actions at most are compared with one that does not exist: who asks costs no more than that.
const suggestions = 1000

// registered are the actions, nil without a Mux.
func (x *Mux) registered() *actions {
	if x == nil {
		return nil
	}
	return x.all.Load()
}

// notFound is the answer to an action that nobody handles: in NewLife's words to NewLife, to peers of ours with the action that may
// have been meant.
func (x *Mux) notFound(r *Request) *Error {
	if r.tail == nil {
		return &Error{Code: remoting.NotFound, Text: remoting.NotFoundText(string(r.wire))}
	}
	text := "no action " + strconv.Quote(string(r.wire))
	if a := x.registered(); a != nil {
		names := make([]string, 0, min(len(a.order), suggestions))
		for _, m := range a.order[:cap(names)] {
			if !m.wild {
				names = append(names, m.name)
			}
		}
		if near := nearest.Of(string(r.wire), names); near != "" {
			text += ": did you mean " + strconv.Quote(near) + "?"
		}
	}
	return &Error{Code: remoting.NotFound, Text: text}
}
