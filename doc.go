// Package spanwire is the root of a code-generating serialization toolkit.
//
// Package span marshals Go values positionally: the fields of a struct in
// declaration order, little-endian, without names or tags on the wire. The
// command spangen writes WriteSpan and ReadSpan methods that do so at the speed
// of hand-written unsafe code; types without generated code are encoded by
// reflection, byte for byte the same. A struct in the NewLife profile talks byte
// for byte with .NET services and devices built on NewLife.Core.
//
// The dependencies go one way:
//
//	examples, bench -> rpc -> span -> internal/layout <- cmd/spangen
//	binary -> span, internal/layout
//
// The generator never imports the run-time packages, and generated code imports
// only span and span/spanrt.
package spanwire
