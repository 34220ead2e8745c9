namespace Dump.Analysis.Knowledge;

/// <summary>What part of the system a system call belongs to, by the beginning of its exported name.</summary>
internal static class SystemCallAreas
{
    // Names as win32u and ntdll export them. D3DKMT functions of the graphics kernel (d3dkmthk.h) are NtGdiDdDDI in win32u.
    private static readonly (string Prefix, string Words)[] s_areas =
    [
        ("NtGdiDdDDI", "the graphics driver"), ("NtGdi", "graphics"), ("NtUser", "the window manager"),
    ];

    private static readonly (string Part, string Words)[] s_objects =
    [
        ("Key", "the registry"), ("File", "files and devices"), ("Section", "mapped files"), ("Process", "processes"), ("Alpc", "calls to other processes"),
    ];

    /// <summary>The part in parentheses, for example <c> (the registry)</c>; empty when the name tells none.</summary>
    /// <param name="systemCall">Name of the system call.</param>
    public static string Phrase(string systemCall)
    {
        string? words = s_areas.FirstOrDefault(a => systemCall.StartsWith(a.Prefix, StringComparison.Ordinal)).Words
            ?? s_objects.FirstOrDefault(o => systemCall.Contains(o.Part, StringComparison.Ordinal)).Words;
        return words is null ? "" : $" ({words})";
    }
}
