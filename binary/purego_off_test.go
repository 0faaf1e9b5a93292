//go:build !purego

package binary_test

const purego = false
