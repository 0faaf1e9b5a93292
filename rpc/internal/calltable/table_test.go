package calltable

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

type table = Table[int, string]

func TestNumbersGoUpFromOneAndAround(t *testing.T) {
	var x table
	for i := range 3 * Numbers {
		n, _ := x.Put()
		require.Equal(t, byte(i+1), n)
		x.Drop(n)
	}
}

func TestNumbersInUseAreNotGivenAgain(t *testing.T) {
	var x table
	used := map[byte]bool{}
	for range Numbers {
		require.False(t, x.Full(Numbers, 0))
		n, _ := x.Put()
		require.False(t, used[n], n)
		used[n] = true
	}
	require.True(t, x.Full(Numbers, 0))
	for _, n := range []byte{7, 0, 255, 128} {
		x.Drop(n)
		got, _ := x.Put()
		require.Equal(t, n, got, "the only one that is free")
	}
}

func TestFullCountsWhatIsPromisedAndWhatIsRetired(t *testing.T) {
	var x table
	for range 10 {
		x.Put()
	}
	require.False(t, x.Full(11, 0))
	require.True(t, x.Full(10, 0))
	require.True(t, x.Full(11, 1))
	x.Retire(3)
	require.False(t, x.Full(10, 0), "nobody waits for it")
	require.False(t, x.Full(1000, Numbers-11))
	require.True(t, x.Full(1000, Numbers-10), "its number can't be given out")
}

func TestDropClearsAllThatIsKnownOfANumber(t *testing.T) {
	var x table
	n, s := x.Put()
	*s, *x.Keep(n) = 5, "rare"
	x.Look(int(n / 64))
	x.Look(int(n / 64))
	require.True(t, x.Waits(n))
	require.True(t, x.Seen(n))
	x.Drop(n)
	require.False(t, x.Waits(n))
	require.Zero(t, x.Len())
	x.last = n - 1
	m, s := x.Put()
	require.Equal(t, n, m)
	require.Zero(t, *s)
	require.Empty(t, *x.Rare(n))
	require.Zero(t, x.Kept(int(n/64)))
	require.False(t, x.Seen(n))
	_, old := x.Look(int(n / 64))
	require.Zero(t, old, "a call that begins was not seen")
}

func TestManyCallsEndAsOneByOne(t *testing.T) {
	var x, y table
	for n := range 100 {
		for _, z := range []*table{&x, &y} {
			_, s := z.Put()
			if *s = n; n%3 == 0 {
				*z.Keep(byte(n + 1)) = "rare"
			}
		}
	}
	ended := 0
	for n := byte(1); n <= 100; n += 2 {
		x.Drop(n)
		if *y.Slot(n) = 0; y.Free(n) {
			y.Forget(n)
		}
		ended++
	}
	y.Dropped(ended)
	require.Equal(t, x, y)
}

func TestRetiredNumbersAreInUseUntilTheirAnswerComes(t *testing.T) {
	var x table
	n, s := x.Put()
	*s, *x.Keep(n) = 5, "rare"
	x.Retire(n)
	require.Zero(t, x.Len())
	require.Equal(t, 1, x.Retired())
	require.False(t, x.Waits(n))
	require.Zero(t, *x.Slot(n))
	require.Empty(t, *x.Rare(n))
	for range 3 * Numbers {
		m, _ := x.Put()
		require.NotEqual(t, n, m)
		x.Drop(m)
	}
	require.True(t, x.Answered(n))
	require.Zero(t, x.Retired())
	require.False(t, x.Answered(n), "once")
	x.last = n - 1
	m, _ := x.Put()
	require.Equal(t, n, m)
	require.False(t, x.Answered(m), "it is in time")
}

func TestUndoGivesTheSameNumberAgain(t *testing.T) {
	var x table
	x.Put()
	n, _ := x.Put()
	x.Undo(n)
	m, _ := x.Put()
	require.Equal(t, n, m)
	require.Equal(t, 2, x.Len())
}

func TestPassingMessagesDoNotShareNumbersWithCalls(t *testing.T) {
	var x table
	n, _ := x.Put()
	for range 2 * Numbers {
		require.NotEqual(t, n, x.Passing())
	}
	for !x.Full(Numbers, 0) {
		x.Put()
	}
	x.Passing() // there is none that is free: any will do
}

func TestLookTellsWhichCallsWereThereTwiceBefore(t *testing.T) {
	var x table
	a, _ := x.Put()
	word := func() (wait, old uint64) { return x.Look(0) }
	wait, old := word()
	require.Equal(t, uint64(1)<<a, wait)
	require.Zero(t, old)
	b, _ := x.Put()
	_, old = word()
	require.Zero(t, old, "seen once before")
	wait, old = word()
	require.Equal(t, uint64(1)<<a|uint64(1)<<b, wait)
	require.Equal(t, uint64(1)<<a, old, "b was seen once before")
	x.Retire(a)
	wait, old = word()
	require.Equal(t, uint64(1)<<b, wait, "nobody waits for a")
	require.Equal(t, uint64(1)<<b, old)
}

func TestAQueueAnswersInTheOrderOfPutting(t *testing.T) {
	var x table
	for i := range 300 {
		n, s := x.Put()
		*s = i
		if i >= 10 {
			o := x.Oldest()
			require.Equal(t, i-10, *x.Slot(o))
			require.Equal(t, 10, x.Since(o))
			x.Drop(o)
			x.Done(o)
		}
		require.Zero(t, x.Since(n))
	}
	x.Forgo(4)
	require.Equal(t, 5, x.Since(x.Oldest()))
}

// Any order of what may be done leaves the table as a plain map has it.
func TestTableIsAMapWithCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x table
	waits, late := map[byte]int{}, map[byte]bool{}
	pick := func() (byte, bool) {
		all := []byte{}
		for n := range Numbers {
			if _, ok := waits[byte(n)]; ok {
				all = append(all, byte(n))
			}
		}
		if len(all) == 0 {
			return 0, false
		}
		return all[r.IntN(len(all))], true
	}
	for i := range 20_000 {
		switch n, ok := pick(); {
		case r.IntN(2) == 0 && !x.Full(Numbers, 0):
			n, s := x.Put()
			require.NotContains(t, waits, n)
			require.NotContains(t, late, n)
			require.Zero(t, *s)
			if *s = i; i%5 == 0 {
				*x.Keep(n) = "rare"
			}
			waits[n] = i
		case ok && r.IntN(4) == 0 && len(late) < 100:
			x.Retire(n)
			delete(waits, n)
			late[n] = true
		case ok:
			require.Equal(t, waits[n], *x.Slot(n))
			x.Drop(n)
			delete(waits, n)
		}
		if i%3 == 0 {
			x.Look(r.IntN(Words))
		}
		n := byte(r.IntN(Numbers))
		require.Equal(t, late[n], x.Answered(n))
		delete(late, n)
		require.Equal(t, len(waits), x.Len())
		require.Equal(t, len(late), x.Retired())
		used := 0
		for w := range x.busy {
			used += bits.OnesCount64(x.busy[w])
		}
		require.Equal(t, len(waits)+len(late), used)
	}
	x.Each(func(n byte, s *int, _ *string) {
		require.Equal(t, waits[n], *s)
		delete(waits, n)
	})
	require.Empty(t, waits)
}

func TestLineKeepsItsOrder(t *testing.T) {
	var l Line[int]
	var want []int
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 10_000 {
		switch k := r.IntN(10); {
		case k < 5:
			l.Push(i)
			want = append(want, i)
		case k < 8 && len(want) > 0:
			require.Equal(t, want[0], l.Pop())
			want = want[1:]
		case k == 8 && len(want) > 0:
			gone := want[r.IntN(len(want))]
			require.True(t, l.Remove(func(w int) bool { return w == gone }))
			want = slices.DeleteFunc(slices.Clone(want), func(w int) bool { return w == gone })
		case i%100 == 0:
			even := func(w int) bool { return w%2 == 0 }
			l.Keep(func(w *int) bool { return even(*w) })
			want = slices.DeleteFunc(slices.Clone(want), func(w int) bool { return !even(w) })
		}
		require.Equal(t, len(want), l.Len())
		require.Equal(t, len(want) > 0, l.Waiting())
	}
	require.False(t, l.Remove(func(w int) bool { return w < 0 }))
}

func TestThoseWhoHaveLeftAreNotKept(t *testing.T) {
	var l Line[*int]
	for range 10 {
		l.Push(new(int))
	}
	for range 5 {
		l.Pop()
	}
	l.Keep(func(**int) bool { return l.Len() == 0 })
	for _, w := range l.all[:cap(l.all)] {
		require.Nil(t, w)
	}
}

func TestALongLineLeavesNoMemoryBehind(t *testing.T) {
	var l Line[[2]int]
	for range 100_000 {
		l.Push([2]int{})
	}
	for l.Waiting() {
		l.Pop()
	}
	require.LessOrEqual(t, cap(l.all), lineKept)
}
