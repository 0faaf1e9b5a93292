package modbus

import (
	"bufio"
	"errors"
	"io"
	"sync"

	"github.com/spanwire/spanwire/binary"
)

// Server holds the registers that clients read and write. It may serve any
// number of streams at a time.
type Server struct {
	mu   sync.Mutex
	regs []uint16
}

// NewServer returns a server of n holding registers, which are 0.
func NewServer(n int) *Server { return &Server{regs: make([]uint16, n)} }

// ServeTCP answers requests in Modbus TCP until the stream ends.
func (s *Server) ServeTCP(rw io.ReadWriter) error {
	d, e := options.NewDecoder(rw), binary.NewEncoder(rw)
	for {
		var f TCP
		if err := d.Decode(&f); err != nil {
			return atEnd(err)
		}
		if len(f.PDU) == 0 {
			return ErrAnswer
		}
		answer, err := s.answer(f.PDU)
		if err != nil {
			return err
		}
		if err := e.Encode(&TCP{Transaction: f.Transaction, Unit: f.Unit, PDU: answer}); err != nil {
			return err
		}
	}
}

// ServeRTU answers requests in RTU frames until the stream ends.
func (s *Server) ServeRTU(rw io.ReadWriter) error {
	d := options.NewDecoder(bufio.NewReader(rw))
	for {
		var f RTU[Request]
		if err := d.Decode(&f); err != nil {
			return atEnd(err)
		}
		var out []byte
		var err error
		switch answer := s.do(&f.PDU).(type) {
		case *Registers:
			out, err = binary.Marshal(&RTU[Registers]{Unit: f.Unit, PDU: *answer})
		case *Written:
			out, err = binary.Marshal(&RTU[Written]{Unit: f.Unit, PDU: *answer})
		case *Exception:
			out, err = binary.Marshal(&RTU[Exception]{Unit: f.Unit, PDU: *answer})
		}
		if err != nil {
			return err
		}
		if _, err := rw.Write(out); err != nil {
			return err
		}
	}
}

func atEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// answer gives the PDU that answers one.
func (s *Server) answer(pdu []byte) ([]byte, error) {
	var req Request
	if f := pdu[0]; f != ReadHolding && f != WriteSingle && f != WriteMultiple {
		return binary.Marshal(&Exception{f | failed, IllegalFunction})
	}
	if err := options.Unmarshal(pdu, &req); err != nil {
		return binary.Marshal(&Exception{pdu[0] | failed, IllegalValue})
	}
	return binary.Marshal(s.do(&req))
}

// do carries a request out.
func (s *Server) do(req *Request) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := Code(0)
	switch req.Function {
	case ReadHolding:
		var regs []uint16
		if regs, code = s.part(req.Address, int(req.Value), 125); code == 0 {
			if data, err := bytesOf(regs); err == nil {
				return &Registers{Function: req.Function, Data: data}
			}
			code = ServerFailure
		}
	case WriteSingle:
		var regs []uint16
		if regs, code = s.part(req.Address, 1, 1); code == 0 {
			regs[0] = req.Value
			return &Written{req.Function, req.Address, req.Value}
		}
	case WriteMultiple:
		values, err := registersOf(req.Data)
		if err != nil || len(values) != int(req.Value) {
			code = IllegalValue
			break
		}
		var regs []uint16
		if regs, code = s.part(req.Address, len(values), mostRegisters); code == 0 {
			copy(regs, values)
			return &Written{req.Function, req.Address, req.Value}
		}
	default:
		code = IllegalFunction
	}
	return &Exception{req.Function | failed, code}
}

// part gives some of the registers.
func (s *Server) part(address uint16, n, most int) ([]uint16, Code) {
	switch {
	case n < 1 || n > most:
		return nil, IllegalValue
	case int(address)+n > len(s.regs):
		return nil, IllegalAddress
	}
	return s.regs[address : int(address)+n], 0
}

// IsException reports whether err is the answer of a server, after which a client
// can go on.
func IsException(err error) bool {
	var c Code
	return errors.As(err, &c)
}
