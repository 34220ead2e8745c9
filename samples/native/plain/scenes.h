/* The scenes of hang.exe. Each brings its threads into the state that it is named after and returns; the program then reports "ready". */
#ifndef SCENES_H
#define SCENES_H

/* critical_sections.c */
void scene_cs_cycle2(void);  /* two threads, two critical sections, crossed */
void scene_cs_cycle3(void);  /* three threads in a ring */
void scene_cs_orphan(void);  /* the owner's thread ended while it held the section; two threads wait */
void scene_slow_owner(void); /* twin: the owner sleeps for 60 s, two threads wait */
void scene_diamond(void);    /* twin: two paths lead to one owner that sleeps; no path leads back */

/* resources.c */
void scene_resource_cycle(void);            /* two threads, two RTL_RESOURCEs held for writing, crossed */
void scene_resource_cycle_slow_owner(void); /* twin: the second thread sleeps with its resource instead of wanting the first's */
void scene_resource_cycle_readers(void);    /* near miss: it holds its resource for reading, which stores no owner, and sleeps */

/* head_blocker.c */
void scene_head_blocker(void);          /* an owner waits without end for an event that nobody sets, 5 threads wait for its critical section */
void scene_head_blocker_healthy(void);  /* twin: the owner's wait has a time limit, after which it releases the section */
void scene_head_blocker_few(void);      /* near miss: as head-blocker, but only 2 threads wait */
void scene_head_blocker_peb_lock(void); /* as head-blocker; the section is the PEB's, and the others ask for the current directory */

/* suspended.c */
void scene_suspended_owner(void);         /* the owner of a critical section is suspended while it computes, 3 threads wait for the section */
void scene_suspended_owner_healthy(void); /* twin: the suspended thread owns nothing; the owner sleeps */

/* spinning.c */
void scene_spin_owner(void); /* an owner computes without end, 20 threads wait for its critical section */
void scene_runaway(void);    /* one thread yields without end and holds nothing */

/* busy.c */
void scene_busy_clients(void);         /* healthy: 6 clients each hold a lock until a device thread replies, 25 times a second */
void scene_busy_clients_stopped(void); /* the device answers no more */
void scene_busy_readers(void);         /* healthy: an owner computes for 15 ms at a time, 14 readers are served in between */
void scene_busy_readers_stopped(void); /* the owner computes without end */
void scene_busy_pollers(void);         /* healthy: 4 workers poll with SwitchToThread under a lock for what another thread does every 10 ms */
void scene_busy_pollers_stopped(void); /* it does so no more */

void scene_busy_pollers_sleep(void);         /* healthy: they poll with Sleep(0) */
void scene_busy_pollers_sleep_stopped(void); /* the same, stopped */

/* pool_callbacks.c */
void scene_pool_callbacks(void);         /* an owner waits for two callbacks of the thread pool that want its lock */
void scene_pool_callbacks_healthy(void); /* twin: its callbacks sleep for 40 ms; those of another work object want the lock */

/* pipe_readers.c */
void scene_pipe_readers(void);         /* an owner reads a pipe under a lock for which 4 threads wait; nobody writes any more */
void scene_pipe_readers_healthy(void); /* twin: a byte comes every 40 ms */

/* address_waits.c */
void scene_srw_cycle(void);            /* two threads, two SRW locks, crossed; Windows stores no owner of them */
void scene_srw_cycle_slow_owner(void); /* twin: the second thread sleeps with its lock instead of wanting the first's */
void scene_address_waits(void);        /* twin: WaitOnAddress with and without a limit, a condition variable that nobody wakes */
void scene_init_once(void);            /* an initialiser (INIT_ONCE) wants a critical section whose owner waits for that initialisation */
void scene_init_once_self(void);       /* an initialiser that begins its own initialisation again */
void scene_init_once_slow(void);       /* twin: the initialiser sleeps, and another thread waits for it */
void scene_heap_lock(void);            /* the owner of a locked heap waits without end, 5 threads allocate from it */
void scene_heap_lock_healthy(void);    /* twin: the owner's wait has a time limit */

/* waiting.c */
void scene_timed_wait(void);  /* twin: two threads want each other's lock, but with time limits and retries */
void scene_idle(void);        /* twin: threads that wait for work in all usual ways */
void scene_mutex_cycle(void); /* two threads, two mutexes, crossed */

/* busy_joins.c */
void scene_join_section_healthy(void); /* twin of join-section: a section is held while a new thread does a short piece of work, over and over */

/* objects.c */
void scene_join_section(void);  /* a thread waits under a critical section for the end of a thread that needs the section */
void scene_join_section_alertable(void); /* the same by an alertable wait, which an asynchronous call may end */
void scene_wait_all(void);      /* the same; the wait is for all of 63 events, which are set, and that thread */
void scene_wait_any(void);      /* the same; the wait is for any one of three such threads */
void scene_wait_any_open(void); /* twin: the wait is for any one of two such threads and an event */
void scene_mutex_section(void); /* a mutex and a critical section, crossed */
void scene_self_join(void);     /* a thread waits for its own end */
void scene_process_wait(void);  /* twin: a thread waits for a child process, which sleeps */
void scene_outside(void);       /* twin: threads that wait for a pipe's bytes and for asynchronous calls */

/* The child of scene_process_wait: ends with its parent. */
void scene_child(unsigned long parent);

#endif
