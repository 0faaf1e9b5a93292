package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// TestSections prints every example; section itself checks that the value reads
// back and that generated code and reflection give the same bytes.
func TestSections(t *testing.T) {
	var out bytes.Buffer
	p, n, b := plainSimple(simple), nested.plain(), batch(1000)
	q := b.plain()
	for _, err := range []error{
		section(&out, "Simple", &simple, &p),
		section(&out, "Nested", &nested, &n),
		section(&out, "Fast", &fast, nil),
		section(&out, "Batch", &b, &q),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		"== Simple (33 bytes)",
		"0004  074e65774c696665         Name             NewLife",
		"0014  074e65774c696665         Inner.Name       NewLife",
		"0000  2a 00 00 00 07 4e 65 77 4c 69 66 65 01 80 85 74",
		"…     32938 bytes more",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	p.Name = "another"
	if err := section(io.Discard, "Simple", &simple, &p); err == nil {
		t.Error("a twin that differs is not noticed")
	}
}

// TestCompare measures one codec for a moment.
func TestCompare(t *testing.T) {
	defer func(d time.Duration) { round = d }(round)
	round = time.Millisecond
	var out bytes.Buffer
	if err := compare(&out, io.Discard, "Simple", []codec{spanCodec("generated", &simple), jsonCodec(&simple), gobCodec(&simple)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"generated     33", "encoding/json     90", "encoding/gob"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
