package span

import (
	"reflect"

	"github.com/spanwire/spanwire/internal/layout/fromreflect"
)

// Fingerprint identifies the layout of T. Two programs whose T have equal
// fingerprints read each other's messages field by field: every byte means the
// same, and the fields have the same names, which alone tell a swap of two
// fields of one kind. Names of types do not count, save for the bare name of a
// type whose own methods write it, and *T has the fingerprint of T. Layouts with
// different fingerprints may still fit each other.
//
// It is 0 for a type without a wire form, and never 0 or 1 for any other. It is
// taken from what T is in the running program, so that a changed dependency
// or a build for another system shows even where code was not generated anew.
// It stays the same in later releases of this package. The first call for a type
// computes it.
func Fingerprint[T any]() uint64 {
	print, err := fromreflect.Fingerprint(reflect.TypeFor[T]())
	if err != nil {
		return 0
	}
	return print
}
