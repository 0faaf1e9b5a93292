//go:build !purego

package rpc

import (
	"context"
	"unsafe"
)

// isBackground tells whether ctx is context.Background(). That has a type of its own, without content: the first word of the
// interface says it. Comparing interfaces would take as long as half of a call's way to the buffer.
func isBackground(ctx context.Context) bool { return typeWord(&ctx) == backgroundWord }

var backgroundWord = typeWord(&background)

func typeWord(ctx *context.Context) uintptr { return *(*uintptr)(unsafe.Pointer(ctx)) }
