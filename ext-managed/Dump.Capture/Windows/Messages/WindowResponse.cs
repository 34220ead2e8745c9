namespace Dump.Capture.Windows.Messages;

/// <summary>What became of a question to a window.</summary>
public enum WindowResponse
{
    /// <summary>It cannot be told: this program may not ask it, or there was no time left.</summary>
    Unknown,

    /// <summary>It was answered.</summary>
    Answers,

    /// <summary>It was not answered in time, and Windows does not call the window hung (yet).</summary>
    Silent,

    /// <summary>Windows says that its thread has taken no message for 5 s.</summary>
    Hung,
}
