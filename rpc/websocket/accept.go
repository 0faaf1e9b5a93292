package websocket

import (
	"crypto/sha1"
	"encoding/base64"
)

// AcceptKey returns the Sec-WebSocket-Accept that answers a Sec-WebSocket-Key (RFC 6455, 4.2.2).
func AcceptKey(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}
