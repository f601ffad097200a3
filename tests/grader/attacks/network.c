/* Call somebody outside. */

#include <netinet/in.h>

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    struct sockaddr_in to = {.sin_family = AF_INET};
    to.sin_port = (uint16_t)(AT_PORT >> 8 | AT_PORT << 8);
    to.sin_addr.s_addr = 0x0100007f; // 127.0.0.1
    long fd = raw(SYS_socket, AF_INET, SOCK_STREAM, 0, 0);
    if (raw(SYS_connect, fd, (long)&to, sizeof to, 0) == 0)
        raw_say("CALLED OUT\n");
    return -1;
}
