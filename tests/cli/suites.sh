#!/usr/bin/env bash
# Files of shapes as others write them: what says something of the product that a suite cannot say is refused by its name.
. "$(dirname "$0")/lib.sh"

mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
refused() { # WORDS CSV
    printf '%s\n' "${@:2}" >suite.csv
    expect 2 "$GEMMGATE" check --device host --candidates set --suite suite.csv -o NONE
    says "$1"
    [ ! -e NONE ] || fail "$1: something was begun"
}
taken() { # SHAPES CSV
    printf '%s\n' "${@:2}" >suite.csv
    rm -rf RUN
    expect 0 "$GEMMGATE" check --device host --candidates set --suite suite.csv -o RUN
    [ "$(ls RUN/units)" = "$1" ] || fail "other shapes than $1: $(ls RUN/units)"
}

refused "suite.csv:1: column 'batch': a suite says m, n and k alone, and nothing else of a product;" m,n,k,batch 64,64,64,4
refused "suite.csv:1: column 'dtype':" m,n,k,dtype,layout 64,64,64,bf16,tn
refused "suite.csv:1: column 'layout':" mnk,layout 64x64x64,tn
# A table of cutlass_profiler, whole and with its shapes alone.
refused "suite.csv:1: column 'batch_count':" Problem,Provider,Operation,m,n,k,A,B,batch_count,Runtime \
    1,CUTLASS,one,64,64,64,f16:column,f16:row,1,0.1 1,CUTLASS,two,64,64,64,f16:column,f16:row,1,0.2
refused 'suite.csv:3: 64x64x64 is named already at suite.csv:2; remove one; a file can say by a column count how often each is called' m,n,k 64,64,64 64,64,64
taken 64x64x64.blocked m,n,k,count 64,64,64,1 64,64,64,1
taken 64x64x64.blocked name,m,n,k,ratio 'a layer,64,64,64,1.1' # which say nothing of the product

taken 32x16x64.blocked M,N,K '32, 16, 64'
taken 32x16x64.blocked MNK 32x16x64
refused "suite.csv:1: two columns are called 'm'" M,N,K,m 32,16,64,8
taken 32x16x64.blocked '# of a model' m,n,k '# its layer, which is "small' 32,16,64 '#'
echo ok
