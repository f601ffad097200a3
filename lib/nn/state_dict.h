/* A module's tensors in a file that NumPy opens: an .npz of stored entries.
 *
 * source  NumPy, "NPY format"; PKWARE APPNOTE (stored entries only)
 */
#ifndef NN_STATE_DICT_H
#define NN_STATE_DICT_H

#include "nn/module.h" // defines: Module

/* Parameters, then buffers, in PyTorch's order and under its names. Written
 * beside the target and renamed: an interrupted save loses nothing.
 * errors  ERR_FILE, with the path and the system's words */
API Status module_save(const Module *module, const char *path);

/* Fill the module's tensors, where they are, from a file; all or nothing.
 * errors  ERR_FILE    damaged or compressed, in a sentence
 *         ERR_RUNTIME "Error(s) in loading state_dict for Linear:\n\tMissing
 *         key(s) in state_dict: "bias". …" */
API Status module_load(Module *module, const char *path);

/* The names in a state dict, one by one, as module_save would write them. */
API void module_each_state(const Module *module, ModuleVisit visit,
                           void *context);

#endif
