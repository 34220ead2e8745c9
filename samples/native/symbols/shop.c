/* shop: two threads that take two locks in opposite order, in a program whose PDB lies where it was built: debuggers name sell_goods and take_stock by it.
 *
 * The call for the second lock and what follows it are one statement: of a caller some debuggers show the line to which a call returns. */
#include "sample.h"

static CRITICAL_SECTION till;
static CRITICAL_SECTION shelf;
static HANDLE till_taken;
static HANDLE shelf_taken;

static __attribute__((noinline)) DWORD WINAPI sell_goods(void *unused)
{
    (void)unused;
    EnterCriticalSection(&till);
    SetEvent(till_taken);
    WaitForSingleObject(shelf_taken, INFINITE);
    return EnterCriticalSection(&shelf), 0;
}

static __attribute__((noinline)) DWORD WINAPI take_stock(void *unused)
{
    (void)unused;
    EnterCriticalSection(&shelf);
    SetEvent(shelf_taken);
    WaitForSingleObject(till_taken, INFINITE);
    return EnterCriticalSection(&till), 0;
}

int main(void)
{
    sample_begin();
    sample_this_thread("main");
    InitializeCriticalSection(&till);
    InitializeCriticalSection(&shelf);
    till_taken = sample_event();
    shelf_taken = sample_event();
    HANDLE seller = sample_thread("seller", sell_goods, NULL);
    sample_thread("counter", take_stock, NULL);
    sample_wait_for_waiters(&till, 1);
    sample_wait_for_waiters(&shelf, 1);
    sample_ready();
    WaitForSingleObject(seller, SAMPLE_LIFETIME_MILLISECONDS);
    return 0;
}
