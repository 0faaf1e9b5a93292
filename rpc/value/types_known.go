package value

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/spanwire/spanwire/span"
)

// The types that are told from others of their kind.
var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	numberType   = reflect.TypeFor[json.Number]()
	objectType   = reflect.TypeFor[Object]()
	packetType   = reflect.TypeFor[Packet]()
	errorType    = reflect.TypeFor[error]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
	charType     = reflect.TypeFor[span.Char]()
)
