using Dump.Readers.Minidump;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Handles as the command <c>handles</c> prints them from Microsoft's debugger engine.</summary>
internal static class DebuggerHandles
{
    /// <summary>The lines behind that command, which must be the last.</summary>
    public static string[] Lines(string printed)
    {
        const string Command = "> handles\n";
        int start = printed.IndexOf(Command, StringComparison.Ordinal);
        Assert.True(start >= 0, "the handles were not printed");
        return printed[(start + Command.Length)..].Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>What must stand there for a handle that we have read.</summary>
    public static string Line(MinidumpHandle handle)
    {
        IEnumerable<string> records = handle.Information.OrderBy(i => i.Type).Select(i => $" {i.Type:x}:{Convert.ToHexString(i.Data.Span)}");
        return $"{handle.Value:x} {handle.TypeName} access {handle.GrantedAccess:x} handles {handle.HandleCount:x} pointers {handle.PointerCount:x} "
            + $"name {handle.ObjectName}{string.Concat(records)}";
    }
}
