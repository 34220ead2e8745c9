/* The scenes of ui.exe. Each has a thread "ui" with a window and a message loop, brings it into the state that it is named after and returns; the program then reports "ready". */
#ifndef UI_SCENES_H
#define UI_SCENES_H

void ui_scene_idle(void);            /* twin: the loop waits for messages */
void ui_scene_modal(void);           /* twin: a handler runs a loop of its own, as a dialog does, and that one waits for messages */
void ui_scene_event(void);           /* a handler waits without end for an event that nobody sets */
void ui_scene_event_short(void);     /* twin: a handler waits for an event again and again, a quarter of a second each time */
void ui_scene_hung(void);            /* the same under a window that is shown, which Windows calls hung after 5 s */
void ui_scene_hung_pumping(void);    /* twin: a handler under a window that is shown computes without end, and takes messages every 50 ms */
void ui_scene_lock(void);            /* a handler wants a critical section whose owner sleeps without end */
void ui_scene_lock_slow_owner(void); /* near miss: the owner sleeps for 60 s */
void ui_scene_send(void);            /* a handler sends a message to the window of thread "second", whose handler waits without end */
void ui_scene_join(void);            /* a handler waits for the end of thread "worker", which sends a message to the handler's window */
void ui_scene_compute(void);         /* a handler computes without end */
void ui_scene_sleep(void);           /* a handler sleeps without end */
void ui_scene_message_wait(void);    /* a handler waits for an event or for messages that other threads send: no input reaches it */
void ui_scene_message_wait_loop(void); /* twin: a handler waits for an event or any message, and handles those */
void ui_scene_reentry(void);         /* a handler sends a message to "second", whose handler sends one back; that one, handled inside the first send, waits without end */
void ui_scene_cycle(void);           /* a handler and thread "worker" wait for each other's critical sections */
void ui_scene_none(void);            /* near miss: a thread calls user32 and waits for an event, but pumps no messages */

#endif
