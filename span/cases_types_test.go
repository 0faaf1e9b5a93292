package span_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Cases of types that other serializers have got wrong.

type Tail struct {
	_ struct{} `span:"newlife"`
	X uint8
	Y uint8
}

// An embedded pointer that is nil.
func TestCaseA14(t *testing.T) {
	type kite struct {
		_  struct{} `span:"newlife"`
		ID uint16
		*Tail
	}
	onWire(t, here(), kite{ID: 7}, "0700")
	onWire(t, here(), kite{ID: 7, Tail: &Tail{X: 1, Y: 2}}, "07000102")
}

// Keys of maps: all kinds, in order.
func TestCaseA19(t *testing.T) {
	type pos struct{ X, Y int16 }
	type name string
	type grid struct {
		A map[pos]uint8
		B map[[2]byte]string
		C map[name]pos
		D map[int32]bool
		E map[bool]int8
	}
	onWire(t, here(), grid{
		map[pos]uint8{{1, 2}: 3, {-1, 5}: 4}, map[[2]byte]string{{9, 1}: "x", {1, 9}: "y"},
		map[name]pos{"b": {1, 1}, "a": {2, 2}}, map[int32]bool{5: true, -5: false}, map[bool]int8{true: 1, false: -1},
	}, "02 ffff050004 0100020003 02 01090179 09010178 02 016102000200 016201000100 02 fbffffff00 0500000001 02 00ff 0101")
}

// Times and types made from them.
func TestCaseA41(t *testing.T) {
	type stamp time.Time
	type length time.Duration
	type when = time.Time
	type log struct {
		A time.Time
		B *time.Time
		C []time.Time
		D time.Duration
		E length
		F when
		G map[string]time.Duration
		H stamp
		time.Month
	}
	at := time.Unix(1, 2)
	b := exercise(t, here(), log{at, &at, []time.Time{at}, 3, 4, at, map[string]time.Duration{"k": 5}, stamp(at), 6})
	one := unhex(t, "0100000000000000 02000000")
	if !bytes.HasPrefix(b, one) || bytes.Count(b, one) != 5 {
		t.Errorf("%x", b)
	}
}

// Structs without a byte.
func TestCaseA42(t *testing.T) {
	type nothing struct{}
	type onlyHidden struct{ a, b int32 }
	type onlySkipped struct {
		F func() `span:"-"`
	}
	type mix struct {
		N  nothing
		P  *nothing
		A  [3]nothing
		_  uint32
		U8 uint8
	}
	onWire(t, here(), nothing{}, "")
	onWire(t, here(), onlyHidden{}, "")
	onWire(t, here(), onlySkipped{}, "")
	onWire(t, here(), mix{U8: 9}, "0009")
	if b, err := span.Marshal(onlyHidden{1, 2}); err != nil || len(b) != 0 {
		t.Errorf("%x %v", b, err)
	}
	type newLifeMix struct {
		_  struct{} `span:"newlife"`
		N  nothing
		P  *nothing
		A  [3]nothing
		U8 uint8
	}
	onWire(t, here(), newLifeMix{U8: 9}, "09")
}
