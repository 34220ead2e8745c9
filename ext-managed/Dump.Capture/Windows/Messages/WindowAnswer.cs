namespace Dump.Capture.Windows.Messages;

/// <summary>How a thread with a top-level window answered, asked at one window of it: all messages of a thread wait for the same loop.</summary>
/// <param name="Window">Handle of the window.</param>
/// <param name="Thread">Thread id.</param>
/// <param name="IsVisible">True when the window is shown; one that is was asked where there is one.</param>
/// <param name="Response">What became of the question.</param>
public sealed record WindowAnswer(ulong Window, uint Thread, bool IsVisible, WindowResponse Response);
