package dotnet

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Floats are written in the shortest form, with an exponent where .NET has one.
func TestFloats(t *testing.T) {
	for _, k := range []struct {
		want string
		f    float64
		bits int
	}{
		{"0", 0, 64},
		{"-0", math.Copysign(0, -1), 64},
		{"100000000000000", 1e14, 64},
		{"1E+15", 1e15, 64},
		{"1234567890123456", 1234567890123456, 64},
		{"12345678901234568", 12345678901234567, 64},
		{"1.2345678901234568E+17", 123456789012345678, 64},
		{"1E+300", 1e300, 64},
		{"1.5E-07", 1.5e-7, 64},
		{"0.0001", 0.0001, 64},
		{"1E-05", 0.00001, 64},
		{"5E-324", 5e-324, 64},
		{"1E+07", 1e7, 32},
		{"12345678", 12345678, 32},
		{"0.1", 0.1, 32},
		{"NaN", math.NaN(), 64},
		{"Infinity", math.Inf(1), 64},
		{"-Infinity", math.Inf(-1), 64},
	} {
		t.Run(k.want, func(t *testing.T) {
			require.Equal(t, "x"+k.want, string(AppendFloat([]byte("x"), k.f, k.bits)))
		})
	}
}

func TestBoolsAndDigits(t *testing.T) {
	require.Equal(t, "TrueFalse", string(AppendBool(AppendBool(nil, true), false)))
	for s, want := range map[string]bool{"": false, "-": false, "0": true, "-12": true, "+1": false, "1.0": false, "--1": false, "١": false} {
		require.Equal(t, want, IsDigits(s), s)
	}
}

// Durations read back as they were written, but for what is below a tick of 100 ns.
func TestDurations(t *testing.T) {
	for _, k := range []struct {
		want string
		d    time.Duration
	}{
		{"00:00:00", 0},
		{"00:00:01", time.Second},
		{"1.02:03:04.0050000", 26*time.Hour + 3*time.Minute + 4*time.Second + 5*time.Millisecond},
		{"-01:00:00", -time.Hour},
		{"00:00:00.0000001", 100},
		{"00:00:00", 99},
		{"-00:00:00.0000001", -1},
		{"106751.23:47:16.8547758", math.MaxInt64},
	} {
		t.Run(k.d.String(), func(t *testing.T) {
			require.Equal(t, k.want, string(AppendDuration(nil, k.d)))
			back, err := ParseDuration(k.want)
			require.NoError(t, err)
			if k.d != -1 {
				require.Equal(t, k.d/100, back/100)
			}
		})
	}
	for s, want := range map[string]time.Duration{"": 0, "1:02": time.Hour + 2*time.Minute, "1h2m": time.Hour + 2*time.Minute, "-1.00:00:00": -24 * time.Hour} {
		d, err := ParseDuration(s)
		require.NoError(t, err, s)
		require.Equal(t, want, d, s)
	}
	for _, s := range []string{
		"x", "1:", "24:00:00", "00:60:00", "00:00:60", "106752.00:00:00", "999999999.00:00:00", "1.2.3", "01:02:03.", "00:00:00x",
		"106751.23:47:16.8547759", "-106751.23:47:16.8547760", "106751.23:59:59.9999999", "-106751.23:59:59.9999999",
	} {
		_, err := ParseDuration(s)
		require.Error(t, err, s)
	}
}

// Times are read in all the forms that NewLife reads; a number is of seconds or of milliseconds.
func TestTimes(t *testing.T) {
	for s, want := range map[string]string{
		"2024-02-03 04:05:06": "2024-02-03 04:05:06.000 Unspecified", "2024-02-03T04:05:06.789": "2024-02-03 04:05:06.789 Unspecified",
		"2024-02-03T04:05:06Z": "2024-02-03 04:05:06.000 Utc", "2024-02-03 04:05:06 UTC": "2024-02-03 04:05:06.000 Utc", "2024-02-03": "2024-02-03 00:00:00.000 Unspecified",
		"2024/2/3 4:5:6": "2024-02-03 04:05:06.000 Unspecified", "2024-02-03 04:05": "2024-02-03 04:05:00.000 Unspecified",
		"1706933106000": "2024-02-03 04:05:06.000 Unspecified", "1706933106": "2024-02-03 04:05:06.000 Unspecified", "20240203040506": "2611-05-22 14:37:20.506 Unspecified",
		"/Date(1706933106000)/": "2024-02-03 04:05:06.000 Unspecified", "": "0001-01-01 00:00:00.000 Unspecified", "0": "0001-01-01 00:00:00.000 Unspecified",
		"0001-01-01 00:00:00": "0001-01-01 00:00:00.000 Unspecified", "9999-12-31 23:59:59.9999999": "9999-12-31 23:59:59.999 Unspecified",
	} {
		got, err := ParseTime(s)
		require.NoError(t, err, s)
		require.Equal(t, want, clockText(got), s)
	}
	got, err := ParseTime("2024-02-03T04:05:06+08:00")
	require.NoError(t, err)
	require.Equal(t, time.Local, got.Location())
	require.True(t, got.Equal(time.Date(2024, 2, 2, 20, 5, 6, 0, time.UTC)), got)
	for _, s := range []string{"x", "2024-", "2024-13-01", "2024-02-30", "2024-02-03 24:00:00", "2024-02-03 04:60:00", "2024-02-03 04:05:61", "2024-02-03X", "0000-01-01",
		"2024-02-03 04:05:06 CET", "2024-02-03 04", "/Date(x)/", "/Date(1", "99999999999999999999", "999999999999999", "/Date(999999999999999)/", "/Date(-99999999999999)/", "2024-02-03T04:05:06+99:00", "2024-02-03 04:05:06."} {
		_, err := ParseTime(s)
		require.ErrorIs(t, err, ErrForm, s)
	}
}

// clockText is a time and what it says of its zone.
func clockText(t time.Time) string {
	kind := " Unspecified"
	switch {
	case t.IsZero():
	case t.Location() == time.UTC:
		kind = " Utc"
	case t.Location() == time.Local:
		kind = " Local"
	}
	return t.Format("2006-01-02 15:04:05.000") + kind
}
