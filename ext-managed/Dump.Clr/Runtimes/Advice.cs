namespace Dump.Clr.Runtimes;

/// <summary>Capture advice for .NET, on the system that the dump comes from: a data-access library runs nowhere else.</summary>
internal static class Advice
{
    public static string FullDump { get; } = OperatingSystem.IsWindows()
        ? "procdump -ma PID, or dotnet-dump collect -p PID --type Full"
        : "dotnet-dump collect -p PID --type Full, or createdump --full PID";
}
