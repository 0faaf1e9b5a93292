package examples_test

import (
	"bufio"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/spanwire/spanwire/examples/modbus"
)

// terminal opens a pseudo terminal: this side of a serial line, and the path of
// the other.
func terminal(t *testing.T) (*os.File, string) {
	t.Helper()
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var number, unlocked uint32
	var failed syscall.Errno
	err = raw.Control(func(fd uintptr) {
		_, _, failed = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCSPTLCK, uintptr(unsafe.Pointer(&unlocked)))
		if failed == 0 {
			_, _, failed = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGPTN, uintptr(unsafe.Pointer(&number)))
		}
	})
	if err != nil || failed != 0 {
		t.Fatal(err, failed)
	}
	return f, fmt.Sprintf("/dev/pts/%d", number)
}

// TestModbusNodeSerialServer is a client of modbus-serial's server on a serial line.
func TestModbusNodeSerialServer(t *testing.T) {
	cmd := node(t, "serial.js")
	f, path := terminal(t)
	cmd.Args = append(cmd.Args, path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "open\n" {
		t.Fatalf("%q, %v", line, err)
	}
	_ = f.SetDeadline(time.Now().Add(20 * time.Second))
	talkModbus(t, modbus.NewRTUClient(f))
}
