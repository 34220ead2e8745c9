/* process-exit: the process exits, the system has ended all threads but one, and that one waits in DllMain(DLL_PROCESS_DETACH) for what an ended one would have done.
 *
 * Options: --lock    it waits for an SRW lock that the ended thread holds, instead of for an event
 *          --limited twin: the wait has a time limit */
#include "exitplug.h"
#include "sample.h"

int main(int count, char **arguments)
{
    sample_begin();
    sample_this_thread("main");
    enum exitplug_wait wait = sample_option(count, arguments, "--lock") ? EXITPLUG_LOCK
        : sample_option(count, arguments, "--limited") ? EXITPLUG_LIMITED : EXITPLUG_EVENT;
    if (exitplug_start(wait) == 0)
        sample_fail("exitplug_start");
    ExitProcess(0);
}
