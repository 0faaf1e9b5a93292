package rpc_test

type sumArg struct{ A, B int32 }
type sumReply struct{ Sum int32 }
