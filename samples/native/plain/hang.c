/* hang SCENE [OPTION]: a process that hangs, or only seems to, in one of the ways listed in scenes.h. */
#include "sample.h"
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *option; /* empty for none */
    void (*play)(void);
} scenes[] = {
    { "cs-cycle2", "", scene_cs_cycle2 },
    { "cs-cycle3", "", scene_cs_cycle3 },
    { "cs-orphan", "", scene_cs_orphan },
    { "slow-owner", "", scene_slow_owner },
    { "diamond", "", scene_diamond },
    { "resource-cycle", "", scene_resource_cycle },
    { "resource-cycle", "--slow-owner", scene_resource_cycle_slow_owner },
    { "resource-cycle", "--readers", scene_resource_cycle_readers },
    { "head-blocker", "", scene_head_blocker },
    { "head-blocker", "--healthy", scene_head_blocker_healthy },
    { "head-blocker", "--few", scene_head_blocker_few },
    { "head-blocker", "--peb-lock", scene_head_blocker_peb_lock },
    { "suspended-owner", "", scene_suspended_owner },
    { "suspended-owner", "--healthy", scene_suspended_owner_healthy },
    { "spin-owner", "", scene_spin_owner },
    { "runaway", "", scene_runaway },
    { "busy-clients", "", scene_busy_clients },
    { "busy-clients", "--stopped", scene_busy_clients_stopped },
    { "busy-readers", "", scene_busy_readers },
    { "busy-readers", "--stopped", scene_busy_readers_stopped },
    { "busy-pollers", "", scene_busy_pollers },
    { "busy-pollers", "--stopped", scene_busy_pollers_stopped },
    { "busy-pollers", "--sleep", scene_busy_pollers_sleep },
    { "busy-pollers", "--sleep-stopped", scene_busy_pollers_sleep_stopped },
    { "pool-callbacks", "", scene_pool_callbacks },
    { "pool-callbacks", "--healthy", scene_pool_callbacks_healthy },
    { "pipe-readers", "", scene_pipe_readers },
    { "pipe-readers", "--healthy", scene_pipe_readers_healthy },
    { "timed-wait", "", scene_timed_wait },
    { "idle", "", scene_idle },
    { "mutex-cycle", "", scene_mutex_cycle },
    { "srw-cycle", "", scene_srw_cycle },
    { "srw-cycle", "--slow-owner", scene_srw_cycle_slow_owner },
    { "address-waits", "", scene_address_waits },
    { "init-once", "", scene_init_once },
    { "init-once", "--self", scene_init_once_self },
    { "init-once", "--slow", scene_init_once_slow },
    { "heap-lock", "", scene_heap_lock },
    { "heap-lock", "--healthy", scene_heap_lock_healthy },
    { "mutex-section", "", scene_mutex_section },
    { "join-section", "", scene_join_section },
    { "join-section", "--healthy", scene_join_section_healthy },
    { "join-section", "--alertable", scene_join_section_alertable },
    { "wait-all", "", scene_wait_all },
    { "wait-any", "", scene_wait_any },
    { "wait-any", "--open", scene_wait_any_open },
    { "self-join", "", scene_self_join },
    { "process-wait", "", scene_process_wait },
    { "outside", "", scene_outside },
};

int main(int count, char **arguments)
{
    const char *option = count == 3 ? arguments[2] : "";
    if (count == 3 && strcmp(arguments[1], "child") == 0)
        scene_child(strtoul(arguments[2], NULL, 10));
    for (size_t i = 0; (count == 2 || count == 3) && i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        if (strcmp(arguments[1], scenes[i].name) != 0 || strcmp(option, scenes[i].option) != 0)
            continue;
        sample_begin();
        sample_this_thread("main");
        scenes[i].play();
        sample_ready();
    }
    printf("failed: no such scene or option\n");
    return 2;
}
