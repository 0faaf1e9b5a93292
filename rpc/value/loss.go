package value

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"
)

// ErrLossy says that NewLife's dialect would change the value on its way.
var ErrLossy = errors.New("NewLife's dialect would change the value")

// lose notes that something does not travel as it is.
func (d *Dialect) lose(what string) error {
	switch {
	case d.loss == nil:
		return nil
	case d.loss.refuse:
		return fmt.Errorf("%w: %s", ErrLossy, what)
	}
	d.loss.cut = true
	return nil
}

// bareLoss looks at what stands bare at the top.
func (d *Dialect) bareLoss(s []byte, kind Kind) error {
	switch kind {
	case Text:
		t := bytes.TrimSpace(s)
		switch {
		case len(t) != len(s):
			return d.lose("it drops the white space around bare text: send the text as a member of a struct")
		case len(t) > 0 && (t[0] == '{' || t[0] == '['):
			return d.lose("it takes bare text that begins with { or [ for JSON: send the text as a member of a struct")
		}
	case JSON:
		if len(s) > 0 && s[0] == '"' {
			return d.lose("it does not read a bare value of this type: send it as a member of a struct")
		}
	}
	return nil
}

// textLoss looks at a string.
func (d *Dialect) textLoss(s string) error {
	if d.loss == nil || utf8.ValidString(s) {
		return nil
	}
	return d.lose("the string is not UTF-8")
}

// timeLoss looks at a time of which digits below a second are not written.
func (d *Dialect) timeLoss(t time.Time) error {
	if d.loss == nil {
		return nil
	}
	if n := t.Nanosecond(); n != 0 && (!d.loss.refuse || n%100 != 0) {
		return d.lose("a fraction of a second below 100 ns")
	}
	return nil
}

// fraction writes the digits below a second, where they are wanted and there are any.
func (d *Dialect) fraction(b []byte, t time.Time) []byte {
	n := t.Nanosecond() / 100
	if d.loss == nil || !d.loss.refuse || n == 0 {
		return b
	}
	b = append(b, '.')
	for div := 1_000_000; div > 0 && n > 0; div /= 10 {
		b = append(b, '0'+byte(n/div))
		n %= div
	}
	return b
}

// numberLoss looks at a number in JSON.
func (d *Dialect) numberLoss(v reflect.Value) error {
	if d.loss != nil && v.CanUint() && v.Uint() > math.MaxInt64 {
		return d.lose("it reads integers as 64 bits with a sign: " + strconv.FormatUint(v.Uint(), 10))
	}
	return nil
}

// durationLoss looks at a duration, which has ticks of 100 ns.
func (d *Dialect) durationLoss(t time.Duration) error {
	if t%100 != 0 {
		return d.lose("a part of a duration below 100 ns")
	}
	return nil
}

// memberLoss looks at a member that is left out because it is zero: its reader has that zero, unless it is told by its being there.
func (d *Dialect) memberLoss(v reflect.Value) error {
	if d.loss == nil {
		return nil
	}
	switch k := v.Kind(); {
	case k == reflect.Interface && !v.IsNil():
		return d.lose("a zero in an interface is left out")
	case k == reflect.Float32 || k == reflect.Float64:
		if math.Signbit(v.Float()) {
			return d.lose("a negative zero is left out")
		}
	}
	return nil
}

// nullLoss looks at an element of a list.
func (d *Dialect) nullLoss(v reflect.Value) error {
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
		return d.lose("a null in a list is dropped")
	}
	return nil
}
