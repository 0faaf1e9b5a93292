package ser

import (
	"time"

	bstd "github.com/deneonet/benc/std"

	"github.com/spanwire/spanwire/bench/floor/model"
	bebopfast "github.com/spanwire/spanwire/bench/peers/bebop/fast"
	bebopsafe "github.com/spanwire/spanwire/bench/peers/bebop/safe"
	"github.com/spanwire/spanwire/bench/peers/colfer"
)

// bencSmallEnc makes the calls of package bstd on the record itself, as benc's
// documentation shows: a generated type would need its fields copied.
func bencSmallEnc(b []byte, v *model.Small) ([]byte, error) {
	n := bstd.SizeString(v.Name) + bstd.SizeInt64() + bstd.SizeString(v.Phone) + bstd.SizeInt(v.Siblings) + bstd.SizeBool() + bstd.SizeFloat64()
	if cap(b) < n {
		b = make([]byte, n)
	}
	b = b[:n]
	n = bstd.MarshalString(0, b, v.Name)
	n = bstd.MarshalInt64(n, b, v.BirthDay.UnixNano())
	n = bstd.MarshalString(n, b, v.Phone)
	n = bstd.MarshalInt(n, b, v.Siblings)
	n = bstd.MarshalBool(n, b, v.Spouse)
	bstd.MarshalFloat64(n, b, v.Money)
	return b, nil
}

func bencSmallDec(b []byte, v *model.Small) error {
	n, name, err := bstd.UnmarshalString(0, b)
	if err != nil {
		return err
	}
	n, ns, err := bstd.UnmarshalInt64(n, b)
	if err != nil {
		return err
	}
	v.Name, v.BirthDay = name, time.Unix(0, ns)
	if n, v.Phone, err = bstd.UnmarshalString(n, b); err != nil {
		return err
	}
	if n, v.Siblings, err = bstd.UnmarshalInt(n, b); err != nil {
		return err
	}
	if n, v.Spouse, err = bstd.UnmarshalBool(n, b); err != nil {
		return err
	}
	_, v.Money, err = bstd.UnmarshalFloat64(n, b)
	return err
}

func bencSmallDecUnsafe(b []byte, v *model.Small) error {
	n, name, err := bstd.UnmarshalUnsafeString(0, b)
	if err != nil {
		return err
	}
	n, ns, err := bstd.UnmarshalInt64(n, b)
	if err != nil {
		return err
	}
	v.Name, v.BirthDay = name, time.Unix(0, ns)
	if n, v.Phone, err = bstd.UnmarshalUnsafeString(n, b); err != nil {
		return err
	}
	if n, v.Siblings, err = bstd.UnmarshalInt(n, b); err != nil {
		return err
	}
	if n, v.Spouse, err = bstd.UnmarshalBool(n, b); err != nil {
		return err
	}
	_, v.Money, err = bstd.UnmarshalFloat64(n, b)
	return err
}

func setBebop(p *bebopsafe.Small, v *model.Small) {
	p.Name, p.BirthDay, p.Phone = v.Name, v.BirthDay.UnixNano(), v.Phone
	p.Siblings, p.Spouse, p.Money = int32(v.Siblings), v.Spouse, v.Money
}

func getBebop(v *model.Small, p *bebopsafe.Small) {
	v.Name, v.BirthDay, v.Phone = p.Name, time.Unix(0, p.BirthDay), p.Phone
	v.Siblings, v.Spouse, v.Money = int(p.Siblings), p.Spouse, p.Money
}

func setColfer(p *colfer.Small, v *model.Small) {
	p.Name, p.BirthDay, p.Phone = v.Name, v.BirthDay, v.Phone
	p.Siblings, p.Spouse, p.Money = int32(v.Siblings), v.Spouse, v.Money
}

func getColfer(v *model.Small, p *colfer.Small) {
	v.Name, v.BirthDay, v.Phone = p.Name, p.BirthDay, p.Phone
	v.Siblings, v.Spouse, v.Money = int(p.Siblings), p.Spouse, p.Money
}

// moreGoserEntries are the entries of benc, bebop, colfer and gotiny.
func moreGoserEntries() []GoserEntry {
	fastDec := func(dec Dec[bebopfast.Small]) Dec[bebopsafe.Small] { // the types differ by name only
		return func(b []byte, v *bebopsafe.Small) error { return dec(b, (*bebopfast.Small)(v)) }
	}
	bebopOf := func(dec Dec[bebopsafe.Small]) func() Goser {
		return func() Goser {
			return &copied[bebopsafe.Small]{set: setBebop, get: getBebop, enc: bebopEnc[bebopsafe.Small], dec: dec}
		}
	}
	const times = "int64 instead of time; fields copied"
	return []GoserEntry{
		{Name: "benc unsafe", Unsafe: true, Note: "calls of bstd by hand", New: directOf(itself, bencSmallEnc, bencSmallDecUnsafe)},
		{Name: "benc std", Note: "calls of bstd by hand", New: directOf(itself, bencSmallEnc, bencSmallDec)},
		{Name: "bebop unsafe", Unsafe: true, Note: times + "; no checks", New: bebopOf(fastDec(bebopMust[bebopfast.Small]))},
		{Name: "bebop shared memory", Unsafe: true, Note: times, New: bebopOf(fastDec(bebopDec[bebopfast.Small]))},
		{Name: "bebop", Note: times, New: bebopOf(bebopDec[bebopsafe.Small])},
		{Name: "colfer", Note: "fields copied", New: func() Goser {
			return &copied[colfer.Small]{set: setColfer, get: getColfer, enc: colferEnc[colfer.Small], dec: colferDec[colfer.Small]}
		}},
		{Name: "gotiny", Note: "no errors, panics on cut input", New: func() Goser {
			enc, dec := gotinyCodec[model.Small]()
			return directOf(itself, enc, dec)()
		}},
	}
}
