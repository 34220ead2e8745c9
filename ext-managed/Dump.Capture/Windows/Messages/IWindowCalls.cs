namespace Dump.Capture.Windows.Messages;

/// <summary>What this program asks Windows of the windows of other programs.</summary>
internal interface IWindowCalls
{
    /// <summary>The top-level windows of this program's desktop, those of all processes; null when they cannot be listed.</summary>
    /// <param name="most">Most windows.</param>
    IReadOnlyList<TopLevelWindow>? TopLevelWindows(int most);

    /// <summary>True when Windows says that the window's thread has taken no message for 5 s and waits for none (IsHungAppWindow).</summary>
    /// <param name="window">Handle of the window.</param>
    bool IsHung(ulong window);

    /// <summary>
    /// Sends <c>WM_NULL</c>, which does nothing, and waits for the answer (SendMessageTimeout); not for a window that is hung (SMTO_ABORTIFHUNG), which gets
    /// nothing then.
    /// </summary>
    /// <param name="window">Handle of the window.</param>
    /// <param name="limit">For how long.</param>
    /// <returns>Null when it was answered; else the error (winerror.h), or 0 where Windows gives none.</returns>
    int? Ask(ulong window, TimeSpan limit);
}
