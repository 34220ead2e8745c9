namespace Dump.Capture.Windows.Writing;

/// <summary>How writing a dump ended.</summary>
/// <param name="IsAvailable">False where the system has no such function.</param>
/// <param name="Error">The error (winerror.h, also as HRESULT); 0 when the dump is written.</param>
internal readonly record struct WriteAnswer(bool IsAvailable, int Error)
{
    /// <summary>The system has no such function.</summary>
    public static WriteAnswer NotAvailable { get; } = new(false, 0);

    /// <summary>The dump is written.</summary>
    public static WriteAnswer Written { get; } = new(true, 0);

    /// <summary>True when the dump is written.</summary>
    public bool IsWritten => IsAvailable && Error == 0;
}
