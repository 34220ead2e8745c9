namespace Dump.Capture.Windows.Messages;

/// <summary>A top-level window of any process on this desktop.</summary>
/// <param name="Handle">Its handle.</param>
/// <param name="Process">Process id of its thread's process.</param>
/// <param name="Thread">Id of the thread that made it and has to take its messages.</param>
/// <param name="IsVisible">True when it is shown.</param>
internal readonly record struct TopLevelWindow(ulong Handle, int Process, uint Thread, bool IsVisible);
