/* Device strings: either a device that prints as it was written, or a
 * sentence and nothing changed. */
#include "base/status.h"   // defines: status_take, status_sentence
#include "device/device.h" // defines: device_parse, device_str
#include "fuzz.h"          // defines: MUST, text_of

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    char *text = text_of(data, n_bytes);
    const Device before = {DEVICE_CUDA, 41};
    Device device = before;
    if (device_parse(text, &device) == OK) {
        MUST(status_peek() == OK);
        MUST(device.index >= -1);
        MUST(strcmp(device_str(device).text, text) == 0);
    } else {
        MUST(device_equal(device, before));
        MUST(status_take() == ERR_RUNTIME);
        MUST(strlen(status_sentence()) > 0);
    }
    free(text);
    return 0;
}
