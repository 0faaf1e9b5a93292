//go:build !unix

package rpc_test

import "time"

func cpuTime() time.Duration { return 0 }

func descriptors() uint64 { return 0 }
