package span

import (
	"time"

	"github.com/spanwire/spanwire/span/wire"
)

// Unspecified is the location of times that name a date and a clock reading but
// no place, as .NET's DateTimeKind.Unspecified does. Such a time counts as UTC
// when it is compared or written in a form without kinds; the form ticks alone
// carries it as what it is.
func Unspecified() *time.Location { return wire.Unspecified() }
