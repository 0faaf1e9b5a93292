package span

import (
	"database/sql/driver"
	"strconv"
)

// GUID and Decimal as columns of package database/sql: both travel as text,
// which databases take for the types that they have for them. A NULL needs
// sql.Null or a pointer.

// Value implements driver.Valuer: what String gives.
func (g GUID) Value() (driver.Value, error) { return g.String(), nil }

// Scan implements sql.Scanner for text that ParseGUID reads. 16 bytes without
// text are refused, since databases disagree on their order: GUID(b) is .NET's
// and SQL Server's, GUIDFromUUID reads that of all others.
func (g *GUID) Scan(src any) error {
	switch src := src.(type) {
	case string:
		return scanned(g, src, ParseGUID)
	case []byte:
		if len(src) == len(g) {
			return because(ErrUnsupported, "16 bytes may be a GUID in .NET's order or in that of RFC 9562; use a conversion that says so")
		}
		return scanned(g, string(src), ParseGUID)
	case GUID:
		*g = src
		return nil
	}
	return unscanned("GUID", src)
}

// Value implements driver.Valuer: what String gives, exactly.
func (d Decimal) Value() (driver.Value, error) { return d.String(), nil }

// Scan implements sql.Scanner for text that ParseDecimal reads, integers, and
// floats, which count as the shortest decimal that stands for them. What does not
// fit exactly is an error.
func (d *Decimal) Scan(src any) error {
	switch src := src.(type) {
	case string:
		return scanned(d, src, ParseDecimal)
	case []byte:
		return scanned(d, string(src), ParseDecimal)
	case int64:
		return scanned(d, strconv.FormatInt(src, 10), ParseDecimal)
	case uint64:
		return scanned(d, strconv.FormatUint(src, 10), ParseDecimal)
	case float64:
		return scanned(d, strconv.FormatFloat(src, 'g', -1, 64), ParseDecimal)
	case Decimal:
		*d = src
		return nil
	}
	return unscanned("Decimal", src)
}

// scanned stores what text gives, and nothing where it is at fault.
func scanned[T any](to *T, text string, parse func(string) (T, error)) error {
	v, err := parse(text)
	if err == nil {
		*to = v
	}
	return err
}

// unscanned is the reason for columns of another kind.
func unscanned(what string, src any) error {
	if src == nil {
		return because(ErrNil, "NULL is not a %s; scan into a sql.Null[span.%s] or a pointer to a pointer", what, what)
	}
	return because(ErrUnsupported, "a column of %T is not a %s", src, what)
}
