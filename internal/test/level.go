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
