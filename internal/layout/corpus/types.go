// Package corpus holds types of every shape that package layout decides on,
// good and bad. Its tests walk them through both feeds and compare.
package corpus

import (
	"math/big"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/spanwire/spanwire/internal/layout/corpus/other"
	"github.com/spanwire/spanwire/span"
)

// Valid has a field for each type that has a plan; it is never a value.
type Valid struct {
	Bool       bool
	Int        int
	Rune       rune
	String     string
	Bytes      []byte
	Complex    complex64
	Time       time.Time
	TimePtr    *time.Time
	Duration   time.Duration
	GUID       span.GUID
	Decimal    *span.Decimal
	Char       span.Char
	Strings    []string
	Points     []Point
	PointPtrs  []*Point
	PtrPtr     **Point
	Map        map[string][]int32
	MapTime    map[time.Time]map[bool]*Point
	Array      [3][]string
	BigArray   [1 << 20]uint64
	Empty      struct{}
	EmptyArray [5]struct{}
	Empties    []struct{}
	Anonymous  struct {
		A int
		T time.Time
		b string
	}
	AnonymousNewLife struct {
		_ struct{} `span:"newlife"`
		T time.Time
		P *Point
	}
	AnonymousList []struct{ A, B []struct{ T time.Time } }
	AnonymousGen  struct {
		Gen
		A int
	}
	AnonymousHidden struct{ a int }
	AnonymousFields struct {
		_ struct{} `span:"fields"`
		time.Time
	}

	Scalars         Scalars
	ScalarsNewLife  ScalarsNewLife
	Builtins        Builtins
	BuiltinsNewLife BuiltinsNewLife
	Flag            Flag
	IDs             IDs
	Hash            Hash
	Blob            Blob
	Raw             Raw
	Bag             Bag
	Grid            Grid
	Ref             Ref
	StampT          StampT
	Stamps          Stamps
	Letters         Letters
	Alias           Alias
	PointsOf        PointsOf
	AliasPair       AliasPair
	Point           Point
	NamedFields     NamedFields
	Aliases         Aliases
	Shapes          Shapes
	Keys            Keys
	Nothing         Nothing
	OnlyHidden      OnlyHidden
	OnlySkipped     OnlySkipped
	OnlyBlank       OnlyBlank
	Mix             Mix
	MixNewLife      MixNewLife

	Integers        Integers
	IntegersNewLife IntegersNewLife
	Times           Times
	TimesNewLife    TimesNewLife
	Lengths         Lengths
	Texts           Texts
	Mixed           Mixed
	Old             Old
	OldPtr          *Old
	Versions        Versions
	Frame           Frame
	Frames          []Frame
	FrameNewLife    FrameNewLife
	VersionsNewLife VersionsNewLife
	Options         Options
	Graph           Graph
	Graphs          []Graph
	Owner           Owner
	Boxed           Boxed
	BoxedNode       BoxedNode
	GraphNewLife    GraphNewLife
	Ring            Ring
	RingBack        RingBack

	Doc           Doc
	Kite          Kite
	KiteNewLife   KiteNewLife
	Embeds        Embeds
	EmbedsSkipped EmbedsSkipped
	EmbedsHidden  EmbedsHidden
	EmbedsPair    EmbedsPair
	EmbedsBoth    EmbedsBoth
	Lower         lower
	OuterGo       OuterGo
	OuterNewLife  OuterNewLife
	TimeList      TimeList
	EndsNil       EndsNil
	MiddleNil     MiddleNil
	NearlyEndsNil NearlyEndsNil
	NestedEndsNil NestedEndsNil
	ListOfNil     ListOfNil
	GoEndsNil     GoEndsNil
	GoOptional    GoOptional
	NeverBytes    NeverBytes
	HoldsNever    HoldsNever

	Tree        Tree
	Ping        Ping
	Pong        Pong
	List        List
	Dict        Dict
	PtrLoop     PtrLoop
	PtrHolder   PtrHolder
	ListA       ListA
	ListB       ListB
	Arr         Arr
	Deep        Deep
	Variants    Variants
	VariantOf   VariantOf
	EnterOnce   EnterOnce
	Anon        Anon
	GenLoop     GenLoop[string]
	Twist       Twist[int8, string]
	MarshalLoop MarshalLoop

	Holder      Holder
	PairOf      Pair[string, []Point]
	Opt         Opt[Point]
	Vec         Vec[Label]
	VecBytes    Vec[byte]
	Table       Table[Table[int]]
	Fixed       Fixed[Fixed[byte]]
	Nest        Nest[Nest[int8]]
	Phantom     Phantom[func()]
	OptNewLife  OptNewLife[Point]
	Instances   Instances
	NestedAlias Pair[Alias, Names]

	SelfWriter        SelfWriter
	SelfInt           SelfInt
	SelfFunc          SelfFunc
	SelfBytes         []SelfByte
	SelfTime          SelfTime
	SelfEmpty         SelfEmpty
	OddSelf           OddSelf
	Gen               Gen
	GenList           GenList
	GenPair           GenPair[string]
	GenPairs          []GenPair[Gen]
	GenSized          GenSized
	GenText           GenText
	TextOnly          TextOnly
	Appender          Appender
	HalfText          HalfText
	TextInt           TextInt
	TextBytes         []TextByte
	Tagged            Tagged
	ByFields          ByFields
	EmbedsGen         EmbedsGen
	EmbedsGenPtr      EmbedsGenPtr
	EmbedsGenTwice    EmbedsGenTwice
	EmbedsTwoGens     EmbedsTwoGens
	EmbedsFields      EmbedsFields
	EmbedsMarshal     EmbedsMarshal
	EmbedsTimeFields  EmbedsTimeFields
	EmbedsTimeMarshal EmbedsTimeMarshal
	EmbedsHalf        EmbedsHalf
	EmbedsTwoTexts    EmbedsTwoTexts
	OwnOverGen        OwnOverGen
	UsesTags          UsesTags
	Methods           Methods
	MethodsNewLife    MethodsNewLife
	Asked             Asked
	Foreign           Foreign
	ForeignState      ForeignState
	ForeignJSON       ForeignJSON
	ForeignTimes      ForeignTimes
	ForeignOmits      ForeignOmits
	EmbedsTime        EmbedsTime
	EmbedsTimes       []*EmbedsTime
	OwnJSON           OwnJSON
	OwnStates         []struct{ V other.Quantity }
	Quantities        []other.Quantity
	Stateful          other.Stateful
	Statefuls         map[string]*other.Stateful
	URL               url.URL
	NetipAddr         netip.Addr
	BigInt            *big.Int
	Values            url.Values
	Mutex             sync.Mutex
}

// Invalid has a field for each type that has problems.
type Invalid struct {
	HalfSelf   HalfSelf
	Mutexes    []sync.Mutex
	Chan       chan int
	Func       func(a int, b ...string) (c error)
	Any        any
	Error      error
	Ptr        *any
	Chans      []chan<- Point
	FuncMap    map[string]func() (int, error)
	KeyPtr     map[*int]int
	KeyAny     map[any]any
	Uintptr    uintptr
	Selfish    Selfish
	SelfishPtr **Selfish
	HasSelf    HasSelf
	SelfKey    map[string][]SelfishB
	Olds       []Old
	OldMap     map[string]*Old
	Anonymous  struct {
		A int `span:"nosuch"`
		B struct{ C chan int }
	}
	AnonymousList  []struct{ F func() }
	AnonymousHolds struct {
		M sync.Mutex
		N OnlyHidden
	}
	AnonymousTime struct {
		time.Time
		A int
	}
	Addr  Addr
	Addrs []Addr

	Junk       Junk
	Handler    Handler
	Events     Events
	Opener     Opener
	Local      Local
	BadLeaf    BadLeaf
	BadList    BadList
	BadMap     BadMap
	BadKinds   BadKinds
	BadDeep    BadDeep
	BadTwice   BadTwice
	BadLoop    BadLoop
	BadList2   BadLoopList
	BadSelf    BadSelf
	BadEmbeds  BadEmbeds
	BadGeneric BadGeneric[chan int]
	BadGen2    BadGeneric[BadGeneric[func()]]
	BadKeys    BadKeys
	PtrKeys    map[PtrKey]PtrKey
	IfaceKey   IfaceKey
	HiddenKeys HiddenKeys
	BadEmpties BadEmpties
	Endless    Endless
	Opaques    Opaques
	HoldsAddr  HoldsAddr
	EmbedsPtr  EmbedsPtr
	FromC      FromC
	BadTags    BadTags
	BadPairs   BadPairs
	BadTargets BadTargets
	BadOrder   BadOrder
	BadNesting BadNesting
	OldNode    OldNode
	OldEmbeds  OldEmbeds
	OldKeyed   OldKeyed

	BadOptions       BadOptions
	BadOptionField   BadOptionField
	BadOptionTwice   BadOptionTwice
	BadOptionPair    BadOptionPair
	BadOptionPairOne BadOptionPairOne
	BadOptionValue   BadOptionValue
	BadOptionMin     BadOptionMin
	BadOptionMarshal BadOptionMarshal
	UsesBadOptions   UsesBadOptions
	BadSizedSelf     BadSizedSelf
	BadSizedText     BadSizedText
	BadFieldsSelf    BadFieldsSelf
	BadUnknownSelf   BadUnknownSelf
	BadForeign       BadForeign
	BadForeignQ      BadForeignQ
	BadAsks          BadAsks
	BadOmits         BadOmits
	EmbedsSelf       EmbedsSelf
	OwnUnsaid        OwnUnsaid
	EmbedsAddr       *EmbedsAddr
	BadMethods       BadMethods
	GenEmbedsTime    GenEmbedsTime
	EmbedsSplit      EmbedsSplit
	EmbedsIface      EmbedsIface
}
