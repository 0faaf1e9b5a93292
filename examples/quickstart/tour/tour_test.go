package main

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
)

func TestShowBytes(t *testing.T) {
	var out strings.Builder
	require.NoError(t, showBytes(&out))
	for _, want := range []string{
		"Simple, 33 bytes",
		"0004  074e65774c696665         Name             NewLife",
		"0014  074e65774c696665         Inner.Name       NewLife",
	} {
		require.Contains(t, out.String(), want)
	}
	p := plainSimple(simple)
	p.Name = "another"
	require.ErrorContains(t, section(io.Discard, "Simple", &simple, &p), "differ")
}

func TestShowStruct(t *testing.T) {
	var out strings.Builder
	require.NoError(t, showStruct(&out))
	require.Contains(t, out.String(), "    //span:generate\n    type Simple struct {\n    \tID        int32\n")
}

func TestShowHostile(t *testing.T) {
	var out strings.Builder
	require.NoError(t, showHostile(&out))
	require.Contains(t, out.String(), "at Items (byte 0)")
}

func TestShowCosts(t *testing.T) {
	defer func(d time.Duration) { round = d }(round)
	round = 100 * time.Microsecond
	var out strings.Builder
	require.NoError(t, showCosts(&out, io.Discard))
	require.NoError(t, showStrings(&out, io.Discard))
	for _, want := range []string{"generated     33", "json     90", "gob stream     39", "gob message    135", "aliased"} {
		require.Contains(t, out.String(), want)
	}
}

// The generator gives what the tour is built with.
func TestShowGenerated(t *testing.T) {
	test.Long(t)
	var out strings.Builder
	require.NoError(t, showGenerated(context.Background(), &out))
	require.Contains(t, out.String(), "func (v *Simple) AppendSpan")
	_, err := generate(context.Background(), modelSource+"\n//span:generate\ntype Bad struct{ C chan int }\n")
	require.ErrorContains(t, err, "Bad.C")
}
