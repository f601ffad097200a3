/* What every lesson's main() shares.
 *
 * Everything printed goes through show and say, to stdout, line by line.
 */
#ifndef LESSON_LESSON_H
#define LESSON_LESSON_H

#include "base/attributes.h" // defines: API, PRINTF
#include "device/device.h"   // defines: Device
#include "tensor/tensor.h"   // defines: Tensor

/* Opens the lesson's outermost scope. */
API void lesson_begin(const char *name);
/* Closes it. Returns main's exit code: 0, or 1 with a sentence on stderr when a
 * failure was never read. */
API int lesson_end(void);

/* Print a tensor as PyTorch prints it. After a failure (NULL): prints that
 * failure as Python would, "RuntimeError: …", and clears it. */
API void show(const Tensor *x);
/* Print a device's repr: device(type='cuda', index=7). */
API void show_device(Device device);
/* Print a size: torch.Size([2, 3]). */
API void show_size(Shape shape);
/* Print a formatted line; the newline is added. */
API void say(const char *format, ...) PRINTF(1, 2);
/* Print the pending failure, "TypeError: …", and clear it. Without one it says
 * "no error". Returns whether there was one. */
API bool show_failure(void);

/* "True" or "False", as Python prints them. Live forever. */
API const char *py_bool(bool value);

/* Stop with exit code 77 and a sentence unless this many GPUs are visible. */
API void need_devices(int n);

#endif
