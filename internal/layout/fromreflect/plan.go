package fromreflect

import (
	"errors"
	"reflect"
	"sync"

	"github.com/spanwire/spanwire/internal/layout"
)

// shared compiles the types of the running program, each once.
var shared = struct {
	sync.Mutex
	*layout.Compiler
}{Compiler: layout.NewCompiler(Feed{})}

// Compile returns the plan of a type, or what keeps it from having one; see
// [layout.Compiler.Compile]. It may be called by many goroutines at once.
func Compile(t reflect.Type) (*layout.Plan, []layout.Problem) {
	shared.Lock()
	defer shared.Unlock()
	return shared.Compiler.Compile(t)
}

// fingerprints holds the outcome for every type that was asked for.
var fingerprints sync.Map

// Fingerprint returns the fingerprint of a type's layout, see
// [layout.Plan.Fingerprint]; that of a pointer is that of what it points to.
// A type without a wire form results in an error. The first call for a type
// makes its plan, later ones look it up.
func Fingerprint(t reflect.Type) (uint64, error) {
	if t == nil {
		return 0, unsupported("nil", nil)
	}
	known, ok := fingerprints.Load(t)
	if !ok {
		var one any
		switch p, problems := Compile(t); {
		case p != nil:
			one = p.Fingerprint()
		default:
			one = unsupported(typeName(t), problems)
		}
		known, _ = fingerprints.LoadOrStore(t, one)
	}
	if print, ok := known.(uint64); ok {
		return print, nil
	}
	return 0, known.(error)
}

// unsupported returns an error with all reasons why a type has no wire form.
func unsupported(name string, problems []layout.Problem) error {
	return &layout.Error{Kind: errors.New("the type " + name + " has no wire form"), Problems: problems}
}
