package spanrt_test

import (
	"testing"
	"time"

	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// TestUnixNanoAgrees holds the shortcut of generated code against the exact
// function: where it is sure it must be right.
func TestUnixNanoAgrees(t *testing.T) {
	for _, sec := range []int64{0, -1, 1, 9223372035, 9223372036, 9223372037, -9223372035, -9223372036, -9223372037, -62135596800, 1 << 62, -1 << 62} {
		for _, nsec := range []int64{0, 1, 145224191, 145224192, 145224193, 854775806, 854775807, 854775808, 999_999_999} {
			v := time.Unix(sec, nsec)
			x, sure := spanrt.UnixNano(v.Unix(), v.Nanosecond())
			if want, ok := wire.TimeUnixNano(v); sure && (!ok || x != want) {
				t.Errorf("%v: %d, want %d, %v", v, x, want, ok)
			}
		}
	}
}
