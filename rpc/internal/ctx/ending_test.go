package ctx

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// whole is a context that is nothing but its ending.
type whole struct{ Ending }

func (*whole) Deadline() (time.Time, bool) { return time.Time{}, false }
func (*whole) Value(any) any               { return nil }

var errOver = errors.New("over")

func TestEndClosesDoneWheneverThatWasAsked(t *testing.T) {
	var x whole
	before := x.Done()
	require.NoError(t, x.Err())
	select {
	case <-before:
		t.Error("it has not ended")
	default:
	}
	x.End(errOver)
	<-before
	<-x.Done()
	require.Equal(t, errOver, x.Err())

	var y whole
	y.End(errOver)
	<-y.Done()
}

func TestTheFirstEndCounts(t *testing.T) {
	var x whole
	x.End(errOver)
	x.End(context.Canceled)
	require.Equal(t, errOver, x.Err())
}

func TestAfterFuncRunsOnceWhenTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x whole
		var ran [4]atomic.Int32
		stop := make([]func() bool, len(ran))
		for i := range ran {
			stop[i] = x.AfterFunc(func() { ran[i].Add(1) })
		}
		require.True(t, stop[1]())
		require.False(t, stop[1](), "once")
		x.End(errOver)
		x.End(errOver)
		synctest.Wait()
		for i, want := range []int32{1, 0, 1, 1} {
			require.Equal(t, want, ran[i].Load(), i)
		}
		require.False(t, stop[0](), "it has run")
		late := x.AfterFunc(func() { ran[1].Add(1) })
		synctest.Wait()
		require.EqualValues(t, 1, ran[1].Load(), "it had ended")
		require.False(t, late())
	})
}

// Package context would need one for each otherwise.
func TestDerivedContextsNeedNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x whole
		derived, cancel := context.WithCancel(&x)
		defer cancel()
		require.Len(t, *x.after, 1)
		x.End(errOver)
		synctest.Wait()
		require.Equal(t, errOver, derived.Err())

		var y whole
		_, cancel = context.WithCancel(&y)
		cancel()
		require.Empty(t, *y.after, "it is not kept")
	})
}

func TestAnEndingIsSmall(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(Ending{}), uintptr(5*8))
}
