package legacy

import (
	"fmt"
	"reflect"
	"time"

	"github.com/spanwire/spanwire/internal/vectors"
	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// differ tells how got differs from want, models of one type.
func differ(got, want any) string {
	switch w := want.(type) {
	case *Nets:
		if g := got.(*Nets); *g != *w {
			return fmt.Sprintf("%v, want %v", *g, *w)
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

// sameInstants compares the times of two models whatever their location.
func sameInstants(got, want any) bool {
	g, w := reflect.ValueOf(got).Elem(), reflect.ValueOf(want).Elem()
	for i := range g.NumField() {
		if !g.Type().Field(i).IsExported() {
			continue
		}
		a, ok := g.Field(i).Interface().(time.Time)
		if !ok {
			continue
		}
		if b := w.Field(i).Interface().(time.Time); a.Unix() != b.Unix() {
			return false
		}
	}
	return true
}

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

// inSeconds cuts the times of a value that writes itself to what seconds hold.
func inSeconds(v any) {
	cut := func(t *time.Time) {
		if !t.IsZero() {
			*t = time.Unix(t.Unix(), 0).UTC()
		}
	}
	switch v := v.(type) {
	case *models.Switches:
		cut(&v.T)
	case *models.Fast:
		cut(&v.CreatedAt)
	case *models.FastHolder:
		cut(&v.F.CreatedAt)
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
