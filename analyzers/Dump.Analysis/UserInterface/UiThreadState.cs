namespace Dump.Analysis.UserInterface;

/// <summary>What a thread with a message loop is doing.</summary>
public enum UiThreadState
{
    /// <summary>It waits for messages in its loop: healthy.</summary>
    Idle,

    /// <summary>It waits for messages in a modal loop inside a handler (a dialog, a menu, a window being moved): healthy.</summary>
    Modal,

    /// <summary>It is inside a message handler, or in a wait in one that takes no input.</summary>
    Handling,
}
