package frame

// jsonState is where in a value the next byte stands.
type jsonState byte

const (
	jsonValue   jsonState = iota // a value must begin
	jsonElement                  // behind [: a value or ]
	jsonMember                   // behind {: a name or }
	jsonName                     // behind , in an object: a name
	jsonColon                    // behind a name
	jsonNext                     // behind a value: , or the end
	jsonString
	jsonEscape // behind \
	jsonHex    // in \uXXXX
	jsonLiteral
	jsonMinus    // behind -: a digit must come
	jsonZero     // behind a leading 0
	jsonDigits   // in the whole part
	jsonPoint    // behind .: a digit must come
	jsonFraction // in the fraction
	jsonExp      // behind e
	jsonSign     // behind e+ or e-
	jsonPower    // in the exponent
)

// endsNumber tells that the bytes so far are a whole number.
func (s jsonState) endsNumber() bool {
	return s == jsonZero || s == jsonDigits || s == jsonFraction || s == jsonPower
}

// number tells that what k has seen may be a whole number at the top.
func (k *jsonCutter) number() bool { return k.depth == 0 && k.state.endsNumber() }

const maxNesting = 1024

// jsonCutter is a validator that can stop at any byte and go on with the next.
type jsonCutter struct {
	c     JSON
	pos   int // bytes of the value that have been looked at
	state jsonState
	name  bool   // the string is a member's name
	hex   int    // hexadecimal digits still to come
	word  string // rest of the literal
	depth int
	kinds [maxNesting / 64]uint64 // bit d: nesting d is an object
}

// reset makes k ready for the next value.
func (k *jsonCutter) reset() {
	k.pos, k.state, k.depth, k.name = 0, jsonValue, 0, false
}

// Cut looks at the bytes of b it has not seen.
func (k *jsonCutter) Cut(b []byte) (int, error) {
	if k.pos == 0 {
		if n := blank(b); n > 0 {
			return -n, nil
		}
	}
	top := limit(k.c.Max, DefaultMax)
	for i := k.pos; i < len(b); i++ {
		if uint(i) == top && !k.number() {
			k.reset()
			return 0, Malformed(nameJSON, i, ErrTooLarge)
		}
		if k.state == jsonString {
			if i = plain(b, i, top); i == len(b) || uint(i) >= top {
				i--
				continue
			}
		}
		done, again, err := k.step(b[i])
		if err == nil && !again && uint(i) == top { // a number's end may be looked for behind the limit
			err = ErrTooLarge
		}
		if err != nil {
			k.reset()
			return 0, Malformed(nameJSON, i, err)
		}
		if again { // the byte ended a number and is looked at anew
			if k.depth == 0 {
				k.reset()
				return i + blank(b[i:i+1]), nil // the white space that ends a number is part of its frame
			}
			i--
			continue
		}
		if done {
			k.reset()
			return i + 1, nil
		}
	}
	k.pos = len(b)
	return 0, nil
}

// plain returns the place of the first byte at or behind i that means something in a string.
func plain(b []byte, i int, top uint) int {
	for ; i < len(b) && uint(i) < top; i++ {
		if c := b[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
}

// step takes one byte. done: it ended the value at the top. again: it ended a number without being part of it.
func (k *jsonCutter) step(c byte) (done, again bool, err error) {
	switch k.state {
	case jsonString, jsonEscape, jsonHex:
		return k.inString(c)
	case jsonLiteral:
		if k.word[0] != c {
			return false, false, ErrSyntax
		}
		if k.word = k.word[1:]; k.word == "" {
			return k.ended()
		}
		return false, false, nil
	case jsonMinus, jsonZero, jsonDigits, jsonPoint, jsonFraction, jsonExp, jsonSign, jsonPower:
		return k.inNumber(c)
	}
	if c == ' ' || c == '\n' || c == '\r' || c == '\t' {
		return false, false, nil
	}
	return k.between(c)
}

// ended notes that a value is whole.
func (k *jsonCutter) ended() (done, again bool, err error) {
	k.state = jsonNext
	return k.depth == 0, false, nil
}

// between takes a byte that stands between values.
func (k *jsonCutter) between(c byte) (done, again bool, err error) {
	object := k.depth > 0 && k.kinds[(k.depth-1)/64]>>(uint(k.depth-1)%64)&1 != 0
	switch k.state {
	case jsonMember, jsonName:
		if c == '}' && k.state == jsonMember {
			k.depth--
			return k.ended()
		}
		if c != '"' {
			return false, false, ErrSyntax
		}
		k.state, k.name = jsonString, true
		return false, false, nil
	case jsonColon:
		if c != ':' {
			return false, false, ErrSyntax
		}
		k.state = jsonValue
		return false, false, nil
	case jsonNext:
		switch {
		case c == ',' && object:
			k.state = jsonName
		case c == ',':
			k.state = jsonValue
		case c == '}' && object, c == ']' && !object:
			k.depth--
			return k.ended()
		default:
			return false, false, ErrSyntax
		}
		return false, false, nil
	}
	if c == ']' && k.state == jsonElement {
		k.depth--
		return k.ended()
	}
	return false, false, k.begin(c)
}

// begin takes the first byte of a value.
func (k *jsonCutter) begin(c byte) error {
	switch c {
	case '{', '[':
		most := k.c.Depth
		if most <= 0 {
			most = DefaultDepth
		}
		if k.depth >= min(most, maxNesting) {
			return ErrDepth
		}
		bit := uint64(1) << (uint(k.depth) % 64)
		k.kinds[k.depth/64] &^= bit
		k.state = jsonElement
		if c == '{' {
			k.kinds[k.depth/64] |= bit
			k.state = jsonMember
		}
		k.depth++
	case '"':
		k.state, k.name = jsonString, false
	case 't':
		k.state, k.word = jsonLiteral, "rue"
	case 'f':
		k.state, k.word = jsonLiteral, "alse" //nolint:misspell // what is left of false
	case 'n':
		k.state, k.word = jsonLiteral, "ull"
	case '-':
		k.state = jsonMinus
	case '0':
		k.state = jsonZero
	default:
		if c < '1' || c > '9' {
			return ErrSyntax
		}
		k.state = jsonDigits
	}
	return nil
}

// inString takes a byte of a string.
func (k *jsonCutter) inString(c byte) (done, again bool, err error) {
	switch {
	case k.state == jsonEscape:
		k.state = jsonString
		switch c {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			k.state, k.hex = jsonHex, 4
		default:
			err = ErrSyntax
		}
	case k.state == jsonHex:
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false, false, ErrSyntax
		}
		if k.hex--; k.hex == 0 {
			k.state = jsonString
		}
	case c == '\\':
		k.state = jsonEscape
	case c == '"' && k.name:
		k.state = jsonColon
	case c == '"':
		return k.ended()
	case c < ' ':
		err = ErrSyntax
	}
	return false, false, err
}

// inNumber takes a byte of a number, or the one behind it.
func (k *jsonCutter) inNumber(c byte) (done, again bool, err error) {
	digit := c >= '0' && c <= '9'
	switch s := k.state; {
	case s == jsonMinus && c == '0':
		k.state = jsonZero
	case s == jsonMinus && digit:
		k.state = jsonDigits
	case digit && (s == jsonPoint || s == jsonFraction):
		k.state = jsonFraction
	case digit && (s == jsonExp || s == jsonSign || s == jsonPower):
		k.state = jsonPower
	case digit && s == jsonDigits:
	case c == '.' && (s == jsonZero || s == jsonDigits):
		k.state = jsonPoint
	case (c == 'e' || c == 'E') && (s == jsonZero || s == jsonDigits || s == jsonFraction):
		k.state = jsonExp
	case (c == '+' || c == '-') && s == jsonExp:
		k.state = jsonSign
	case s.endsNumber() && k.mayFollow(c):
		k.state = jsonNext
		return false, true, nil
	default:
		return false, false, ErrSyntax
	}
	return false, false, nil
}

// mayFollow tells that c may stand right behind a number.
func (k *jsonCutter) mayFollow(c byte) bool {
	switch c {
	case ' ', '\n', '\r', '\t':
		return true
	case '{', '[', '"':
		return k.depth == 0
	}
	return k.depth > 0
}
