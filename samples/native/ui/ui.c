/* ui-SCENE [OPTION]: a process with a window whose thread hangs, or only seems to, in one of the ways listed in ui_scenes.h. The scene's name is the first argument. */
#include "sample.h"
#include "ui_scenes.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    const char *option; /* empty for none */
    void (*play)(void);
} scenes[] = {
    { "ui-idle", "", ui_scene_idle },
    { "ui-modal", "", ui_scene_modal },
    { "ui-event", "", ui_scene_event },
    { "ui-event", "--short", ui_scene_event_short },
    { "ui-hung", "", ui_scene_hung },
    { "ui-hung", "--pumping", ui_scene_hung_pumping },
    { "ui-lock", "", ui_scene_lock },
    { "ui-lock", "--slow-owner", ui_scene_lock_slow_owner },
    { "ui-send", "", ui_scene_send },
    { "ui-join", "", ui_scene_join },
    { "ui-compute", "", ui_scene_compute },
    { "ui-sleep", "", ui_scene_sleep },
    { "ui-message-wait", "", ui_scene_message_wait },
    { "ui-message-wait", "--any-message", ui_scene_message_wait_loop },
    { "ui-reentry", "", ui_scene_reentry },
    { "ui-cycle", "", ui_scene_cycle },
    { "ui-none", "", ui_scene_none },
};

int main(int count, char **arguments)
{
    const char *option = count == 3 ? arguments[2] : "";
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
