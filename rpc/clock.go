package rpc

import (
	"math"
	"math/bits"
	"sync"
	"time"
)

// tick is the grain of all of the library's time.
const tick = 10 * time.Millisecond

// A clock wakes connections. It is one timer for all of them: running only while somebody is due, asleep until the next one is.
// Times are counted in ticks since the clock began to run; they are late by up to a tick, never early.
type clock struct {
	mu    sync.Mutex
	timer *time.Timer // nil while nobody is due
	zero  time.Time   // tick 0
	last  int64       // the tick up to which the wheel has been served
	at    int64       // the tick for which the timer is set
	n     int         // alarms that are set
	users int         // connections
	left  time.Time   // when the last of them left
	list  []*alarm    // memory for those that are being woken
	used  [wheel / 64]uint64
	slots [wheel]*alarm
}

const wheel = 512

// alarm is what a connection is woken by. The clock's lock guards it.
type alarm struct {
	of   sleeper // set once
	due  int64   // 0: not set
	prev *alarm
	next *alarm
}

// sleeper is who is woken, with the current tick, on the clock's goroutine: it must not block.
type sleeper interface{ wake(now int64) }

// processClock serves every connection that is not given a clock of its own.
var processClock clock

// join and leave tell the clock of a connection that will use it.
func (k *clock) join() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.users++; k.users == 1 && k.idle() {
		k.zero, k.last, k.at = time.Now(), 0, 0
	}
}

// idle tells whether the first connection may begin the count of ticks anew. It goes on across the moment without any in which a
// client dials again: its calls have a time of birth.
func (k *clock) idle() bool {
	pause := time.Since(k.left)
	return k.zero.IsZero() || pause < 0 || pause > time.Hour || k.tickNow() > math.MaxInt32/2
}

func (k *clock) leave(a *alarm) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if a.due != 0 {
		k.unlink(a)
	}
	if k.users--; k.users == 0 {
		k.left = time.Now()
	}
	k.rest()
}

// now is the current tick. Ticks begin at 1, so that 0 can say never.
func (k *clock) now() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tickNow()
}

func (k *clock) tickNow() int64 { return int64(time.Since(k.zero)/tick) + 1 }

// set makes a wake at the tick due, unless it is set for an earlier one.
func (k *clock) set(a *alarm, due int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if a.due != 0 {
		if a.due <= due {
			return
		}
		k.unlink(a)
	}
	if k.n == 0 {
		k.last = k.tickNow() - 1
	}
	a.due = max(due, k.last+1)
	s := a.due % wheel
	a.prev, a.next = nil, k.slots[s]
	if a.next != nil {
		a.next.prev = a
	}
	k.slots[s] = a
	k.used[s/64] |= 1 << (s % 64)
	k.n++
	k.plan(min(a.due, k.last+wheel))
}

// timers is the number of alarms that are set.
func (k *clock) timers() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.n
}

func (k *clock) unlink(a *alarm) {
	s := a.due % wheel
	if a.prev != nil {
		a.prev.next = a.next
	} else {
		k.slots[s] = a.next
	}
	if a.next != nil {
		a.next.prev = a.prev
	}
	if k.slots[s] == nil {
		k.used[s/64] &^= 1 << (s % 64)
	}
	a.prev, a.next, a.due = nil, nil, 0
	k.n--
}

// plan sees to it that the timer fires at the tick due, or before.
func (k *clock) plan(due int64) {
	if k.timer != nil && k.at <= due {
		return
	}
	k.at = due
	d := time.Until(k.zero.Add(time.Duration(due-1) * tick))
	if k.timer == nil {
		k.timer = time.AfterFunc(d, k.fire)
	} else {
		k.timer.Reset(d)
	}
}

// rest stops the timer when nobody is due.
func (k *clock) rest() {
	if k.n == 0 && k.timer != nil {
		k.timer.Stop()
		k.timer, k.at = nil, 0
	}
}

// fire wakes all that are due and plans the next time. While it does, at is 0 and nobody else sets the timer.
func (k *clock) fire() {
	k.mu.Lock()
	if k.timer == nil {
		k.mu.Unlock()
		return
	}
	now := k.tickNow()
	due := k.collect(now, k.list[:0])
	k.list, k.at = nil, 0
	k.mu.Unlock()
	for i, a := range due {
		a.of.wake(now)
		due[i] = nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = due
	if k.at == 0 && k.n > 0 {
		k.at = never
		k.plan(k.nextUsed())
	}
	k.rest()
}

// collect takes what is due up to now out of the wheel.
func (k *clock) collect(now int64, list []*alarm) []*alarm {
	for t := max(k.last+1, now-wheel+1); t <= now; t++ {
		for a := k.slots[t%wheel]; a != nil; {
			next := a.next
			if a.due <= now {
				k.unlink(a)
				list = append(list, a)
			}
			a = next
		}
	}
	k.last = max(k.last, now)
	return list
}

// nextUsed is the next tick whose slot is not empty.
func (k *clock) nextUsed() int64 {
	for i := int64(1); i <= wheel; {
		s := (k.last + i) % wheel
		if m := k.used[s/64] >> (s % 64); m != 0 {
			return k.last + i + int64(bits.TrailingZeros64(m))
		}
		i += 64 - s%64
	}
	return k.last + wheel
}

// age is how many ticks ago a tick was of which the low half is kept. It is right for 248 days.
func age(now int64, born int32) int64 { return int64(int32(now) - born) }

const never = 1 << 60 // a tick that does not come

// ticks is how many ticks d is, rounded up, and one for the tick that has begun; a negative d never ends.
func ticks(d time.Duration) int64 {
	if d < 0 {
		return never
	}
	if d > time.Duration(math.MaxInt64)-tick { // centuries
		return never
	}
	return int64((d+tick-1)/tick) + 1
}
