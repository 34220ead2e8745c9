namespace Dump.Clr.Waits;

/// <summary>A method of the class library in which threads block.</summary>
/// <param name="Type">Full type name.</param>
/// <param name="Method">Method name.</param>
/// <param name="Kind">What it waits for.</param>
/// <param name="EndsByItself">True when a caller can give the method a time limit, itself or in another overload; false when it waits without end.</param>
internal sealed record ManagedWaitFunction(string Type, string Method, ManagedWaitKind Kind, bool EndsByItself = false)
{
    // As the data-access library spells them: "System.Threading.Monitor.Wait(System.Object, Int32)". A token may be one that cancels after a time.
    private static readonly string[] s_limits = ["Int32", "TimeSpan", "CancellationToken"];

    /// <summary>
    /// True when a call of the method has no time limit, by the method's nature or because the parameters of this overload leave no room for one.
    /// </summary>
    /// <param name="signature">Signature of the overload, or null when it cannot be read: then a limit is possible.</param>
    public bool HasNoTimeLimit(string? signature)
    {
        int parameters = signature?.IndexOf('(', StringComparison.Ordinal) ?? -1;
        return !EndsByItself || (parameters >= 0 && !s_limits.Any(l => signature!.IndexOf(l, parameters, StringComparison.Ordinal) >= 0));
    }
}
