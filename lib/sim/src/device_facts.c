/* What a GPU says of itself: cudaDeviceProp from the machine's data, and the
 * attributes, most of which are fields of it. What the machine's data does not
 * say is the same for all cards since compute capability 7.0 (CUDA Programming
 * Guide, Compute Capabilities). */
#include "device_facts.h" // defines: this file's interface

#include <stdio.h>  // defines: snprintf
#include <stdlib.h> // defines: strtoul
#include <string.h> // defines: memset

enum { MAX_THREADS = 1024, WARP = 32, TEX = 32768, LAYERS = 2048 };

static void parse_uuid(const char *text, char bytes[16])
{
    int n = 0;
    for (const char *p = text + strlen("GPU-"); n < 16 && *p && p[1];) {
        if (*p == '-') {
            p++;
            continue;
        }
        char pair[3] = {p[0], p[1], '\0'};
        bytes[n++] = (char)strtoul(pair, NULL, 16);
        p += 2;
    }
}

static void fill_textures(struct cudaDeviceProp *p)
{
    const int layered[3] = {TEX, TEX, LAYERS};
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->maxTexture1D = 131072;
    p->maxTexture1DMipmap = TEX;
    p->maxTexture2D[0] = p->maxSurface2D[0] = 131072;
    p->maxTexture2D[1] = p->maxSurface2D[1] = 65536;
    p->maxTexture2DLinear[0] = 131072;
    p->maxTexture2DLinear[1] = 65000;
    p->maxTexture2DLinear[2] = 2097120;
    for (int i = 0; i < 2; i++) {
        p->maxTexture2DMipmap[i] = p->maxTexture2DGather[i] = TEX;
        p->maxTexture1DLayered[i] = p->maxSurface1DLayered[i] =
            i == 0 ? TEX : LAYERS;
        p->maxTextureCubemapLayered[i] = p->maxSurfaceCubemapLayered[i] =
            i == 0 ? TEX : LAYERS - 2;
    }
    for (int i = 0; i < 3; i++) {
        p->maxTexture3D[i] = p->maxSurface3D[i] = 16384;
        p->maxTexture3DAlt[i] = i < 2 ? 8192 : TEX;
        p->maxTexture2DLayered[i] = p->maxSurface2DLayered[i] = layered[i];
    }
    p->maxTextureCubemap = p->maxSurface1D = p->maxSurfaceCubemap = TEX;
    p->surfaceAlignment = 512;
}

static void fill_limits(const GpuModel *model, struct cudaDeviceProp *p)
{
    p->sharedMemPerBlock = model->shared_per_block_bytes;
    p->sharedMemPerBlockOptin = model->shared_per_block_optin_bytes;
    p->sharedMemPerMultiprocessor = model->shared_per_sm_bytes;
    p->reservedSharedMemPerBlock = model->cc_major >= 8 ? 1024 : 0;
    p->regsPerBlock = model->registers_per_sm;
    p->regsPerMultiprocessor = model->registers_per_sm;
    p->warpSize = WARP;
    p->memPitch = INT32_MAX;
    p->maxThreadsPerBlock = MAX_THREADS;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = MAX_THREADS;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = INT32_MAX;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->multiProcessorCount = model->n_sms;
    p->maxThreadsPerMultiProcessor = model->threads_per_sm;
    p->maxBlocksPerMultiProcessor = model->blocks_per_sm;
    p->memoryBusWidth = model->memory_bus_bits;
    p->l2CacheSize = (int)model->l2_bytes;
    p->asyncEngineCount = model->n_copy_engines;
}

/* What the simulator can do, and what it cannot. */
static void fill_abilities(const GpuModel *model, struct cudaDeviceProp *p)
{
    p->canMapHostMemory = 1;
    p->unifiedAddressing = 1;
    p->concurrentKernels = 1;
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = 1;
    p->localL1CacheSupported = 1;
    p->computePreemptionSupported = 1;
    p->canUseHostPointerForRegisteredMem = 1;
    p->hostRegisterSupported = 1;
    p->unifiedFunctionPointers = 0;
    p->managedMemory = 0; // cudaMallocManaged is not in the subset
    p->deviceNumaConfig = 0;
    p->deviceNumaId = -1;
    p->hostNumaId = -1;
    p->gpuPciDeviceID = model->pci_id;
}

void device_properties(const Device *device, struct cudaDeviceProp *p)
{
    const GpuModel *model = device->model;
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", model->name);
    parse_uuid(model->uuid, p->uuid.bytes);
    p->totalGlobalMem = model->total_bytes;
    p->major = model->cc_major;
    p->minor = model->cc_minor;
    p->integrated = model->integrated;
    p->ECCEnabled = model->ecc;
    p->tccDriver = model->tcc;
    p->memoryPoolsSupported = model->has_pools;
    p->pciDomainID = model->pci_domain;
    p->pciBusID = model->pci_bus;
    p->pciDeviceID = model->pci_device;
    fill_limits(model, p);
    fill_textures(p);
    fill_abilities(model, p);
}

static int precision_ratio(const GpuModel *model)
{
    double f64 = model->flops_per_s[RATE_FLOAT64];
    return f64 > 0 ? (int)(model->flops_per_s[RATE_FLOAT32] / f64 + 0.5) : 0;
}

/* Textures and surfaces; false: another attribute. */
static bool texture_attribute(const struct cudaDeviceProp *p,
                              enum cudaDeviceAttr attr, int *value)
{
    switch (attr) {
    case cudaDevAttrMaxTexture1DWidth:
        *value = p->maxTexture1D;
        break;
    case cudaDevAttrMaxTexture1DLinearWidth:
        *value = 268435456;
        break;
    case cudaDevAttrMaxTexture1DMipmappedWidth:
        *value = p->maxTexture1DMipmap;
        break;
    case cudaDevAttrMaxTexture2DWidth:
    case cudaDevAttrMaxSurface2DWidth:
        *value = p->maxTexture2D[0];
        break;
    case cudaDevAttrMaxTexture2DHeight:
    case cudaDevAttrMaxSurface2DHeight:
        *value = p->maxTexture2D[1];
        break;
    case cudaDevAttrMaxTexture2DLinearWidth:
        *value = p->maxTexture2DLinear[0];
        break;
    case cudaDevAttrMaxTexture2DLinearHeight:
        *value = p->maxTexture2DLinear[1];
        break;
    case cudaDevAttrMaxTexture2DLinearPitch:
        *value = p->maxTexture2DLinear[2];
        break;
    case cudaDevAttrMaxTexture3DWidth:
    case cudaDevAttrMaxTexture3DHeight:
    case cudaDevAttrMaxTexture3DDepth:
    case cudaDevAttrMaxSurface3DWidth:
    case cudaDevAttrMaxSurface3DHeight:
    case cudaDevAttrMaxSurface3DDepth:
        *value = p->maxTexture3D[0];
        break;
    case cudaDevAttrMaxTexture3DWidthAlt:
    case cudaDevAttrMaxTexture3DHeightAlt:
        *value = p->maxTexture3DAlt[0];
        break;
    case cudaDevAttrMaxTexture3DDepthAlt:
        *value = p->maxTexture3DAlt[2];
        break;
    case cudaDevAttrMaxTexture2DLayeredLayers:
    case cudaDevAttrMaxTexture1DLayeredLayers:
    case cudaDevAttrMaxSurface1DLayeredLayers:
    case cudaDevAttrMaxSurface2DLayeredLayers:
        *value = LAYERS;
        break;
    case cudaDevAttrMaxTextureCubemapLayeredLayers:
    case cudaDevAttrMaxSurfaceCubemapLayeredLayers:
        *value = LAYERS - 2;
        break;
    case cudaDevAttrMaxTexture2DLayeredWidth:
    case cudaDevAttrMaxTexture2DLayeredHeight:
    case cudaDevAttrMaxTexture1DLayeredWidth:
    case cudaDevAttrMaxTexture2DGatherWidth:
    case cudaDevAttrMaxTexture2DGatherHeight:
    case cudaDevAttrMaxTextureCubemapWidth:
    case cudaDevAttrMaxTextureCubemapLayeredWidth:
    case cudaDevAttrMaxTexture2DMipmappedWidth:
    case cudaDevAttrMaxTexture2DMipmappedHeight:
    case cudaDevAttrMaxSurface1DWidth:
    case cudaDevAttrMaxSurface1DLayeredWidth:
    case cudaDevAttrMaxSurface2DLayeredWidth:
    case cudaDevAttrMaxSurface2DLayeredHeight:
    case cudaDevAttrMaxSurfaceCubemapWidth:
    case cudaDevAttrMaxSurfaceCubemapLayeredWidth:
        *value = TEX;
        break;
    default:
        return false;
    }
    return true;
}

/* Sizes and counts; false: another attribute. */
static bool limit_attribute(const GpuModel *model,
                            const struct cudaDeviceProp *p,
                            enum cudaDeviceAttr attr, int *value)
{
    switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
        *value = MAX_THREADS;
        break;
    case cudaDevAttrMaxBlockDimZ:
        *value = p->maxThreadsDim[2];
        break;
    case cudaDevAttrMaxGridDimX:
        *value = p->maxGridSize[0];
        break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
        *value = p->maxGridSize[1];
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = (int)p->sharedMemPerBlock;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)p->sharedMemPerBlockOptin;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p->sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
        *value = (int)p->reservedSharedMemPerBlock;
        break;
    case cudaDevAttrTotalConstantMemory:
        *value = (int)p->totalConstMem;
        break;
    case cudaDevAttrWarpSize:
        *value = WARP;
        break;
    case cudaDevAttrMaxPitch:
        *value = (int)p->memPitch;
        break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        *value = p->regsPerBlock;
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = p->multiProcessorCount;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = p->maxThreadsPerMultiProcessor;
        break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        *value = p->maxBlocksPerMultiProcessor;
        break;
    case cudaDevAttrClockRate:
        *value = model->clock_khz;
        break;
    case cudaDevAttrMemoryClockRate:
        *value = model->memory_clock_khz;
        break;
    case cudaDevAttrGlobalMemoryBusWidth:
        *value = p->memoryBusWidth;
        break;
    case cudaDevAttrL2CacheSize:
        *value = p->l2CacheSize;
        break;
    case cudaDevAttrAsyncEngineCount:
        *value = p->asyncEngineCount;
        break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        *value = precision_ratio(model);
        break;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment:
        *value = (int)p->textureAlignment;
        break;
    case cudaDevAttrTexturePitchAlignment:
        *value = (int)p->texturePitchAlignment;
        break;
    default:
        return false;
    }
    return true;
}

/* What is true of every card here; false: another attribute. */
static bool is_true(enum cudaDeviceAttr attr)
{
    switch (attr) {
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemSyncDomainCount: // one
        return true;
    default:
        return false;
    }
}

cudaError_t device_attribute(const Device *device, enum cudaDeviceAttr attr,
                             int *value)
{
    const GpuModel *model = device->model;
    struct cudaDeviceProp p;
    if ((int)attr < 1 || attr >= cudaDevAttrMax)
        return cudaErrorInvalidValue;
    device_properties(device, &p);
    if (texture_attribute(&p, attr, value) ||
        limit_attribute(model, &p, attr, value))
        return cudaSuccess;
    switch (attr) {
    case cudaDevAttrComputeCapabilityMajor:
        *value = model->cc_major;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = model->cc_minor;
        break;
    case cudaDevAttrKernelExecTimeout:
        *value = model->display_timeout;
        break;
    case cudaDevAttrIntegrated:
        *value = model->integrated;
        break;
    case cudaDevAttrEccEnabled:
        *value = model->ecc;
        break;
    case cudaDevAttrTccDriver:
        *value = model->tcc;
        break;
    case cudaDevAttrMemoryPoolsSupported:
        *value = model->has_pools;
        break;
    case cudaDevAttrPciBusId:
        *value = model->pci_bus;
        break;
    case cudaDevAttrPciDeviceId:
        *value = model->pci_device;
        break;
    case cudaDevAttrPciDomainId:
        *value = model->pci_domain;
        break;
    case cudaDevAttrGpuPciDeviceId:
        *value = (int)model->pci_id;
        break;
    case cudaDevAttrNumaId:
    case cudaDevAttrHostNumaId:
        *value = -1;
        break;
    default: // what no card here can do is 0
        *value = is_true(attr);
    }
    return cudaSuccess;
}
