#!/bin/sh
# Build somebody's CUDA program in C with one compiler line, run it on four
# simulated V100, in both orders, and compare what it prints.
#
#   anybody.sh COMPILER SOURCE_ROOT LIBRARY_FOLDER SCRATCH [FLAG...]
set -eu
compiler=$1 root=$2 library=$3 scratch=$4
shift 4
mkdir -p "$scratch"
"$compiler" "$@" "$root/tests/sim/anybody.c" -I "$root/lib/sim/include" \
    -L "$library" -lcudasim -lm "-Wl,-rpath,$library" -o "$scratch/anybody"
for order in chronological adversarial; do
    SIM_MACHINE=v100x4 SIM_ORDER=$order "$scratch/anybody" \
        >"$scratch/anybody.$order.txt"
    diff "$root/tests/sim/anybody.txt" "$scratch/anybody.$order.txt"
done
