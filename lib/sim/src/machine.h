/* A machine is data: the host, its GPUs and the links between them.
 *
 * machine.c fills one from a machine file (those in lib/sim/machines are
 * built in) and checks it; the rest of the simulator only reads it.
 * Rates are what a program attains: the data file holds peak and efficiency,
 * the struct their product, except where a field says peak. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACHINE_MAX_GPUS = 64, MACHINE_NAME = 128, UUID_TEXT = 48 };

/* Which arithmetic a kernel's floating-point operations are counted in.
 * The order is that of CudasimRate in cudasim.h. */
typedef enum Rate {
    RATE_FLOAT32,
    RATE_FLOAT64,
    RATE_FLOAT16,  // float16 through tensor cores where there are any
    RATE_BFLOAT16, // bfloat16 likewise; on old cards as slow as float32
    RATE_TF32,     // float32 inputs rounded to TF32
    RATE_INT8,
    N_RATES
} Rate;

/* A copy of n bytes takes t0_ns + n / bytes_per_s. */
typedef struct LinkCost {
    int64_t t0_ns;
    double bytes_per_s;
} LinkCost;

typedef struct HostModel {
    char name[MACHINE_NAME];
    double flops_per_s;     // one thread, float32
    double bytes_per_s;     // memory traffic, one thread
    int64_t op_overhead_ns; // per operation of a tensor library
} HostModel;

/* What a call costs the host thread that makes it. */
typedef struct CallCosts {
    int64_t call_ns;        // any call not named below
    int64_t query_ns;       // cudaStreamQuery, cudaEventQuery
    int64_t launch_ns;      // cudaLaunchKernel
    int64_t copy_ns;        // submitting a copy or a memset
    int64_t sync_ns;        // returning from a wait
    int64_t malloc_ns;      // cudaMalloc
    int64_t free_ns;        // cudaFree
    int64_t pool_ns;        // cudaMallocAsync, cudaFreeAsync
    int64_t host_malloc_ns; // cudaMallocHost, cudaHostRegister: at least
    double host_malloc_ns_per_byte; // and per byte pinned
    int64_t context_ns;             // first use of each device
} CallCosts;

/* What nvidia-smi shows beside name, memory and bus id. Texts as printed,
 * "N/A" where the card has no such sensor. */
typedef struct SmiColumns {
    char persistence[8]; // "Off" or "On"; on Windows "WDDM" or "TCC"
    char display[8];
    char ecc[8];
    char fan[8];
    char temperature[8];
    char performance[8];
    char power_usage[16];
    char power_cap[16];
    char utilisation[8];
    char compute_mode[16];
    char mig[16];
} SmiColumns;

typedef struct GpuModel {
    char name[MACHINE_NAME]; // as cudaGetDeviceProperties gives it
    char uuid[UUID_TEXT];    // "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"
    int cc_major, cc_minor;
    int pci_domain, pci_bus, pci_device;
    unsigned pci_id; // device id << 16 | vendor id

    size_t total_bytes;     // what cudaMemGetInfo calls total
    size_t smi_total_bytes; // what nvidia-smi calls total
    size_t idle_bytes;      // used with no process at all, as smi shows it
    size_t other_bytes;     // taken by other people's processes
    size_t context_bytes;   // what one process's context takes

    int n_sms, threads_per_sm, blocks_per_sm;
    int clock_khz, memory_clock_khz, memory_bus_bits;
    size_t l2_bytes, shared_per_block_bytes, shared_per_block_optin_bytes;
    size_t shared_per_sm_bytes;
    int registers_per_sm;
    int n_copy_engines; // 2: one each way; 1: both ways share it
    bool ecc, tcc, integrated, display_timeout;
    bool has_pools; // cudaMallocAsync and its kin; yes unless said otherwise

    double flops_per_s[N_RATES];
    double memory_bytes_per_s; // read plus write traffic of a kernel
    double copy_bytes_per_s;   // device to device in one GPU: bytes copied
    int64_t kernel_ns;         // what the GPU adds to each kernel
    LinkCost h2d_pinned, h2d_pageable, d2h_pinned, d2h_pageable;
    int pcie_generation, pcie_width;

    SmiColumns smi;
} GpuModel;

typedef struct Machine {
    char name[MACHINE_NAME]; // "v100x8", or the path of the file
    bool has_driver;
    int driver_version; // as cudaDriverGetVersion: 13000; 0 without a driver
    char smi_version[16], smi_driver[16], smi_cuda[16];
    HostModel host;
    CallCosts costs;
    double host_link_bytes_per_s; // all GPUs together, each way; 0: no limit
    LinkCost peer_on, peer_off;   // GPU to GPU, peer access on; off: staged
    bool can_peer[MACHINE_MAX_GPUS][MACHINE_MAX_GPUS];
    int n_gpus;
    GpuModel gpus[MACHINE_MAX_GPUS]; // in PCI bus order
} Machine;

/* Fill *machine from a built-in machine's name or a machine file's path
 * (anything with a '/' or a '.' in it is a path).
 *
 * errors  false: *machine is unspecified and `why` holds one sentence that
 *         names the line at fault, or the valid names. */
bool machine_load(const char *name_or_path, Machine *machine, char *why,
                  size_t why_bytes);

#endif
