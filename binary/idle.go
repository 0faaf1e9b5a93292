package binary

// Elements that take no byte. The input says how many there are, and nothing else
// speaks for them: their number, or the memory that they take, is limited in a
// message as a whole. Those without memory, which is to say without anything, are
// not looked at.

// hollow reports a list or array whose elements have neither bytes nor memory.
func (n *node) hollow(s *settings) bool {
	return n.elem.empty && n.elem.typ.Size() == 0 && s.Handlers == nil && !s.UseRef
}

// spend counts an element without a byte.
func spend(idle *int, memory uintptr) error {
	if *idle += max(int(memory), 1); *idle > maxEmpty {
		return because(ErrLimit, "more than %d elements without bytes, or their memory exceeds the limit", maxEmpty)
	}
	return nil
}
