namespace Dump.Clr.Runtimes;

/// <summary>Capture advice for .NET, on the system that the dump comes from: a data-access library runs nowhere else.</summary>
internal static class Advice
{
    /// <summary>For what more memory of the same moment does not show.</summary>
    public static string AnotherMoment { get; } = OperatingSystem.IsWindows()
        ? "a second dump some seconds later: procdump -ma PID" : "a second dump some seconds later: dotnet-dump collect -p PID";

    public static string FullDump { get; } = OperatingSystem.IsWindows()
        ? "procdump -ma PID, or dotnet-dump collect -p PID --type Full"
        : "dotnet-dump collect -p PID --type Full, or createdump --full PID";
}
