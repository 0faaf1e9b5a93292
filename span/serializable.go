package span

// Serializable is implemented by types that write and read themselves. Both
// methods report errors through the cursor.
//
// A type that implements it by hand is written inline, as whatever WriteSpan
// writes; ReadSpan must read exactly that. The receiver of both is a pointer.
// Neither may keep the cursor beyond the call.
type Serializable interface {
	WriteSpan(*Writer)
	ReadSpan(*Reader)
}
