package corpus

import (
	"log/slog"
	"math/big"
	"regexp"
	"sync"
	"time"

	"github.com/spanwire/spanwire/internal/layout/corpus/other"
	"github.com/spanwire/spanwire/span"
)

// OwnJSON hides something from others, not from this package.
type OwnJSON struct {
	A int32
	b int32
}

// MarshalJSON gives v as JSON.
func (v OwnJSON) MarshalJSON() ([]byte, error) { return []byte{byte(v.b)}, nil }

// UnmarshalJSON reads v.
func (v *OwnJSON) UnmarshalJSON([]byte) error { return nil }

// JSONInt is an integer with JSON methods.
type JSONInt int16

// MarshalJSON gives v as JSON.
func (v JSONInt) MarshalJSON() ([]byte, error) { return nil, nil }

// UnmarshalJSON reads v.
func (v *JSONInt) UnmarshalJSON([]byte) error { return nil }

// SaysJSON asks for its JSON everywhere.
type SaysJSON struct {
	_ struct{} `span:"marshal=json"`
	A int8
}

// MarshalJSON gives v as JSON.
func (v SaysJSON) MarshalJSON() ([]byte, error) { return nil, nil }

// UnmarshalJSON reads v.
func (v *SaysJSON) UnmarshalJSON([]byte) error { return nil }

// Structs of and with types of package other.
type (
	ForeignState struct {
		A other.Quantity
		B []*other.Quantity
		C map[string]other.Quantity
		D other.Quantity `span:"fields"`
		E other.Opaque
		F other.Open
		G other.Guarded
		H other.Stateful  `span:"fields"`
		I *other.Stateful `span:"fields,sized"`
		J other.Said
		K other.Tagged
		L map[other.Opaque]int8
		M OwnJSON
		N struct{ Q other.Quantity }
		O **other.Quantity `span:"max=9,len=2"`
		P Opt[other.Quantity]
		Q Opt[OwnJSON]
	}
	ForeignJSON struct {
		A other.Quantity     `span:"marshal=json"`
		B other.Open         `span:"marshal=json"`
		C []JSONInt          `span:"marshal=json"`
		D JSONInt            `span:"marshal=json,max=5"`
		E span.Decimal       `span:"marshal=json"`
		F time.Time          `span:"marshal=json"`
		G time.Time          `span:"marshal=text"`
		H span.GUID          `span:"marshal=text"`
		I big.Float          `span:"marshal=text"`
		J big.Float          `span:"marshal"`
		K *big.Float         `span:"len=4"`
		L SaysJSON           //
		M SaysJSON           `span:"fields"`
		N other.WrapsQ       `span:"marshal=json"`
		O map[string]JSONInt `span:"marshal=json"`
		P big.Int            `span:"marshal=json"`
		Q *regexp.Regexp
		R slog.LevelVar
	}
	ForeignTimes struct {
		A other.Timed
		B *other.Timed
		C []other.Twice
		D map[string]*other.TimedPtr
		E map[other.Timed]other.Twice
		F EmbedsTime
		G other.Timed `span:"marshal"`
		H other.Twice `span:"marshal=json"`
		I struct{ other.Timed }
		J other.WrapsO
		K struct{ *big.Float }
	}
	ForeignOmits struct {
		A other.Fault      `span:"omit=Err|Data|Cause|Base.Fetch|Ops"`
		B *other.Fault     `span:"omit=Err|Data|Base.Fetch|Ops.Keys"`
		C []*other.Fault   `span:"omit=Err|Data|Base|Ops,max=3"`
		D map[int8]OmitBox `span:"omit=F.Data|F.Ops"`
		E other.Holds      `span:"omit=S"`
		F other.HoldsQ     `span:"omit=Q"`
		G OmitBox          `span:"omit=F.Data|F.Ops,sized"`
		H OmitBox          `span:"omit=F"`
		I Gen              `span:"omit=A"`
		J Gen
	}
	OmitBox struct {
		A int8
		F *other.Fault `span:"omit=Err|Base"`
	}
)

// BadForeign has fields that lose something or need what is not there.
type (
	BadForeign struct {
		A other.Stateful
		B []*other.Stateful
		C other.Holds
		D map[string]other.HoldsQ
		E other.WrapsQ
		F other.Attr
		G slog.Attr
		H other.Fault
		I BadForeignQ
		J struct{ other.Stateful }
		K Opt[other.Stateful]
		L struct {
			other.Quantity
			N int8
		}
		M BadEmbedsState
	}
	BadForeignQ    other.Quantity
	BadEmbedsState struct {
		sync.Mutex
		other.Stateful
	}
	BadAsks struct {
		A other.HalfJSON `span:"marshal=json"`
		B other.Quantity `span:"marshal"`
		C other.Quantity `span:"marshal=text"`
		D other.Quantity `span:"marshal=xml"`
		E other.Quantity `span:"marshal=json,fields"`
		F TextInt        `span:"marshal=json"`
		G other.Quantity `span:"utf8"`
		H other.Quantity `span:"sized"`
		I Point          `span:"marshal="`
	}
	BadOmits struct {
		A other.Fault    `span:"omit"`
		B other.Fault    `span:"omit="`
		C other.Fault    `span:"omit=Err||Data"`
		D other.Fault    `span:"omit=Er|Data|Base.Fetch|Ops|Err"`
		E other.Holds    `span:"omit=S.cache"`
		F other.Holds    `span:"omit=S|S.A"`
		G other.Open     `span:"omit=A.B"`
		H int            `span:"omit=A"`
		I other.Quantity `span:"omit=Format"`
		K []other.Timed  `span:"omit=Wall"`
		L other.Open     `span:"omit=A,marshal=json"`
		M other.Fault    `span:"omit=Fetch|Err|Data|Base|Ops"`
		N Empty          `span:"omit=A"`
	}
	Empty struct{}
)
