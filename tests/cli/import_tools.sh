#!/usr/bin/env bash
# Times of other tools: what becomes a run, what its pages say, and what is refused, with file, line, column and remedy.
. "$(dirname "$0")/lib.sh"

refused() { # WORDS TOOL FILE OPTION...
    expect 2 "$GEMMGATE" import "${@:2}" -o NONE
    says "$1"
    [ ! -e NONE ] || fail "there is a run: $*"
}
imported() { # RUN TOOL FILE OPTION...
    rm -rf "$1"
    expect 0 "$GEMMGATE" import "${@:2}" -o "$1"
}
# spoilt NAME FROM TO: a copy of NAME with the first FROM replaced, as spoilt.EXTENSION
spoilt() {
    python3 - "$@" <<'END'
import sys
name, old, new = sys.argv[1:]
text = open(name).read()
assert old in text, old
open("spoilt" + name[name.rindex("."):], "w").write(text.replace(old, new, 1))
END
}
page() { grep -qF -- "$2" "$1/report/report.md" || { cat "$1/report/report.md" >&2; fail "$1: the page does not say: $2"; }; }

# Triton's do_bench.
cat >triton.csv <<'END'
m,n,k,provider,ms,dtype,layout
256,256,256,triton,0.011,torch.float16,nn
256,256,256,torch,0.010,float16,nn
512,512,512,triton,0.020,fp16,nn
512,512,512,torch,0.025,half,nn
64,64,64,torch,0.004,f16,nn
END
imported TRITON triton triton.csv
[ "$(column TRITON/times.csv kernel | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = ' 3 torch-matmul-nn; 2 triton-nn;' ] || fail 'other arms'
[ "$(column TRITON/times.csv lens | sort -u) $(column TRITON/times.csv cache | sort -u)" = 'device cold' ] || fail 'another lens or cache'
grep -q '^256,256,256,triton-nn,triton-nn,.*,1.1e-05,' TRITON/times.csv || fail 'milliseconds are no seconds'
[ "$(column TRITON/ratios.csv speedup | tr '\n' ' ')" = '-0.0909090909091 0.25 ' ] || fail 'other speedups'
expect 0 "$GEMMGATE" report TRITON
told 'This run is imported (times by triton: triton.csv): it has no samples, and this machine has checked none of its kernels.'
told 'triton-nn over torch-matmul-nn: +8.0 % by device, offline: the mean speedup over 2 shapes'
page TRITON '| 512x512x512 | triton-nn | 20.00 µs | 13.4 |'
page TRITON 'gemmgate import triton triton.csv -o RUN'
! grep -q 'Can the numbers be trusted' TRITON/report/report.md || fail 'the page speaks of conditions that nobody has seen'
grep -q '^512,512,512,triton-nn,.*,2e-05,' TRITON/report/shapes.csv || fail 'shapes.csv has no time'

printf 'm,n,k,provider,ms\n64,64,64,a\xff\x01b,0.01\n' >bytes.csv
imported BYTES triton bytes.csv
grep -qx '64,64,64,a  b,a  b,.*' BYTES/times.csv || { cat BYTES/times.csv >&2; fail 'a name has bytes that cannot be shown'; }

header() { spoilt triton.csv "$1" "$2"; }
header ,ms, ,us, && refused "spoilt.csv:1: no column 'ms': wanted are m, n, k, provider and ms, a time in a row, in milliseconds" triton spoilt.csv
printf 'M,N,K,cuBLAS (TFLOPS),Triton (TFLOPS)\n256.0,256.0,256.0,2.0,3.0\n' >wide.csv
refused "wide.csv:1: no column 'ms'" triton wide.csv
says 'reports/README.md has a command that makes such a file of a table by perf_report'
eval "$(sed -n '/^awk .*m,n,k,provider,ms/,/times.csv$/p' "$SOURCE/reports/README.md" | sed 's/matmul-performance-fp16.csv/wide.csv/')"
imported WIDE triton times.csv
grep -q '^256,256,256,Triton,.*,1.11848107e-05,' WIDE/times.csv || { cat WIDE/times.csv >&2; fail 'the command of the manual makes other times'; }
expect 0 "$GEMMGATE" report WIDE
told 'Triton over cublas: +50.0 % by device, offline: the speedup of one shape, as the paper counts.'
[ "$(column WIDE/ratios.csv baseline | sort -u)" = cublas ] || fail 'the library of a table by perf_report is none'
header ,provider, ,kernel, && refused "spoilt.csv:1: no column 'provider'" triton spoilt.csv
header n,k n,h && refused "spoilt.csv:1: no column 'k'" triton spoilt.csv
spoilt triton.csv 0.010 -0.010 && refused 'spoilt.csv:3: column ms: -0.01 is no time' triton spoilt.csv
spoilt triton.csv 0.010 0 && refused 'spoilt.csv:3: column ms: 0 is no time' triton spoilt.csv
spoilt triton.csv 0.010 nan && refused "spoilt.csv:3: column ms: 'nan' is no finite" triton spoilt.csv
spoilt triton.csv 0.010 inf && refused "spoilt.csv:3: column ms: 'inf' is no finite" triton spoilt.csv
spoilt triton.csv 0.010 '' && refused 'spoilt.csv:3: column ms: is empty' triton spoilt.csv
spoilt triton.csv 0.010 1e-9 && refused 'spoilt.csv:3: 256x256x256 in 1e-12 s: no GPU is as fast; wanted are milliseconds' triton spoilt.csv
spoilt triton.csv 256,256,256,torch 256,0,256,torch && refused "spoilt.csv:3: column n: '0'" triton spoilt.csv
spoilt triton.csv 512,512,512,torch 256,256,256,torch && refused 'the time of torch-matmul-nn on 256x256x256 stands at 3 already; keep one' triton spoilt.csv
spoilt triton.csv fp16 float32 && refused "spoilt.csv:4: column dtype: 'float32': this run is of f16" triton spoilt.csv
spoilt triton.csv fp16 int8 && refused "spoilt.csv:4: column dtype: 'int8': this run is of f16" triton spoilt.csv
refused "triton.csv:2: column dtype: 'torch.float16': this run is of bf16" triton triton.csv --element bf16
spoilt triton.csv fp16,nn fp16,tt && refused "spoilt.csv:4: column layout: 'tt': nn (B row-major) or tn (B column-major) is wanted" triton spoilt.csv
spoilt triton.csv ,triton, ,, && refused 'spoilt.csv:2: column provider: is empty' triton spoilt.csv
head -n 1 triton.csv >only.csv && refused 'only.csv: no row with a time' triton only.csv
: >empty.csv && refused 'empty.csv:1: the file is empty' triton empty.csv
: >empty.json && refused 'empty.json:1: ' nvbench empty.json
truncate -s 2G huge.csv && refused 'huge.csv: cannot read' triton huge.csv
refused 'huge.csv: cannot read' nvbench huge.csv
refused 'none.csv: cannot read' triton none.csv
refused "no tool is called 'tritonbench'; known are cutlass_profiler, nvbench or triton, and \`import cuda-l2\`" tritonbench triton.csv
expect 2 "$GEMMGATE" import triton -o NONE
expect 2 "$GEMMGATE" import triton triton.csv -o TRITON
says 'TRITON exists; choose another name'

# cutlass_profiler: the fastest operation that passed, by layout. C column-major is the product of the transposes.
cat >cutlass.csv <<'END'
Problem,Provider,OperationKind,Operation,Disposition,Status,gemm_kind,m,n,k,A,B,C,D,alpha,beta,split_k_slices,batch_count,op_class,accum,stages,Bytes,Flops,Flops/Byte,Runtime,GB/s,GFLOPs
1,CUTLASS,gemm,slow_tn,passed,success,universal,512,256,128,f16:row,f16:column,f16:column,f16:column,1,0,1,1,tensorop,f32,4,458752,33685504,73,0.0125,34.1,2694.84
1,CUTLASS,gemm,fast_tn,passed,success,universal,512,256,128,f16:row,f16:column,f16:column,f16:column,1,0,1,1,tensorop,f32,3,458752,33685504,73,0.01,42.7,3368.55
1,CUTLASS,gemm,wrong_tn,incorrect,success,universal,512,256,128,f16:row,f16:column,f16:column,f16:column,1,0,1,1,tensorop,f32,3,458752,33685504,73,0.001,427,33685.5
1,CUTLASS,gemm,absent_tn,not_supported,error_not_supported,universal,512,256,128,f16:row,f16:column,f16:column,f16:column,1,0,1,1,tensorop,f32,3,458752,33685504,73,0,,
1,cuBLAS,gemm,cublas_tn,passed,success,universal,512,256,128,f16:row,f16:column,f16:column,f16:column,1,0,1,1,tensorop,f32,0,458752,33685504,73,0.02,21.4,1684.28
2,CUTLASS,gemm,plain_nn,not_verified,success,universal,256,256,256,f16:row,f16:row,f16:row,f16:row,1,0,1,1,tensorop,f32,3,393216,33554432,85,0.005,78.6,6710.89
END
imported CUTLASS cutlass_profiler cutlass.csv
says 'cutlass.csv: left out, since cutlass_profiler calls them failed or skipped: 2 of the rows, the first: line 4: incorrect, success'
says 'cutlass.csv: not verified by cutlass_profiler: 1 of the rows'
[ "$(cut -d, -f1-5,7 CUTLASS/times.csv | tail -n +2 | tr '\n' ';')" = \
    '256,256,256,CUTLASS-nn,CUTLASS-nn,stream;256,512,128,CUTLASS-tn,CUTLASS-tn,stream;256,512,128,CUTLASS-tn,cublas-tn,stream;' ] || { cat CUTLASS/times.csv >&2; fail 'other times'; }
grep -q 'CUTLASS-tn,CUTLASS-tn,.*,1e-05,.*fastest of 2: fast_tn$' CUTLASS/times.csv || fail 'the fastest that passed is another'
[ "$(column CUTLASS/ratios.csv baseline) $(column CUTLASS/ratios.csv speedup)" = 'cublas-tn 1' ] || fail 'another speedup'
expect 0 "$GEMMGATE" report CUTLASS
page CUTLASS "Left out, since the tool calls them failed or skipped: 2 of the file's rows. Not verified by the tool: 1 of the rows."
wrong() { spoilt cutlass.csv "$1" "$2"; }
wrong ,accum, ,acc, && refused "spoilt.csv:1: no column 'accum'" cutlass_profiler spoilt.csv
refused "cutlass.csv:2: column accum: 'f32' where f16 is wanted: profile with --accum, or import with --accumulate" cutlass_profiler cutlass.csv --accumulate f16
refused "cutlass.csv:2: column A: 'f16:row': this run is of bf16" cutlass_profiler cutlass.csv --element bf16
wrong f16:row f32:row && refused "spoilt.csv:2: column A: 'f32:row': this run is of f16" cutlass_profiler spoilt.csv
wrong f16:row,f16:column,f16:column,f16:column f16:row,f16:column,f32:column,f32:column && refused "spoilt.csv:2: column C: 'f32:column': this run is of f16" cutlass_profiler spoilt.csv
wrong f16:row f16:interleaved && refused "spoilt.csv:2: column A: 'f16:interleaved': row or column is wanted" cutlass_profiler spoilt.csv
wrong f16:row,f16:row f16:column,f16:row && refused "spoilt.csv:7: column A: 'f16:column' with C 'f16:row': a first operand that lies across C has no name here" cutlass_profiler spoilt.csv
wrong f16:row,f16:column,f16:column f16:row,f16:row,f16:column && refused "spoilt.csv:2: column B: 'f16:row' with C 'f16:column'" cutlass_profiler spoilt.csv
wrong f16:column,1,0,1,1 f16:column,1,1,1,1 && refused "spoilt.csv:2: column beta: '1' where 0 is wanted: profile with --beta=0" cutlass_profiler spoilt.csv
wrong f16:column,1,0,1,1 f16:column,1,0,1,8 && refused "spoilt.csv:2: column batch_count: '8' where 1 is wanted" cutlass_profiler spoilt.csv
wrong CUTLASS,gemm, CUTLASS,conv2d, && refused "spoilt.csv:2: column OperationKind: 'conv2d' where gemm is wanted" cutlass_profiler spoilt.csv
wrong 0.0125 12.5 && refused 'spoilt.csv:2: column Runtime: 12.5 ms are not the 2694.84 GFLOPs of this row; wanted are milliseconds' cutlass_profiler spoilt.csv
wrong 33685504,73,0.0125,34.1,2694.84 0,73,0.0125,34.1,0 && refused "spoilt.csv:2: column Flops: 0 operations are not those of this row's m, n and k, some 33554432" cutlass_profiler spoilt.csv
wrong 512,256,128 512,512,128 && refused "spoilt.csv:2: column Flops: 33685504 operations are not those of this row's m, n and k, some 67108864" cutlass_profiler spoilt.csv
wrong 1,CUTLASS, 1,, && refused 'spoilt.csv:2: column Provider: is empty; a name is wanted' cutlass_profiler spoilt.csv
wrong 0.0125 -1 && refused 'spoilt.csv:2: column Runtime: -1 is no time' cutlass_profiler spoilt.csv
{ echo CSV Results:; cat cutlass.csv; } >log.csv && refused "log.csv:1: no column 'Provider': wanted is what cutlass_profiler --output=FILE writes of gemm, and not its log" cutlass_profiler log.csv
sed 's/f32/f16/g' cutlass.csv >sums.csv
imported SUMS cutlass_profiler sums.csv --accumulate f16
expect 2 "$GEMMGATE" report SUMS --published CUTLASS
says 'the runs cannot be compared: accumulate: here f16, there f32'
expect 0 "$GEMMGATE" report SUMS
page SUMS 'gemmgate import cutlass_profiler sums.csv --accumulate f16 -o RUN'

# nvbench: a cold time and one of a batch. A library that is a benchmark of its own.
python3 - <<'END'
import json
def state(m, times, *axes, **more):
    return {"name": "x", "device": 0, "axis_values": [{"name": a, "type": "int64", "value": str(m)} for a in "MNK"] +
            [{"name": n, "type": "string", "value": v} for n, v in axes], "is_skipped": False,
            "summaries": [{"tag": f"nv/{tag}/time/gpu/mean", "hint": "duration", "data": [{"name": "value", "type": "float64", "value": value}]}
                          for tag, value in times.items()], **more}
json.dump({"meta": {}, "devices": [{"id": 0, "name": "NVIDIA Test"}, {"id": 1, "name": "NVIDIA Other"}], "benchmarks": [
    {"name": "mine", "states": [state(256, {"cold": "1.1e-05", "batch": "8e-06"}, ("T", "F16"), ("split", "4")),
                                state(512, {"cold": "2e-05"}, ("T", "F16"), ("split", "4")),
                                {"device": 0, "is_skipped": True, "skip_reason": "too large"}]},
    {"name": "cuBLAS", "states": [state(256, {"cold": 1e-05}, ("layout", "nn"))]}]}, open("nvbench.json", "w"), indent=1)
END
imported NVBENCH nvbench nvbench.json
says 'nvbench.json: left out, since nvbench calls them failed or skipped: 1 of the rows, the first: benchmarks[0].states[2], too large'
[ "$(cut -d, -f1,4-8 NVBENCH/times.csv | tail -n +2 | tr '\n' ';')" = \
    '256,mine split=4,mine split=4,offline,device,cold;256,mine split=4,cublas-nn,offline,device,cold;256,mine split=4,mine split=4,offline,stream,warm;512,mine split=4,mine split=4,offline,device,cold;' ] ||
    { cat NVBENCH/times.csv >&2; fail 'other times'; }
[ "$(column NVBENCH/ratios.csv speedup)" = -0.0909090909091 ] || fail 'another speedup'
expect 0 "$GEMMGATE" report NVBENCH
told 'times by nvbench on NVIDIA Test: nvbench.json'
json() { spoilt nvbench.json "$1" "$2"; }
json '"benchmarks"' '"results"' && refused "spoilt.json: no list 'benchmarks': this is not what nvbench --json writes" nvbench spoilt.json
json '"name": "K"' '"name": "L"' && refused 'spoilt.json: benchmarks[0].states[0]: axes M, N and K are wanted' nvbench spoilt.json
json '"value": "256"' '"value": "25.5"' && refused "spoilt.json: benchmarks[0].states[0]: M '25.5': a size from 1 to 1048576 is wanted" nvbench spoilt.json
json '"F16"' '"F32"' && refused "spoilt.json: benchmarks[0].states[0]: T 'F32': another type than this run's" nvbench spoilt.json
json '"F16"' '"int8"' && refused "T 'int8': another type than this run's: leave such states out, or import with --element" nvbench spoilt.json
json '"nn"' '"nt"' && refused "benchmarks[1].states[0]: layout 'nt': nn (B row-major) or tn" nvbench spoilt.json
json 1.1e-05 -1 && refused "benchmarks[0].states[0]: nv/cold/time/gpu/mean '-1': a finite number of seconds above 0 is wanted" nvbench spoilt.json
json 1.1e-05 nan && refused "nv/cold/time/gpu/mean 'nan': a finite number" nvbench spoilt.json
json 1.1e-05 inf && refused "nv/cold/time/gpu/mean 'inf': a finite number" nvbench spoilt.json
json '"hint": "duration"' '"hint": "item_rate"' && refused "nv/cold/time/gpu/mean 'item_rate': the hint duration, seconds, is wanted" nvbench spoilt.json
json nv/cold/time/gpu/mean nv/cold/time/cpu/mean && json2() { sed -i 's,nv/batch/time/gpu,nv/batch/time/cpu,' spoilt.json; } && json2 &&
    refused 'benchmarks[0].states[0]: no summary has the tag nv/cold/time/gpu/mean or nv/batch/time/gpu/mean' nvbench spoilt.json
json '"value": "512"' '"value": "256"' && sed -i 's/"512"/"256"/' spoilt.json && refused 'benchmarks[0].states[1]: the time of mine split=4 on 256x256x256 stands at benchmarks[0].states[0] already; keep one' nvbench spoilt.json
json '"device": 0' '"device": 1' && refused "benchmarks[0].states[1]: device 'NVIDIA Test': another GPU than before" nvbench spoilt.json
json '"meta": {},' '' && imported PLAIN nvbench spoilt.json
json '"meta": {},' '"meta": ' && refused 'spoilt.json:' nvbench spoilt.json
refused 'triton.csv:1: ' nvbench triton.csv

# Beside each other, and beside a run of ours.
expect 0 "$GEMMGATE" report NVBENCH --published TRITON
page NVBENCH '**The run there is imported** (times by triton: triton.csv): it has no samples, and this machine has checked none of its kernels.'
page NVBENCH '**This run is imported** (times by nvbench on NVIDIA Test: nvbench.json)'
page NVBENCH '| 512x512x512 | mine split=4 | triton-nn | device | 20.00 µs | 20.00 µs | 1.000 | cold | cold |'
page NVBENCH '| mine split=4 | triton-nn | device | 2 | 1.000 | 0 |'
expect 2 "$GEMMGATE" report TRITON --published CUTLASS
says 'CUTLASS and TRITON have nothing in common: neither speedups of a shape by one mode, lens and library, nor times of a shape by one lens'
expect 2 "$GEMMGATE" compare TRITON NVBENCH
says 'NVBENCH: an imported run has no samples to compare; `gemmgate report RUN --published NVBENCH` puts times beside each other'
expect 2 "$GEMMGATE" verify TRITON
says 'an imported run has no samples to verify'
expect 2 "$GEMMGATE" gate TRITON
expect 2 "$GEMMGATE" winners TRITON
says 'an imported run has no samples to compare'
mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
expect 0 "$GEMMGATE" run --device host --shapes 256x256x256 --seed 1 --warmup 0.02 --duration 0.1 --visits 2 --candidates set --lens call -o OURS
expect 2 "$GEMMGATE" report OURS --published TRITON
says 'TRITON and OURS have nothing in common: neither speedups of a shape by one mode, lens and library, nor times of a shape by one lens'
sed -i 's/,device,cold,/,call,cold,/' TRITON/times.csv # as if by the lens of the host device
expect 2 "$GEMMGATE" report TRITON --published OURS # of which only speedups are asked
says 'OURS and TRITON have nothing in common: no speedups of a shape by one mode, lens and library'
! grep -q 'nor times' err || fail 'times by call are in common'
expect 0 "$GEMMGATE" report OURS --published TRITON
page OURS '**The run there is imported** (times by triton: triton.csv): it has no samples, and this machine has checked none of its kernels.'
grep -q '^| blocked | triton-nn | call | 1 | 0\.' OURS/report/report.md || fail 'the times are not beside each other'
! grep -q 'This run is imported' OURS/report/report.md || fail 'a measured run is called imported'
expect 2 "$GEMMGATE" compare TRITON OURS
says 'TRITON: an imported run has no samples to compare'
echo ok
