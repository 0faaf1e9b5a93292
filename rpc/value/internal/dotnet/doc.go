// Package dotnet writes and reads numbers, times and durations as the text that .NET writes and reads by itself, as far as NewLife.Remoting
// shows it.
package dotnet

import "errors"

// ErrForm is for text that is not in a form of what it is read as.
var ErrForm = errors.New("not in its form")
