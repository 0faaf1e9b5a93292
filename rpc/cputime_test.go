//go:build unix

package rpc_test

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that the process has used.
func cpuTime() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// descriptors is how many files the process may have open.
func descriptors() uint64 {
	var r syscall.Rlimit
	_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r)
	return uint64(r.Cur) //nolint:unconvert // it is signed on some systems
}
