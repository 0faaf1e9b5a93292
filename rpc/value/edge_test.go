package value

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
	"github.com/stretchr/testify/require"
)

// Durations read back as they were, but for what is below a tick of 100 ns, at the ends of what there is as well. Below the
// lowest tick there is only the least duration.
func TestDurationExtremes(t *testing.T) {
	ends := []int64{math.MinInt64, 0, -int64(time.Second), int64(24 * time.Hour), -int64(24 * time.Hour), math.MaxInt64}
	for _, end := range ends {
		for i := int64(-300); i <= 300; i++ {
			n := end + i
			if i < 0 != (n < end) && i != 0 {
				continue // over the end
			}
			want := n - (n%100+100)%100
			if want > n {
				want = math.MinInt64
			}
			text := string(dotnet.AppendDuration(nil, time.Duration(n)))
			if got, err := dotnet.ParseDuration(text); err != nil || int64(got) != want {
				t.Fatalf("%d ns: %s reads as %d, %v; want %d", n, text, got, err, want)
			}
			var back struct{ D time.Duration }
			b, _, err := Dialect{Keep: true}.Append(nil, struct{ D time.Duration }{time.Duration(n)})
			if err == nil {
				err = Dialect{}.Read(b, &back)
			}
			if err != nil || int64(back.D) != want {
				t.Fatalf("%d ns: %s reads as %d, %v", n, b, back.D, err)
			}
		}
	}
}

// Members are added to what a Dialect has written, however deep its Depth has let it nest; what comes from a peer is looked into
// as deep as the Dialect says.
func TestMembersDepth(t *testing.T) {
	type nest struct{ N any }
	deep := func(levels int) any {
		v := any(nest{1})
		for range levels - 1 {
			v = nest{v}
		}
		return v
	}
	d := Dialect{Depth: 1000}
	for _, levels := range []int{1, 99, 100, 101, 999} {
		b, kind, err := d.Append(nil, deep(levels))
		if err != nil {
			t.Fatal(levels, err)
		}
		b, err = AppendMembers(b, 0, kind, Member{"Token", "x"})
		if err != nil || !strings.HasSuffix(string(b), `},"Token":"x"}`) && levels > 1 {
			t.Fatalf("%d levels: %v, %.20s", levels, err, b[max(0, len(b)-20):])
		}
		if token, ok := d.FindMember(b, "Token"); !ok || token != "x" {
			t.Errorf("%d levels: %q, %v", levels, token, ok)
		}
		if _, ok := FindMember(b, "Token"); ok != (levels <= 100) {
			t.Errorf("%d levels: found %v where 100 is the limit", levels, ok)
		}
		if _, ok := (Dialect{Depth: 10}).FindMember(b, "Token"); ok != (levels <= 10) {
			t.Errorf("%d levels: found %v where 10 is the limit", levels, ok)
		}
	}
}

// Without a name a []byte is the data, and its own; with one it is base64 text, as recorded.
func TestBindBytes(t *testing.T) {
	data := []byte("AQID")
	for name, want := range map[string]string{"": "AQID", "data": "\x01\x02\x03"} {
		var b []byte
		if err := (Dialect{}).Bind(data, Param{name, &b}); err != nil || string(b) != want {
			t.Errorf("%q: %q, %v", name, b, err)
		}
		var p *blob
		if err := (Dialect{}).Bind(data, Param{name, &p}); err != nil || string(*p) != want {
			t.Errorf("%q: %q, %v", name, *p, err)
		}
		if b[0]++; string(data) != "AQID" {
			t.Fatal("not a copy")
		}
	}
	var b []byte
	var e *Error
	err := (Dialect{}).Bind([]byte{1, 2, 3}, Param{"data", &b})
	if !errors.Is(err, ErrConvert) || !errors.As(err, &e) || e.Member != "data" || !strings.Contains(err.Error(), "base64") {
		t.Error(err)
	}
}

// D3: what NewLife takes where the form does not fit, as recorded, under Compat alone.
func TestCompatForms(t *testing.T) {
	for name, k := range map[string]struct {
		data string
		into any
		want any
	}{
		"object for an int":    {`{"v":{"x":1}}`, new(int32), int32(0)},
		"object for a bool":    {`{"v":{"x":1}}`, new(bool), false},
		"object for a float":   {`{"v":{"x":[1]}}`, new(float64), 0.0},
		"object for a string":  {`{"v":{"x":1}}`, new(string), ""},
		"object for an enum":   {`{"v":{}}`, new(Color), Red},
		"number for a list":    {`{"v":5}`, new([]int32), []int32(nil)},
		"bool for a list":      {`{"v":true}`, new([]string), []string(nil)},
		"text for a list":      {`{"v":"x"}`, new([]*User), []*User(nil)},
		"too large for an int": {`{"v":99999999999}`, new(int32), int32(0)},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, Dialect{Compat: true}.Bind([]byte(k.data), Param{"v", k.into}))
			require.Equal(t, k.want, reflect.ValueOf(k.into).Elem().Interface())
			require.ErrorIs(t, Dialect{}.Bind([]byte(k.data), Param{"v", k.into}), ErrConvert)
		})
	}
	require.ErrorIs(t, Dialect{Compat: true}.Bind([]byte(`{"v":[1]}`), Param{"v", new(int32)}), ErrConvert)
}
