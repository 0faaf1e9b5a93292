package rpc_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spanwire/spanwire/rpc/value"
)

// The types of the recorded services.

// text is a scalar as it stands in a message.
func text(v any) string {
	b, _, _ := value.Dialect{}.Append(nil, v)
	return string(b)
}

type Color int32

const (
	Red Color = iota
	Green
	Blue
)

func (c Color) String() string {
	if c < Red || c > Blue {
		return strconv.Itoa(int(c))
	}
	return [...]string{"Red", "Green", "Blue"}[c]
}

type User struct {
	Id         int32
	Name       *string
	Score      float64
	Enable     bool
	CreateTime time.Time
	Color      Color
	Tags       []string
	Friend     *User
}

func (u *User) show() string {
	if u == nil {
		return "(null)"
	}
	tags := "(null)"
	if u.Tags != nil {
		tags = strings.Join(u.Tags, "|")
	}
	friend := "(null)"
	if u.Friend != nil {
		friend = "{" + u.Friend.show() + "}"
	}
	score := text(u.Score)
	return fmt.Sprintf("Id=%d Name=%s Score=%s Enable=%s CreateTime=%s Color=%v Tags=%s Friend=%s", u.Id, orNull(u.Name), score,
		text(u.Enable), u.CreateTime.Format("2006-01-02 15:04:05"), u.Color, tags, friend)
}

func orNull(s *string) string {
	if s == nil {
		return "(null)"
	}
	return *s
}

// GUID is 16 bytes in the order of the text.
type GUID [16]byte

func (g GUID) MarshalText() ([]byte, error) {
	h := hex.EncodeToString(g[:])
	return []byte(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]), nil
}

func (g *GUID) UnmarshalText(s []byte) error {
	b, err := hex.DecodeString(strings.ReplaceAll(string(s), "-", ""))
	if err == nil && len(b) != 16 {
		err = errors.New("not 16 bytes")
	}
	copy(g[:], b)
	return err
}

var guid = GUID{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0}

// offsetTime is .NET's DateTimeOffset.
type offsetTime struct{ time.Time }

func (o offsetTime) MarshalJSON() ([]byte, error) {
	return []byte(o.Format(`"2006-01-02T15:04:05.0000000-07:00"`)), nil
}

// Acc writes itself.
type Acc struct {
	Id   int32
	Name string
}

func (a *Acc) AppendRaw(b []byte) ([]byte, error) {
	return append(binary.LittleEndian.AppendUint32(b, uint32(a.Id)), a.Name...), nil
}

func (a *Acc) ReadRaw(data []byte) error {
	if len(data) < 4 {
		return errors.New("id cut")
	}
	a.Id, a.Name = int32(binary.LittleEndian.Uint32(data)), string(data[4:])
	return nil
}

type Spn struct {
	Id   int32
	Name string
}

func str(s string) *string { return &s }

func plain(y, m, d, h, min, s, ms int) time.Time {
	return time.Date(y, time.Month(m), d, h, min, s, ms*1e6, value.Unspecified())
}

func utc(t time.Time) time.Time { return time.Unix(t.Unix(), 0).UTC() }

var date = plain(2024, 2, 3, 4, 5, 6, 789)

var stone = &User{Id: 1, Name: str("Stone"), Score: 99.5, Enable: true, CreateTime: date, Color: Green, Tags: []string{"x", "y"},
	Friend: &User{Id: 2, Name: str("中文")}}

var pair = []*User{{Id: 1}, {Id: 2, Name: str("B")}}

const odd = "q\"b\\s/n\nr\rt\tb\bf\fu\x01d\x7f"
