package rpc

import (
	"log/slog"
	"sync"
	"time"
)

func orLog(l *slog.Logger) *slog.Logger {
	if l == nil {
		return slog.Default()
	}
	return l
}

// limiter lets one report a second through and counts the others.
type limiter struct {
	mu   sync.Mutex
	last time.Time
	more uint64
}

// take tells whether to report now, and how many were kept back since the last.
func (l *limiter) take(now time.Time) (ok bool, more uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.last.IsZero() && now.Sub(l.last) < time.Second {
		l.more++
		return false, 0
	}
	more, l.more, l.last = l.more, 0, now
	return true, more
}

// log writes what take lets through, with the count of what it has kept back.
func (l *limiter) log(to *slog.Logger, level slog.Level, text string, args ...any) {
	if ok, more := l.take(time.Now()); ok {
		to.Log(background, level, text, append(args, "more", more)...)
	}
}

func (l *limiter) allow(now time.Time) bool {
	ok, _ := l.take(now)
	return ok
}
