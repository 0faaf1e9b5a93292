// Package clock wakes whoever is due: one timer for all connections of a process, in ticks of 10 ms. It is late by up to a tick,
// never early, and off while nobody waits.
package clock

import (
	"context"
	"math"
	"math/bits"
	"sync"
	"time"
)

// Tick is the grain of all of the library's time.
const Tick = 10 * time.Millisecond

// Never is a tick that does not come.
const Never = 1 << 60

// A Clock wakes sleepers. It is one timer for all of them: running only while somebody is due, asleep until the next one is.
// Times are counted in ticks since the clock began to run; they are late by up to a tick, never early. The zero value is ready
// to use, by any number of goroutines.
type Clock struct {
	mu    sync.Mutex
	timer *time.Timer // nil while nobody is due
	zero  time.Time   // tick 0
	last  int64       // the tick up to which the wheel has been served
	at    int64       // the tick for which the timer is set
	n     int         // alarms that are set
	users int         // connections
	left  time.Time   // when the last of them left
	list  []*Alarm    // memory for those that are being woken
	used  [wheel / 64]uint64
	slots [wheel]*Alarm
}

const wheel = 512

// Alarm is what a sleeper is woken by. The clock's lock guards what it does not export.
type Alarm struct {
	Of   Sleeper // set before the alarm is used
	due  int64   // 0: not set
	prev *Alarm
	next *Alarm
}

// Sleeper is who is woken, with the current tick, on the clock's goroutine: it must not block.
type Sleeper interface{ Wake(now int64) }

// Process serves every connection that is not given a clock of its own.
var Process Clock

// Join tells the clock of a user. Only who has joined may set alarms, until it leaves.
func (k *Clock) Join() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.users++; k.users == 1 && k.idle() {
		k.zero, k.last, k.at = time.Now(), 0, 0
	}
}

// idle reports whether the first user may begin the count of ticks anew. It goes on across the moment without any in which a
// client dials again: its calls have a time of birth.
func (k *Clock) idle() bool {
	pause := time.Since(k.left)
	return k.zero.IsZero() || pause < 0 || pause > time.Hour || k.tickNow() > math.MaxInt32/2
}

// Leave ends the use of the clock by who is woken by a, which is not set any more.
func (k *Clock) Leave(a *Alarm) {
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

// Now returns the current tick. Ticks begin at 1, so that 0 can say never.
func (k *Clock) Now() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tickNow()
}

// tickNow is at least 1: fake time, in which a test runs, may stand years before the first user's time.
func (k *Clock) tickNow() int64 { return max(int64(time.Since(k.zero)/Tick), 0) + 1 }

// Set makes a wake its sleeper at the tick due, unless it is set for an earlier one.
func (k *Clock) Set(a *Alarm, due int64) {
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

// Due returns the tick that a is set for, 0 for none.
func (k *Clock) Due(a *Alarm) int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return a.due
}

// Users returns how many have joined.
func (k *Clock) Users() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.users
}

// Alarms returns how many alarms are set.
func (k *Clock) Alarms() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.n
}

func (k *Clock) unlink(a *Alarm) {
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

// plan ensures that the timer fires at the tick due, or before.
func (k *Clock) plan(due int64) {
	if k.timer != nil && k.at <= due {
		return
	}
	k.at = due
	d := time.Until(k.zero.Add(time.Duration(due-1) * Tick))
	if k.timer == nil {
		k.timer = time.AfterFunc(d, k.fire)
	} else {
		k.timer.Reset(d)
	}
}

// rest stops the timer when nobody is due.
func (k *Clock) rest() {
	if k.n == 0 && k.timer != nil {
		k.timer.Stop()
		k.timer, k.at = nil, 0
	}
}

// fire wakes all that are due and plans the next time. While it does, at is 0 and nobody else sets the timer.
func (k *Clock) fire() {
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
		a.Of.Wake(now)
		due[i] = nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = due
	if k.at == 0 && k.n > 0 {
		k.at = Never
		k.plan(k.nextUsed())
	}
	k.rest()
}

// collect takes what is due up to now out of the wheel.
func (k *Clock) collect(now int64, list []*Alarm) []*Alarm {
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
func (k *Clock) nextUsed() int64 {
	for i := int64(1); i <= wheel; {
		s := (k.last + i) % wheel
		if m := k.used[s/64] >> (s % 64); m != 0 {
			return k.last + i + int64(bits.TrailingZeros64(m))
		}
		i += 64 - s%64
	}
	return k.last + wheel
}

// Sleep waits for d, or until ctx ends.
func (k *Clock) Sleep(ctx context.Context, d time.Duration) error {
	s := sleeping{make(chan struct{})}
	a := Alarm{Of: s}
	k.Join()
	defer k.Leave(&a)
	k.Set(&a, k.Now()+Ticks(d))
	select {
	case <-s.ch:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type sleeping struct{ ch chan struct{} }

func (s sleeping) Wake(int64) { close(s.ch) }

// Age returns how many ticks ago a tick was of which the low half is kept. It is right for 248 days.
func Age(now int64, born int32) int64 { return int64(int32(now) - born) }

// Ticks returns how many ticks d is, rounded up, and one for the tick that has begun; a negative d never ends.
func Ticks(d time.Duration) int64 {
	if d < 0 {
		return Never
	}
	if d > time.Duration(math.MaxInt64)-Tick { // centuries
		return Never
	}
	return int64((d+Tick-1)/Tick) + 1
}
