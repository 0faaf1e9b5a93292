//go:build race

package rpc_test

const raceBuild = true
