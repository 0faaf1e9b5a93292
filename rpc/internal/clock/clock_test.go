package clock

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// heard is a sleeper that notes when it is woken.
type heard struct {
	name string
	zero time.Time
	all  *[]string
	at   []time.Duration
	then func(now int64)
}

func (h *heard) Wake(now int64) {
	h.at = append(h.at, time.Since(h.zero))
	if h.all != nil {
		*h.all = append(*h.all, h.name)
	}
	if h.then != nil {
		h.then(now)
	}
}

// joined is a clock in fake time with one user, which leaves at the end.
func joined(t *testing.T, f func(t *testing.T, k *Clock)) {
	synctest.Test(t, func(t *testing.T) {
		k := new(Clock)
		k.Join()
		defer k.Leave(new(Alarm))
		f(t, k)
	})
}

// running reports whether the timer is.
func running(k *Clock) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.timer != nil
}

// A user of before keeps the clock's zero, which fake time has not reached.
func TestTimeBeforeTheClocksZero(t *testing.T) {
	joined(t, func(t *testing.T, k *Clock) {
		k.zero = time.Now().Add(time.Hour)
		zero := time.Now()
		h := &heard{zero: zero}
		a := &Alarm{Of: h}
		k.Set(a, k.Now()+Ticks(time.Second))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		require.Len(t, h.at, 1)
		require.GreaterOrEqual(t, h.at[0], time.Hour+time.Second)
	})
}

func TestAlarmIsLateByATickAtMost(t *testing.T) {
	joined(t, func(t *testing.T, k *Clock) {
		for _, shift := range []time.Duration{0, 1, Tick / 2, Tick - 1} {
			for _, d := range []time.Duration{0, 1, Tick - 1, Tick, Tick + 1, time.Second, (wheel-1)*Tick - 1, wheel * Tick, (wheel + 1) * Tick,
				10 * wheel * Tick, time.Hour} {
				time.Sleep(Tick - time.Since(k.zero)%Tick + shift)
				h := &heard{zero: time.Now()}
				a := Alarm{Of: h}
				k.Set(&a, k.Now()+Ticks(d))
				time.Sleep(d + 2*Tick)
				synctest.Wait()
				require.Len(t, h.at, 1, "%v after a tick, for %v", shift, d)
				require.GreaterOrEqual(t, h.at[0], d, "early: %v after a tick", shift)
				require.LessOrEqual(t, h.at[0], d+2*Tick, "late: %v after a tick", shift)
				require.Zero(t, k.Due(&a))
			}
		}
	})
}

func TestAlarmsWakeInOrderOfTime(t *testing.T) {
	joined(t, func(t *testing.T, k *Clock) {
		var all []string
		now := k.Now()
		due := map[string]int64{"first": 3, "second": 64, "third": 65, "fourth": wheel, "fifth": wheel + 3, "sixth": 3 * wheel}
		for name, after := range due {
			k.Set(&Alarm{Of: &heard{name: name, all: &all}}, now+after)
		}
		require.Equal(t, len(due), k.Alarms())
		time.Sleep(4 * wheel * Tick)
		synctest.Wait()
		require.Equal(t, []string{"first", "second", "third", "fourth", "fifth", "sixth"}, all)
		require.Zero(t, k.Alarms())
	})
}

func TestEarlierTickWins(t *testing.T) {
	joined(t, func(t *testing.T, k *Clock) {
		h := &heard{zero: time.Now()}
		a := Alarm{Of: h}
		now := k.Now()
		for _, after := range []int64{100, 200, 50, 60} {
			k.Set(&a, now+after)
		}
		require.Equal(t, now+50, k.Due(&a))
		require.Equal(t, 1, k.Alarms())
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, h.at, 1)
		require.LessOrEqual(t, h.at[0], 50*Tick)
	})
}

func TestPastTickWakesAtTheNext(t *testing.T) {
	joined(t, func(t *testing.T, k *Clock) {
		time.Sleep(time.Second)
		h := &heard{zero: time.Now()}
		k.Set(&Alarm{Of: h}, 1)
		time.Sleep(2 * Tick)
		synctest.Wait()
		require.Len(t, h.at, 1)
	})
}

func TestSleeperMaySetItsAlarmAgain(t *testing.T) {
	joined(t, func(t *testing.T, k *Clock) {
		h := &heard{zero: time.Now()}
		a := Alarm{Of: h}
		h.then = func(now int64) {
			if len(h.at) < 5 {
				k.Set(&a, now+10)
			}
		}
		k.Set(&a, k.Now()+10)
		time.Sleep(time.Second)
		synctest.Wait()
		require.Len(t, h.at, 5)
		require.True(t, slices.IsSorted(h.at))
		require.LessOrEqual(t, h.at[4], 50*Tick)
	})
}

func TestNobodyIsWokenAfterLeaving(t *testing.T) {
	joined(t, func(t *testing.T, k *Clock) {
		h := new(heard)
		a := Alarm{Of: h}
		k.Join()
		require.Equal(t, 2, k.Users())
		k.Set(&a, k.Now()+10)
		k.Leave(&a)
		require.Zero(t, k.Alarms())
		require.False(t, running(k), "a timer for nobody")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Empty(t, h.at)
	})
}

func TestTimerIsOffWhileNobodyIsDue(t *testing.T) {
	joined(t, func(t *testing.T, k *Clock) {
		require.False(t, running(k))
		k.Set(&Alarm{Of: new(heard)}, k.Now()+10)
		require.True(t, running(k))
		time.Sleep(time.Second)
		synctest.Wait()
		require.False(t, running(k))
	})
}

// A client that dials again has calls with a time of birth.
func TestTicksGoOnAcrossAMomentWithoutUsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := new(Clock)
		k.Join()
		time.Sleep(time.Minute)
		before := k.Now()
		k.Leave(new(Alarm))
		time.Sleep(time.Minute)
		k.Join()
		require.Equal(t, before+int64(time.Minute/Tick), k.Now())
		k.Leave(new(Alarm))
		time.Sleep(2 * time.Hour)
		k.Join()
		require.EqualValues(t, 1, k.Now(), "it begins anew after an hour")
		k.Leave(new(Alarm))
	})
}

func TestSleepLastsAsLongAsAskedOrUntilItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := new(Clock)
		zero := time.Now()
		require.NoError(t, k.Sleep(t.Context(), time.Second))
		require.GreaterOrEqual(t, time.Since(zero), time.Second)
		require.LessOrEqual(t, time.Since(zero), time.Second+2*Tick)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, k.Sleep(ctx, time.Hour), context.DeadlineExceeded)
		require.Zero(t, k.Users())
		require.Zero(t, k.Alarms())
	})
}

// After 248 days ticks have more than 31 bits.
func TestAgeIsRightBeyond31Bits(t *testing.T) {
	for _, now := range []int64{1, 1<<31 - 1, 1 << 31, 1<<31 + 5, 1<<32 - 1, 1 << 32, 1 << 40} {
		for _, ago := range []int64{0, 1, 1000, 1<<31 - 1} {
			require.Equal(t, ago, Age(now, int32(now-ago)), "%d ticks before %d", ago, now)
		}
	}
}

func TestTicksRoundUp(t *testing.T) {
	for d, want := range map[time.Duration]int64{-1: Never, 0: 1, 1: 2, Tick: 2, Tick + 1: 3, time.Second: 101, 1<<63 - 1: Never} {
		require.Equal(t, want, Ticks(d), d)
	}
}
