package frame

// Reader is the receive buffer of one stream: it turns bytes as they come into frames. Two forms, which may be mixed:
//
//	feed:  err := r.Feed(chunk, func(f Frame) { ... })
//	pull:  n, err := conn.Read(r.Space()); r.Wrote(n); for { f, ok := r.Next(); if !ok { break } ... }
//
// Feed hands out whole frames in place, as slices of chunk; only a cut frame is copied. A frame from Feed is valid inside the
// function, a frame from Next until the following Space, Feed or Release.
//
// No buffer is held before the first byte; Release gives it back while no byte is pending. It starts at 4 KiB (SetStart) and
// grows with the data: to the announced size up to 64 KiB, to twice what has come at most beyond, never past the frame. The one after a Release is
// as large as the last has shown to be of use, 64 KiB at most.
//
// A Reader belongs to one goroutine at a time. Make one with NewReader.
type Reader struct {
	buf  []byte
	r, w int // buf[r:w] is pending

	need int // pull: while w < need there is no whole frame
	end  int // pull: Space may hand out buf[w:] while w < end
	lim  int // feed: while w < lim one more byte fits and completes nothing

	size int // size of the frame at r, 0 when not known
	head int // Standard: its header's size

	codec   Codec
	cut     Cutter // nil: Standard, which is cut here
	fixed   fixedLength
	max     uint // Standard: payload limit
	pendMax int  // most bytes of one frame
	start   int
	first   int   // size of the next buffer, where that is more than start
	most    int   // most bytes that have stood in this one
	base    int64 // place of buf[0] in the stream
	blk     *block
	raw     []byte
	err     error
	plain   bool // Standard, and no error
	skips   uint // up to so many bytes of payload a frame over the limit does not end the stream

	long     int   // payload of the frame over the limit at r, 0 when there is none
	longHead int   // its header
	dropping int   // bytes of one that are to be dropped
	longAt   int64 // where in the stream that began
	running  bool  // data came
}

const (
	defaultStart = 4 << 10
	never        = int(^uint(0) >> 1)
)

// NewReader returns the reader of a stream of c's frames.
func NewReader(c Codec) *Reader {
	d := &Reader{codec: c, start: defaultStart}
	switch c := c.(type) {
	case Standard:
		d.max, d.plain, d.need, d.pendMax = limit(c.Max, DefaultMax), true, shortHead, c.MaxFrame()
		return d
	case Resumer:
		d.cut = c.NewCutter()
		if l, ok := c.(LengthField); ok {
			d.fixed = l.fixed()
		}
	default:
		d.cut = parser{c}
	}
	d.need = 1
	d.pendMax = DefaultMax + trusted
	if l, ok := c.(Limiter); ok {
		d.pendMax = l.MaxFrame()
	}
	return d
}

// parser cuts the frames of a codec without a Cutter.
type parser struct{ c Codec }

func (p parser) Cut(b []byte) (int, error) {
	_, n, err := p.c.ParseFrame(b)
	return n, err
}

// SetStart sets the size in bytes of the buffer that the first data gets. A size below 1, and any change once data came, is
// ErrConfig.
func (d *Reader) SetStart(n int) error {
	if n < 1 || d.running || d.base > 0 {
		return ErrConfig
	}
	d.start = n
	return nil
}

// SetLimit sets the most bytes that one frame may take, header and all. It is for codecs without a limit of their own; where
// the codec has one, the smaller counts. The default for a foreign codec is 8 MiB and 64 KiB. Like SetStart it may be refused.
func (d *Reader) SetLimit(n int) error {
	if n < 1 || d.running || d.base > 0 {
		return ErrConfig
	}
	if _, ok := d.codec.(Limiter); ok {
		n = min(n, d.pendMax)
	}
	d.pendMax = n
	if d.cut == nil {
		d.max = min(d.max, uint(max(n-longHead, min(n-shortHead, longMark-1), 0)))
	}
	return nil
}

// Space returns where the next bytes of the stream are to be read into: at least one byte.
func (d *Reader) Space() []byte {
	if d.w < d.end {
		return d.buf[d.w:]
	}
	return d.space()
}

// Wrote says that the first n bytes of what Space returned are filled.
func (d *Reader) Wrote(n int) {
	if uint(n) > uint(len(d.buf)-d.w) {
		d.misused()
		return
	}
	d.w += n
}

// Next returns the next whole frame of the bytes that are there. False means that more are needed, or that the stream is
// broken: see Err.
func (d *Reader) Next() (Frame, bool) {
	if d.w < d.need {
		return Frame{}, false
	}
	return d.next()
}

// Took says that the caller has cut whole frames off the first n bytes of Pending itself. They are valid like frames from Next.
func (d *Reader) Took(n int) {
	switch {
	case n == 0:
	case uint(n) > uint(d.w-d.r):
		d.misused()
	default:
		d.skip(n)
		d.taken()
		if d.cut == nil {
			d.need = d.r + shortHead
		}
	}
}

// Feed takes the next bytes of the stream and calls fn for each frame that is whole with them. fn must not use d. It returns
// Err().
func (d *Reader) Feed(chunk []byte, fn func(Frame)) error {
	if len(chunk) == 1 && d.w < d.lim {
		d.buf[d.w] = chunk[0]
		d.w++
		return nil
	}
	return d.feed(chunk, fn)
}

// Err returns the *Error that ended the reader, nil while the stream is sound.
func (d *Reader) Err() error { return d.err }

// Pending returns the bytes of the unfinished frame, aliasing the buffer. In the pull form whole frames that Next has not
// taken yet are among them.
func (d *Reader) Pending() []byte { return d.buf[d.r:d.w] }

// Held is the size of the buffer in bytes, 0 when none is held.
func (d *Reader) Held() int { return len(d.buf) }

// Room is how many bytes the reader holds while the following Space is called: the buffer, and, when that is full, the larger one that
// it is copied to.
func (d *Reader) Room() int {
	n, need := len(d.buf), d.w-d.r+1
	if d.size > need {
		need = min(d.size, max(need, trusted))
	}
	if d.w < d.end || d.w == d.r || need <= n {
		return n
	}
	return n + d.grown(need)
}

// Keep leaves the buffer to the caller, who may use the frame that it was last given for as long as it likes. It is false, and the frame valid
// as ever, unless the buffer is a large one and has little else in it than the frame's payload, of n bytes.
func (d *Reader) Keep(n int) bool {
	if d.w > d.r || len(d.buf) <= trusted || n < len(d.buf)-len(d.buf)/4 {
		return false
	}
	d.blk, d.raw = nil, nil
	d.drop()
	return true
}

// Progress tells a Watch how far the stream is.
func (d *Reader) Progress() Progress {
	if d.dropping > 0 {
		return Progress{Start: d.longAt, Pending: int(d.Offset() - d.longAt)}
	}
	return Progress{Start: d.Offset(), Pending: d.w - d.r}
}

// Raw returns the bytes on the wire of the frame last handed out, as long as that frame is valid. It is for codecs with more in
// front of the payload than Frame tells, like LengthField; for Standard it is nil.
func (d *Reader) Raw() []byte { return d.raw }

// Offset is the place in the stream of the first pending byte.
func (d *Reader) Offset() int64 { return d.base + int64(d.r) }

// Release gives the buffer back if no byte is pending, and tells whether none is held. Call it before waiting for data.
func (d *Reader) Release() bool {
	if d.w == d.r {
		d.drop()
		d.raw = nil // it would keep the buffer alive
	}
	return d.buf == nil
}

// Suits tells whether the buffer is as large as the next one would be after a Release: it was not filled, and more than a quarter
// of it was of use. Who has pending bytes no more may then keep it for a moment instead.
func (d *Reader) Suits() bool {
	n := len(d.buf)
	return d.most < n && (d.most > n/4 || n <= d.start)
}

// Fail ends the reader for a reason of the caller's, such as an expired frame: pending bytes are dropped and every later call
// returns an *Error with codec, the offset of the unfinished frame and the reason. It returns that error.
func (d *Reader) Fail(reason error) error {
	if d.err == nil {
		d.stop(d.r, reason)
	}
	return d.err
}

// End says that the stream is over. Nothing pending is no error. A codec whose last frame ends with the stream (a JSON number)
// gives it to fn. Otherwise the stream was cut: the reader ends with io.ErrUnexpectedEOF, and rest holds the bytes of the
// unfinished frame until the reader is used again.
func (d *Reader) End(fn func(Frame)) (rest []byte, err error) { return d.finish(fn) }
