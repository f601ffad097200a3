/* Words for lessons about modules: what is in one, and where. */
#ifndef LESSON_SHOW_MODULE_H
#define LESSON_SHOW_MODULE_H

#include "base/attributes.h" // defines: API
#include "nn/module.h"       // defines: Module

/* Print a module as PyTorch prints it; after a failure (NULL) that failure.
 * Both clear the failure they print. */
API void show_module(const Module *module);
/* Print its own buffers as PyTorch prints `_buffers`:
 * OrderedDict([('weight', tensor([1., 3.], device='cuda:0'))]) */
API void show_buffers(const Module *module);

#endif
