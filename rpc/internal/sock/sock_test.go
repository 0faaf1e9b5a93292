package sock

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTemporaryErrorsOfAcceptingPass(t *testing.T) {
	of := func(err error) error {
		return fmt.Errorf("listener: %w", &net.OpError{Op: "accept", Err: os.NewSyscallError("accept", err)})
	}
	for _, err := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED} {
		require.True(t, Temporary(of(err)), err)
	}
	for _, err := range []error{syscall.EBADF, syscall.EINVAL, net.ErrClosed, errors.New("other"), nil} {
		require.False(t, Temporary(of(err)), err)
	}
}
