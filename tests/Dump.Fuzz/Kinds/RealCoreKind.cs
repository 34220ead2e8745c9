using System.Runtime.Versioning;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Shipped;
using Dump.Readers.ElfCore;
using Dump.Testing.Lab;

namespace Dump.Fuzz.Kinds;

/// <summary>
/// The core of a real native process, made once at the start by gcore, and its program and C library beside it: each may be damaged. Other processes have other
/// addresses, so that the same seed damages the same places, not the same bytes.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class RealCoreKind : ProgramKind, IDisposable
{
    private const int MostImage = 4 << 20;
    private readonly ScratchFile _scratch = new();
    private readonly Sample _core;
    private readonly (string Path, Sample Sample)[] _images;

    /// <summary>Makes the core.</summary>
    /// <exception cref="InvalidOperationException">There is no gcore, or no compiler.</exception>
    public RealCoreKind()
        : base("core-real", together: 1)
    {
        if (NativeLinuxLab.Unavailable is { } reason)
        {
            throw new InvalidOperationException(reason);
        }

        string path = NativeLinuxLab.CoreByDebugger("mutex-cycle2", _scratch.At(""));
        _core = Sample.Of("core", File.ReadAllBytes(path));
        using ElfCoreFile core = ElfCoreFile.Open(path);
        _images = [.. core.MappedFiles.Select(f => f.Path).Distinct().Where(p => new FileInfo(p) is { Exists: true, Length: < MostImage })
            .Select(p => (p.TrimStart('/'), Sample.Of(p, File.ReadAllBytes(p))))];
    }

    /// <inheritdoc/>
    public override ProgramInput Make(Random random, long number) =>
        new(random.Next(3) == 0 ? _core.Bytes : ByteMutator.Damage([_core], random), IsCore: true)
        {
            Images = [.. _images.Where(_ => random.Next(3) == 0).Select(i => (i.Path, ByteMutator.Damage([i.Sample], random)))],
        };

    public void Dispose() => _scratch.Dispose();
}
