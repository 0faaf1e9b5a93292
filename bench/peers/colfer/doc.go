package colfer

//go:generate go tool colf -b .. Go models.colf
