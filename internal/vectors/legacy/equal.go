package legacy

import (
	"fmt"
	"reflect"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/internal/vectors"
	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// differ tells how got differs from want, models of one type.
func differ(got, want any) string {
	switch w := want.(type) {
	case *Nets:
		g := got.(*Nets)
		if !same(g.Addr, w.Addr) || !same(g.End, w.End) || g.After != w.After {
			return fmt.Sprintf("%v %v %d, want %v %v %d", g.Addr, g.End, g.After, w.Addr, w.End, w.After)
		}
		return ""
	case *Calendar:
		g := got.(*Calendar)
		_, a := g.Dto.Zone()
		_, b := w.Dto.Zone()
		if !g.Dto.Equal(w.Dto.Time) || a != b || g.Date != w.Date || g.Time != w.Time || g.Span != w.Span || g.After != w.After {
			return fmt.Sprintf("%v, want %v", *g, *w)
		}
		return ""
	case *Cyclic:
		g := got.(*Cyclic)
		if g.Id != w.Id || g.After != w.After || (g.Self == g) != (w.Self == w) || (g.Self == nil) != (w.Self == nil) {
			return fmt.Sprintf("%v, want %v", *g, *w)
		}
		return ""
	}
	return vectors.Differ(got, want)
}

// same compares what two pointers point to.
func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// adoptZeros gives a zero decimal of v the sign that it has in like, since
// recorded text does not show it.
func adoptZeros(v, like any) {
	adopt := func(d *span.Decimal, like span.Decimal) {
		if d.Sign() == 0 && like.Sign() == 0 && d.Scale() == like.Scale() {
			*d = like
		}
	}
	switch v := v.(type) {
	case *models.DecimalModel:
		adopt(&v.D, like.(*models.DecimalModel).D)
	case *Everything:
		adopt(&v.Price, like.(*Everything).Price)
	}
}

// inSeconds cuts the times of a value to what seconds hold.
func inSeconds(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if _, cyclic := v.Interface().(*Cyclic); !v.IsNil() && !cyclic {
			inSeconds(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			inSeconds(v.Index(i))
		}
	case reflect.Struct:
		if t, ok := v.Interface().(time.Time); ok {
			if !t.IsZero() {
				v.Set(reflect.ValueOf(time.Unix(t.Unix(), 0).UTC()))
			}
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Type != reflect.TypeFor[binary.DateTimeOffset]() {
				inSeconds(v.Field(i))
			}
		}
	}
}

// depth is how many objects nest in a chain.
func depth(v any) (n int) {
	if d, ok := v.(*models.Deep); ok {
		for ; d != nil; d = d.Next {
			n++
		}
	}
	return n
}
