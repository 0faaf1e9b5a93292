// Package nearest finds what somebody who misspelled a name may have meant.
package nearest

import "strings"

// longest is the longest name that is compared: typing errors in longer ones are not worth the time.
const longest = 64

// Of returns the one of names that is fewest letters away from word, the first of several; "" when none is near: more than a third
// of word's letters, but for one, would have to be changed. Case does not count. A change is a letter added, dropped, put in another's
// place, or two neighbours swapped.
func Of(word string, names []string) string {
	best, least := "", max(1, len(word)/3)+1
	if len(word) > longest {
		return ""
	}
	word = strings.ToLower(word)
	for _, name := range names {
		if len(name) > longest || abs(len(name)-len(word)) >= least {
			continue
		}
		if d := distance(word, strings.ToLower(name), least); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of changes between a and b, or anything from limit on when it is not below.
func distance(a, b string, limit int) int {
	var rows [3][longest + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			d := min(last[j+1], row[j]) + 1
			if a[i] == b[j] {
				d = min(d, last[j])
			} else {
				d = min(d, last[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
			least = min(least, d)
		}
		if least >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func abs(n int) int { return max(n, -n) }
