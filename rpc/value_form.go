package rpc

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/rpc/value"
)

// Fingerprints that say something else: see remoting.Tail.Layouts.
const (
	notRead    = 0 // the result is not read; an argument has no span body
	wantedJSON = 1 // the result is wanted as lossless JSON; an argument travels so
)

// typeForm is how values of a type travel between our own peers: as they are, as span bodies, or as lossless JSON.
type typeForm struct {
	raw   bool
	print uint64 // of the layout of span bodies, wantedJSON where the type has none
	err   error  // nobody can tell: see value.IsRaw
}

var typeForms sync.Map // reflect.Type -> *typeForm: what is derived from types never changes

// formOf returns how values of t, or of what t points to, travel.
func formOf(t reflect.Type) *typeForm {
	if f, ok := typeForms.Load(t); ok {
		return f.(*typeForm)
	}
	f := &typeForm{print: wantedJSON}
	switch f.raw, f.err = value.IsRaw(t); {
	case f.raw, f.err != nil:
	default:
		if print, err := fromreflect.Fingerprint(t); err == nil {
			f.print = print
		}
	}
	old, _ := typeForms.LoadOrStore(t, f)
	return old.(*typeForm)
}

// replyForm is how the value travels that a reply, a pointer, is for; nil for none.
func replyForm(reply reflect.Type) *typeForm {
	if reply == nil {
		return nil
	}
	return formOf(reply.Elem())
}

// layoutOf names the layout of t in logs.
func layoutOf(t reflect.Type) string {
	if t == nil {
		return "none"
	}
	switch f := formOf(t); {
	case f.raw:
		return "raw"
	case f.print == wantedJSON:
		return "JSON"
	default:
		return fmt.Sprintf("%016x", f.print)
	}
}

// elemOf is what a reply points to.
func elemOf(reply reflect.Type) reflect.Type {
	if reply == nil {
		return nil
	}
	return reply.Elem()
}

// verdicts are the calls of which the peer has said that its layout is another: they travel as lossless JSON.
type verdicts struct {
	mu    sync.RWMutex
	known map[verdict]struct{}
	order []verdict // as they came
}

// verdict is a call as far as its layout goes.
type verdict struct {
	action     string
	arg, reply reflect.Type
}

// verdictsMost bounds them; the oldest is dropped, and may be found out anew.
const verdictsMost = 1024

func (v *verdicts) has(k *verdict) bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if len(v.known) == 0 {
		return false
	}
	_, ok := v.known[*k]
	return ok
}

// add notes a verdict, and tells whether it is new.
func (v *verdicts) add(k verdict) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.known[k]; ok {
		return false
	}
	if v.known == nil {
		v.known = make(map[verdict]struct{})
	}
	if len(v.order) == verdictsMost {
		delete(v.known, v.order[0])
		v.order = append(v.order[:0], v.order[1:]...)
	}
	v.known[k] = struct{}{}
	v.order = append(v.order, k)
	return true
}

// verdicts are those of the client; those of a server's peer go with its connection.
func (c *conn) verdicts() *verdicts {
	if !c.cfg.server {
		return &c.cfg.verdicts
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return &c.callSide().verdicts
}
