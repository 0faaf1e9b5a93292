// Package test holds what tests of several packages share. Only tests import it.
package test

import (
	"os"
	"testing"
)

// Switch is the environment variable that says how much a test run does. A
// plain go test leaves it empty: the quick tests alone. ".ci/run" sets it to
// "ci": a share of the long ones. ".ci/run full" sets it to "full": everything.
const Switch = "SPANWIRE_TESTS"

// Long skips t in a plain go test: t runs under ".ci/run" and ".ci/run full".
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv(Switch) == "" {
		t.Skip("takes long: runs under .ci/run, or with " + Switch + "=ci")
	}
}

// Full skips t unless everything is asked for: t runs under ".ci/run full".
func Full(t testing.TB) {
	t.Helper()
	if os.Getenv(Switch) != "full" {
		t.Skip("takes very long: runs under .ci/run full, or with " + Switch + "=full")
	}
}

// Count returns how many cases a test over random or numbered cases takes:
// quick in a plain go test, ci under ".ci/run", full under ".ci/run full".
func Count(quick, ci, full int) int {
	switch os.Getenv(Switch) {
	case "":
		return quick
	case "full":
		return full
	default:
		return ci
	}
}

// Changes gives what a test that changes single bytes puts in the place of b:
// every value in a long run, in a plain go test those that are one bit away and
// the extremes.
func Changes(b byte) []byte {
	var all []byte
	if os.Getenv(Switch) != "" {
		for x := range 256 {
			all = append(all, byte(x))
		}
		return all
	}
	for bit := range 8 {
		all = append(all, b^1<<bit)
	}
	return append(all, 0, 0x7f, 0x80, 0xff)
}
