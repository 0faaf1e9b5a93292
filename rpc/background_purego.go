//go:build purego

package rpc

import "context"

// isBackground tells whether ctx is context.Background().
func isBackground(ctx context.Context) bool { return ctx == background }
