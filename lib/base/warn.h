/* Warnings: what PyTorch says as UserWarning. The one thing that the library
 * prints of itself, and only through here.
 */
#ifndef BASE_WARN_H
#define BASE_WARN_H

#include "base/attributes.h" // defines: API, PRINTF

/* "UserWarning: …" to the sink; by default a line on stderr. */
API void warn(const char *format, ...) PRINTF(1, 2);

/* Send this process's warnings elsewhere (text without "UserWarning: ");
 * NULL: stderr again. Returns the sink that was there. Threads that warn at
 * once call it at once. */
typedef void (*WarnSink)(const char *text);
API WarnSink warn_to(WarnSink sink);

#endif
