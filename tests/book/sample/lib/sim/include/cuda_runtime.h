cudaError_t cudaMalloc(void **p, size_t n);
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, int kind);
