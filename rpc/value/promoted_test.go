package value

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type (
	ownRaw  struct{ n byte }
	withRaw struct {
		ownRaw
		B string
	}
	onlyRaw  struct{ *ownRaw }
	withTime struct {
		time.Time
		Name string
	}
	saysTime struct {
		_ struct{} `span:"marshal"`
		time.Time
		Name string
	}
	saysForm struct {
		_ struct{} `span:"marshal=text"`
		time.Time
		Name string
	}
	fieldTime struct {
		_ struct{} `span:"fields"`
		time.Time
		Name string
	}
	withError struct {
		error
		Code int
	}
	withSpan struct {
		spanned
		B string
	}
	made     struct{ A int32 }
	withMade struct {
		made
		B string
	}
)

func (r *ownRaw) AppendRaw(b []byte) ([]byte, error) { return append(b, r.n), nil }
func (r *ownRaw) ReadRaw(data []byte) error          { r.n = data[0]; return nil }

func (*made) SpanGenerated(*made)                   {}
func (m *made) AppendSpan(b []byte) ([]byte, error) { return append(b, byte(m.A)), nil }

// R23: methods that may be those of an embedded field are refused, so that no other field is lost; the marker of generated ones counts,
// and type options say what is meant.
func TestPromotedMethods(t *testing.T) {
	for name, v := range map[string]any{"raw": &withRaw{ownRaw{1}, "b"}, "raw value": withRaw{}, "time": withTime{time.Now(), "n"}, "in a list": []withTime{{}},
		"error": withError{errors.New("x"), 5}} {
		b, kind, err := Dialect{}.Append([]byte("x"), v)
		require.ErrorIs(t, err, ErrType, name)
		require.ErrorContains(t, err, "promoted", name)
		require.Equal(t, "x", string(b))
		require.Equal(t, Absent, kind)
	}
	require.ErrorIs(t, Dialect{}.Read([]byte("x"), new(withRaw)), ErrConvert)
	_, err := IsRaw(reflect.TypeFor[withRaw]())
	require.ErrorContains(t, err, "promoted")

	b, kind, err := Dialect{}.Append(nil, onlyRaw{&ownRaw{7}})
	require.NoError(t, err)
	require.Equal(t, Raw, kind)
	require.Equal(t, "\x07", string(b))

	at := time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)
	b, _, err = Dialect{}.Append(nil, saysTime{Time: at, Name: "n"})
	require.NoError(t, err)
	require.Equal(t, `"2024-02-03T04:05:06Z"`, string(b))
	b, _, err = Dialect{}.Append(nil, saysForm{Time: at, Name: "n"}) // a form says so as well
	require.NoError(t, err)
	require.Equal(t, `"2024-02-03T04:05:06Z"`, string(b))
	b, _, err = Dialect{}.Append(nil, fieldTime{Time: at, Name: "n"})
	require.NoError(t, err)
	require.True(t, json.Valid(b))
	require.Contains(t, string(b), `"Name":"n"`)

	_, _, err = Dialect{}.AppendBody(nil, &withSpan{spanned{1}, "b"})
	require.ErrorContains(t, err, "promoted")
	b, kind, err = Dialect{}.AppendBody(nil, &withMade{made{5}, "b"})
	require.NoError(t, err)
	require.Equal(t, JSON, kind)
	require.Equal(t, `{"A":5,"B":"b"}`, string(b))
	b, kind, err = Dialect{}.AppendBody(nil, &made{5})
	require.NoError(t, err)
	require.Equal(t, Span, kind)
	require.Equal(t, "\x05", string(b))
}
