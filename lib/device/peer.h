/* Peer access: whether bytes go straight from one GPU to another. Only
 * storage.c asks. */
#ifndef DEVICE_PEER_H
#define DEVICE_PEER_H

#include "base/status.h" // defines: Status

/* Let GPU `from` write into what the library holds on GPU `to`, if the two
 * can; if not, copies between them pass through the host. Opened once a pair
 * and direction, by whichever thread comes first, and never closed.
 *
 * errors  ERR_CUDA; nothing is opened, the next copy tries again
 * source  CUDA Runtime API, Peer Device Memory Access and Stream Ordered
 *         Memory Allocator; PyTorch 1.13, get_p2p_access */
Status peer_open(int from, int to);

#endif
