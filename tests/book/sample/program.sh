#!/bin/sh
# Stands in for a built lesson in the book's tests: prints what the sample
# expects, logs calls, writes a trace.
set -eu

log() {
    if [ "${SIM_LOG:-}" = 1 ]; then
        printf '%13s us  %s = 0 cudaSuccess\n' "$1" "$2" >&2
    fi
}

log 0.200 'cudaMalloc(24)'
echo 'tensor([1, 2, 3])'
log 50.200 'cudaMemcpy(cuda:7+0x0, host, 24)'
echo "tensor([1, 2, 3], device='cuda:7')"
log 61.300 'cudaLaunchKernel(pow_i64, 1, 128)'
echo "tensor([1, 4, 9], device='cuda:7')"
if [ -n "${SIM_TRACE:-}" ]; then
    cat >"$SIM_TRACE" <<'JSON'
{"traceEvents":[
{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"host"}},
{"ph":"M","pid":2,"tid":0,"name":"process_name","args":{"name":"cuda:7"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"thread 0"}},
{"ph":"M","pid":2,"tid":1,"name":"thread_name","args":{"name":"stream 1"}},
{"ph":"M","pid":2,"tid":2,"name":"thread_name","args":{"name":"stream 2"}},
{"ph":"X","pid":1,"tid":1,"name":"cudaMemcpy","ts":0,"dur":9},
{"ph":"X","pid":2,"tid":1,"name":"memcpy HtoD","ts":2,"dur":6},
{"ph":"X","pid":1,"tid":1,"name":"cudaLaunchKernel","ts":9,"dur":2},
{"ph":"X","pid":2,"tid":2,"name":"pow_i64","ts":12.5,"dur":6.25},
{"ph":"X","pid":1,"tid":1,"name":"cudaDeviceSynchronize","ts":11,"dur":8},
{"ph":"s","id":1,"pid":2,"tid":1,"name":"wait","ts":8},
{"ph":"f","id":1,"pid":2,"tid":2,"name":"wait","ts":12.5}
]}
JSON
fi
