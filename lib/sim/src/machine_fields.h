/* Which key of a machine file fills which field of a Machine. Included once,
 * by machine_parse.c. */
#ifndef SIM_MACHINE_FIELDS_H
#define SIM_MACHINE_FIELDS_H

#include "machine_parse.h" // defines: ValueKind, Machine

typedef struct Field {
    const char *key;
    ValueKind kind;
    size_t offset;
    size_t room; // of a text
    bool may_lack;
} Field;

#define FIELD(type, key, kind, member)                                         \
    {                                                                          \
        key, kind, offsetof(type, member), sizeof(((type *)0)->member), false  \
    }
#define MAY_LACK(type, key, kind, member)                                      \
    {                                                                          \
        key, kind, offsetof(type, member), sizeof(((type *)0)->member), true   \
    }

static const Field machine_fields[] = {
    FIELD(Machine, "driver", VALUE_YES_NO, has_driver),
    FIELD(Machine, "driver_version", VALUE_VERSION, driver_version),
    MAY_LACK(Machine, "smi_version", VALUE_TEXT, smi_version),
    MAY_LACK(Machine, "smi_driver", VALUE_TEXT, smi_driver),
    MAY_LACK(Machine, "smi_cuda", VALUE_TEXT, smi_cuda),
    {NULL, VALUE_TEXT, 0, 0, true},
};

static const Field host_fields[] = {
    FIELD(Machine, "name", VALUE_TEXT, host.name),
    FIELD(Machine, "flops", VALUE_FLOP_RATE, host.flops_per_s),
    FIELD(Machine, "bandwidth", VALUE_BYTE_RATE, host.bytes_per_s),
    FIELD(Machine, "op_overhead", VALUE_NS, host.op_overhead_ns),
    {NULL, VALUE_TEXT, 0, 0, true},
};

static const Field call_fields[] = {
    FIELD(Machine, "call", VALUE_NS, costs.call_ns),
    FIELD(Machine, "query", VALUE_NS, costs.query_ns),
    FIELD(Machine, "launch", VALUE_NS, costs.launch_ns),
    FIELD(Machine, "copy", VALUE_NS, costs.copy_ns),
    FIELD(Machine, "sync", VALUE_NS, costs.sync_ns),
    FIELD(Machine, "malloc", VALUE_NS, costs.malloc_ns),
    FIELD(Machine, "free", VALUE_NS, costs.free_ns),
    FIELD(Machine, "pool", VALUE_NS, costs.pool_ns),
    FIELD(Machine, "host_malloc", VALUE_NS, costs.host_malloc_ns),
    FIELD(Machine, "host_malloc_per_byte", VALUE_NS_PER_B,
          costs.host_malloc_ns_per_byte),
    FIELD(Machine, "context", VALUE_NS, costs.context_ns),
    {NULL, VALUE_TEXT, 0, 0, true},
};

static const Field link_fields[] = {
    MAY_LACK(Machine, "host_link", VALUE_BYTE_RATE, host_link_bytes_per_s),
    FIELD(Machine, "peer_on", VALUE_LINK, peer_on),
    FIELD(Machine, "peer_off", VALUE_LINK, peer_off),
    {NULL, VALUE_TEXT, 0, 0, true},
};

static const Field gpu_fields[] = {
    FIELD(GpuModel, "name", VALUE_TEXT, name),
    FIELD(GpuModel, "uuid", VALUE_TEXT, uuid),
    FIELD(GpuModel, "capability", VALUE_CAPABILITY, cc_major),
    FIELD(GpuModel, "bus_id", VALUE_PCI, pci_domain),
    FIELD(GpuModel, "pci_id", VALUE_HEX, pci_id),
    FIELD(GpuModel, "memory", VALUE_BYTES, total_bytes),
    FIELD(GpuModel, "smi_memory", VALUE_BYTES, smi_total_bytes),
    FIELD(GpuModel, "idle", VALUE_BYTES, idle_bytes),
    FIELD(GpuModel, "others", VALUE_BYTES, other_bytes),
    FIELD(GpuModel, "context", VALUE_BYTES, context_bytes),
    FIELD(GpuModel, "sms", VALUE_COUNT, n_sms),
    FIELD(GpuModel, "threads_per_sm", VALUE_COUNT, threads_per_sm),
    FIELD(GpuModel, "blocks_per_sm", VALUE_COUNT, blocks_per_sm),
    FIELD(GpuModel, "clock", VALUE_KHZ, clock_khz),
    FIELD(GpuModel, "memory_clock", VALUE_KHZ, memory_clock_khz),
    FIELD(GpuModel, "memory_bus", VALUE_COUNT, memory_bus_bits),
    FIELD(GpuModel, "l2", VALUE_BYTES, l2_bytes),
    FIELD(GpuModel, "shared_per_block", VALUE_BYTES, shared_per_block_bytes),
    FIELD(GpuModel, "shared_per_block_optin", VALUE_BYTES,
          shared_per_block_optin_bytes),
    FIELD(GpuModel, "shared_per_sm", VALUE_BYTES, shared_per_sm_bytes),
    FIELD(GpuModel, "registers_per_sm", VALUE_COUNT, registers_per_sm),
    FIELD(GpuModel, "copy_engines", VALUE_COUNT, n_copy_engines),
    FIELD(GpuModel, "ecc", VALUE_YES_NO, ecc),
    FIELD(GpuModel, "tcc", VALUE_YES_NO, tcc),
    FIELD(GpuModel, "integrated", VALUE_YES_NO, integrated),
    FIELD(GpuModel, "display_timeout", VALUE_YES_NO, display_timeout),
    MAY_LACK(GpuModel, "pools", VALUE_YES_NO, has_pools),
    FIELD(GpuModel, "float32", VALUE_FLOP_RATE, flops_per_s[RATE_FLOAT32]),
    FIELD(GpuModel, "float64", VALUE_FLOP_RATE, flops_per_s[RATE_FLOAT64]),
    FIELD(GpuModel, "float16", VALUE_FLOP_RATE, flops_per_s[RATE_FLOAT16]),
    FIELD(GpuModel, "bfloat16", VALUE_FLOP_RATE, flops_per_s[RATE_BFLOAT16]),
    FIELD(GpuModel, "tf32", VALUE_FLOP_RATE, flops_per_s[RATE_TF32]),
    FIELD(GpuModel, "int8", VALUE_FLOP_RATE, flops_per_s[RATE_INT8]),
    FIELD(GpuModel, "bandwidth", VALUE_BYTE_RATE, memory_bytes_per_s),
    FIELD(GpuModel, "copy", VALUE_BYTE_RATE, copy_bytes_per_s),
    FIELD(GpuModel, "kernel", VALUE_NS, kernel_ns),
    FIELD(GpuModel, "h2d_pinned", VALUE_LINK, h2d_pinned),
    FIELD(GpuModel, "h2d_pageable", VALUE_LINK, h2d_pageable),
    FIELD(GpuModel, "d2h_pinned", VALUE_LINK, d2h_pinned),
    FIELD(GpuModel, "d2h_pageable", VALUE_LINK, d2h_pageable),
    FIELD(GpuModel, "pcie_generation", VALUE_COUNT, pcie_generation),
    FIELD(GpuModel, "pcie_width", VALUE_COUNT, pcie_width),
    MAY_LACK(GpuModel, "smi_persistence", VALUE_TEXT, smi.persistence),
    MAY_LACK(GpuModel, "smi_display", VALUE_TEXT, smi.display),
    MAY_LACK(GpuModel, "smi_ecc", VALUE_TEXT, smi.ecc),
    MAY_LACK(GpuModel, "smi_fan", VALUE_TEXT, smi.fan),
    MAY_LACK(GpuModel, "smi_temperature", VALUE_TEXT, smi.temperature),
    MAY_LACK(GpuModel, "smi_performance", VALUE_TEXT, smi.performance),
    MAY_LACK(GpuModel, "smi_power", VALUE_TEXT, smi.power_usage),
    MAY_LACK(GpuModel, "smi_power_cap", VALUE_TEXT, smi.power_cap),
    MAY_LACK(GpuModel, "smi_utilisation", VALUE_TEXT, smi.utilisation),
    MAY_LACK(GpuModel, "smi_compute_mode", VALUE_TEXT, smi.compute_mode),
    MAY_LACK(GpuModel, "smi_mig", VALUE_TEXT, smi.mig),
    {NULL, VALUE_TEXT, 0, 0, true},
};

#endif
