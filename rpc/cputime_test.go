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
