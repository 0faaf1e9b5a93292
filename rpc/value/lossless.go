package value

import (
	"errors"
	"fmt"
	"reflect"
)

// ErrNoPlace is for a member that is not zero, for which the reader's type has no place.
var ErrNoPlace = errors.New("no place for this member")

// losslessDepth is how deep lossless JSON nests when Dialect.Depth does not say: as deep as the span format.
const losslessDepth = 1000

func (d *Dialect) losslessDepth() int {
	if d.Depth <= 0 {
		return losslessDepth
	}
	return d.Depth
}

// AppendLossless writes v as lossless JSON behind b. With an error b comes back as it was.
func (d Dialect) AppendLossless(b []byte, v any) ([]byte, error) {
	w := exactWriter{b: b, depth: d.losslessDepth()}
	root := reflect.ValueOf(v)
	for root.Kind() == reflect.Pointer && w.links < maxLinks { // pointers at the root leave no trace
		root = root.Elem()
		w.links++
	}
	if err := w.value(root); err != nil {
		return b, err
	}
	return w.b, nil
}

// ReadLossless reads lossless JSON into what dst, a pointer that is not nil, points to. No data, and null, are the zero value. Members
// without a place are dropped and counted; unless they are zero, Strict refuses them with ErrNoPlace.
func (d Dialect) ReadLossless(data []byte, dst any) (dropped int, err error) {
	return d.readLossless(data, dst, d.Strict)
}

// BindLossless reads lossless JSON into the parameters of an action. A single parameter takes a member of its name, else the whole
// value; several take members, and a struct or map among them that has no member of its name takes what no other has. A member that
// is not zero and has no place is ErrNoPlace. Parameters without a member, and no data at all, leave the defaults.
func (d Dialect) BindLossless(data []byte, params ...Param) error {
	for i := range params {
		if v := reflect.ValueOf(params[i].Into); v.Kind() != reflect.Pointer || v.IsNil() {
			return &Error{Member: params[i].Name, Type: fmt.Sprintf("%T", params[i].Into), Reason: ErrType}
		}
	}
	if len(data) == 0 {
		return nil
	}
	if len(params) == 1 && params[0].Name == "" {
		_, err := d.readLossless(data, params[0].Into, true)
		return err
	}
	return d.bindExact(data, params)
}

func (d *Dialect) readLossless(data []byte, dst any, refuse bool) (int, error) {
	v := reflect.ValueOf(dst)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return 0, &Error{Type: fmt.Sprintf("%T", dst), Reason: ErrType}
	}
	v = v.Elem()
	v.SetZero()
	if len(data) == 0 {
		return 0, nil
	}
	r := exactReader{b: data, depth: d.losslessDepth(), refuse: refuse}
	err := r.whole(v)
	return r.dropped, err
}
