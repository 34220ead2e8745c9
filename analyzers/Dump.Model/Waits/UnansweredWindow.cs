namespace Dump.Model.Waits;

/// <summary>
/// A top-level window of a thread of a living process that did not answer when the system was asked, just before the process' memory was taken.
/// </summary>
/// <param name="Window">Handle of the window; its upper 32 bits are 0.</param>
/// <param name="IsVisible">True when it is shown: hidden windows belong to threads too that never mean to take messages.</param>
/// <param name="IsHung">True when Windows says that the thread has taken no message for 5 s (Microsoft Learn, "IsHungAppWindow function").</param>
/// <param name="Limit">For how long an answer to <c>WM_NULL</c> was waited for; less where Windows called the window hung.</param>
public sealed record UnansweredWindow(ulong Window, bool IsVisible, bool IsHung, TimeSpan Limit);
