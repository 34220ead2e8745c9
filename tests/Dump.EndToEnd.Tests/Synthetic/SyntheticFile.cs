using Dump.Testing.Lab;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>A synthetic minidump as a file, for programs that open files; removed with the object.</summary>
internal sealed class SyntheticFile : IDisposable
{
    /// <summary>Writes it.</summary>
    public SyntheticFile(FakeProcess process)
        : this(process.ToMinidump())
    {
    }

    /// <summary>Writes a dump that is given as its bytes.</summary>
    public SyntheticFile(byte[] dump) => File.WriteAllBytes(FilePath, dump);

    /// <summary>Its path.</summary>
    public string FilePath { get; } = Path.Combine(Path.GetTempPath(), $"synthetic-{Guid.NewGuid():N}.dmp");

    /// <summary>What Microsoft's debugger engine prints for the commands. Skips the test where there is none.</summary>
    public string Debugger(params string[] commands)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        return WineLab.Shared.RunDebugger(FilePath, commands).ReplaceLineEndings("\n");
    }

    /// <inheritdoc/>
    public void Dispose() => File.Delete(FilePath);
}
