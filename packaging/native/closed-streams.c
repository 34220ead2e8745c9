/*
 * A standard stream that is closed when the program starts stays one that cannot be used: else the next file that is opened gets its number, and what is
 * written for the reader of standard output goes into that.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void keep_closed(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
            /* The lowest number that is free is this one; reading it, or writing to it, is refused as before. */
            (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}
