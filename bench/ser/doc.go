// Package ser holds the serializers that are compared: one Row for each way of
// using one of them, with an encoder and a decoder of each model.
//
// Every row is called in the same way: the encoder writes into the buffer of the
// call before, the decoder reads into the value of the call before, both through
// one function value. Rows that cannot use the old value, or must clear it, do
// what their authors recommend inside the decoder, so it is part of the time.
package ser
