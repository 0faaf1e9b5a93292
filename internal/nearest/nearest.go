// Package nearest finds the word that somebody meant.
package nearest

import "strings"

// Word gives the word of the list that a misspelt one is nearest to, "" where none
// is near: letters left out, too many, wrong or in each other's place, one in
// three at most.
func Word(misspelt string, list []string) string {
	best, least := "", 1<<30
	for _, word := range list {
		d := Distance(strings.ToLower(misspelt), strings.ToLower(word))
		if d < least && d <= max(1, len(word)/3) && d < len(word) {
			best, least = word, d
		}
	}
	return best
}

// Distance is the number of such mistakes between two words.
func Distance(a, b string) int {
	// Rows of the matrix: of the letter before the last, the last, and this one.
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
