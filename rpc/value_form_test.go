package rpc

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a client has learned of layouts is bounded; the oldest goes first.
func TestVerdictsAreBounded(t *testing.T) {
	var v verdicts
	key := func(i int) verdict { return verdict{fmt.Sprint("A/", i), reflect.TypeFor[int](), nil} }
	for i := range 3 * verdictsMost {
		require.True(t, v.add(key(i)))
		require.False(t, v.add(key(i)))
		require.LessOrEqual(t, len(v.known), verdictsMost)
		require.Len(t, v.order, len(v.known))
	}
	for i := range 3 * verdictsMost {
		k := key(i)
		require.Equal(t, i >= 2*verdictsMost, v.has(&k))
	}
	other := key(3*verdictsMost - 1)
	other.arg = reflect.TypeFor[uint]()
	require.False(t, v.has(&other))
}

// A fingerprint is never one of those that say something else.
func TestFormsHaveFingerprintsOfTheirOwn(t *testing.T) {
	type embeds struct {
		Arg []byte
		Any any
	}
	require.True(t, formOf(reflect.TypeFor[*[]byte]()).raw)
	require.Equal(t, uint64(wantedJSON), formOf(reflect.TypeFor[embeds]()).print)
	require.Greater(t, formOf(reflect.TypeFor[string]()).print, uint64(wantedJSON))
	require.Equal(t, formOf(reflect.TypeFor[string]()).print, formOf(reflect.TypeFor[**string]()).print)
	require.NotEqual(t, formOf(reflect.TypeFor[string]()).print, formOf(reflect.TypeFor[[]byte]()).print)
}
