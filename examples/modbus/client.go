package modbus

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spanwire/spanwire/binary"
)

// Client sends one request at a time over a stream. After an error of the stream,
// or bytes that are not the answer, what still comes may belong to what was asked
// before: every later call returns that error. A Code is an answer.
type Client struct {
	rw     io.ReadWriter
	r      *bufio.Reader
	d      *binary.Decoder
	rtu    bool
	seq    uint16
	broken error
}

// NewClient returns a client of Modbus TCP.
func NewClient(rw io.ReadWriter) *Client {
	r := bufio.NewReader(rw)
	return &Client{rw: rw, r: r, d: options.NewDecoder(r)}
}

// NewRTUClient returns a client that uses RTU frames.
func NewRTUClient(rw io.ReadWriter) *Client {
	return &Client{rw: rw, r: bufio.NewReader(rw), rtu: true}
}

// Read reads count holding registers.
func (c *Client) Read(unit uint8, address, count uint16) ([]uint16, error) {
	var regs Registers
	err := c.call(unit, &Request{Function: ReadHolding, Address: address, Value: count}, &regs)
	if err != nil {
		return nil, err
	}
	if len(regs.Data) != 2*int(count) {
		c.broken = fmt.Errorf("%w: %d bytes for %d registers", ErrAnswer, len(regs.Data), count)
		return nil, c.broken
	}
	return registersOf(regs.Data)
}

// WriteOne writes a holding register.
func (c *Client) WriteOne(unit uint8, address, value uint16) error {
	return c.write(unit, &Request{Function: WriteSingle, Address: address, Value: value})
}

// Write writes up to 123 holding registers.
func (c *Client) Write(unit uint8, address uint16, values []uint16) error {
	data, err := bytesOf(values)
	if err != nil {
		return err
	}
	return c.write(unit, &Request{Function: WriteMultiple, Address: address, Value: uint16(len(values)), Data: data})
}

func (c *Client) write(unit uint8, req *Request) error {
	var done Written
	err := c.call(unit, req, &done)
	if err == nil && (done.Address != req.Address || done.Value != req.Value) {
		err = fmt.Errorf("%w: %+v", ErrAnswer, done)
		c.broken = err
	}
	return err
}

// call sends a request and reads the answer to it.
func (c *Client) call(unit uint8, req *Request, answer any) error {
	if c.broken != nil {
		return c.broken
	}
	pdu, err := binary.Marshal(req)
	if err != nil {
		return err // nothing was sent
	}
	if c.rtu {
		err = c.callRTU(unit, req, answer)
	} else {
		err = c.callTCP(unit, req.Function, pdu, answer)
	}
	if err != nil && !IsException(err) {
		c.broken = err
	}
	return err
}

func (c *Client) callTCP(unit, function uint8, pdu []byte, answer any) error {
	c.seq++
	ask := &TCP{Transaction: c.seq, Unit: unit, PDU: pdu}
	if err := binary.NewEncoder(c.rw).Encode(ask); err != nil {
		return err
	}
	var got TCP
	if err := c.d.Decode(&got); err != nil {
		return err
	}
	if got.Transaction != ask.Transaction || got.Unit != unit || len(got.PDU) == 0 {
		return fmt.Errorf("%w: %+v", ErrAnswer, got)
	}
	switch got.PDU[0] {
	case function:
		return options.Unmarshal(got.PDU, answer)
	case function | failed:
		var e Exception
		if err := options.Unmarshal(got.PDU, &e); err != nil {
			return err
		}
		return e.Code
	}
	return fmt.Errorf("%w: function %d", ErrAnswer, got.PDU[0])
}

// callRTU sends RTU frames, which do not say how long they are: their second
// byte decides what they hold. The first says whose they are, and comes before
// it: another unit's frame is no answer, whatever it holds.
func (c *Client) callRTU(unit uint8, req *Request, answer any) error {
	if err := binary.NewEncoder(c.rw).Encode(&RTU[Request]{Unit: unit, PDU: *req}); err != nil {
		return err
	}
	head, err := c.r.Peek(2)
	if err != nil {
		return err
	}
	if head[0] != unit {
		return fmt.Errorf("%w: from unit %d, not %d", ErrAnswer, head[0], unit)
	}
	d := options.NewDecoder(oneByOne{c.r})
	switch head[1] {
	case req.Function:
	case req.Function | failed:
		var e RTU[Exception]
		if err := d.Decode(&e); err != nil {
			return err
		}
		return e.PDU.Code
	default:
		return fmt.Errorf("%w: function %d", ErrAnswer, head[1])
	}
	switch to := answer.(type) {
	case *Registers:
		var f RTU[Registers]
		err = d.Decode(&f)
		*to = f.PDU
	case *Written:
		var f RTU[Written]
		err = d.Decode(&f)
		*to = f.PDU
	}
	return err
}

// oneByOne gives a Decoder no more than it asks for, so that the rest stays in
// the bufio.Reader.
type oneByOne struct{ r *bufio.Reader }

func (o oneByOne) Read(b []byte) (int, error) { return o.r.Read(b[:min(1, len(b))]) }
