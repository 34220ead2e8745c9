namespace Dump.Clr.Awaits;

/// <summary>Whose an async method is, by its name: that of its module is not on the heap.</summary>
internal static class MethodOrigins
{
    /// <summary>True for a method that is none of the platform's.</summary>
    /// <param name="method">Its full name.</param>
    public static bool IsOfProgram(string method) =>
        !method.StartsWith("System.", StringComparison.Ordinal) && !method.StartsWith("Microsoft.", StringComparison.Ordinal);
}
