package rpc_test

import "github.com/spanwire/spanwire/rpc/value"

type sumArg struct{ A, B int32 }
type sumReply struct{ Sum int32 }

func (s *sumArg) AppendSpan(b []byte) ([]byte, error)   { return append(b, byte(s.A), byte(s.B)), nil }
func (s *sumReply) AppendSpan(b []byte) ([]byte, error) { return append(b, byte(s.Sum)), nil }

// readsSums reads the hand-written span bodies of the allocation tests without a reader's cost.
var readsSums = value.Dialect{ReadSpan: func(data []byte, dst any) error {
	switch v := dst.(type) {
	case *sumArg:
		v.A, v.B = int32(data[0]), int32(data[1])
	case *sumReply:
		v.Sum = int32(data[0])
	}
	return nil
}}
