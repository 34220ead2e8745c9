namespace Dump.Clr.Runtimes;

/// <summary>Capture advice for .NET on Linux.</summary>
internal static class Advice
{
    public const string FullDump = "dotnet-dump collect -p PID --type Full, or createdump --full PID";
}
