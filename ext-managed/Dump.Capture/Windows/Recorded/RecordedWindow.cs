namespace Dump.Capture.Windows.Recorded;

/// <summary>What Windows answered of a window.</summary>
/// <param name="Window">Its handle.</param>
/// <param name="Thread">Id of the thread that owns it.</param>
/// <param name="IsHung">What IsHungAppWindow said.</param>
/// <param name="IsAnswered">Whether WM_NULL was answered in time.</param>
/// <param name="Milliseconds">How long that took.</param>
internal sealed record RecordedWindow(ulong Window, uint Thread, bool IsHung, bool IsAnswered, int Milliseconds);
