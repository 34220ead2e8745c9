using Dump.Model.Text;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Lets one data-access library into a process, and no other, because none is ever unloaded: for a process that reads one dump after the other. For one dump at a
/// time.
/// </summary>
public sealed class LibraryGate
{
    // Of the file that was loaded, which stays loaded: another dump of the same runtime need not read it again.
    private string? _path;

    /// <summary>A gate through which one library may come.</summary>
    public LibraryGate()
    {
    }

    private LibraryGate(bool isClosed) => IsClosed = isClosed;

    /// <summary>True for a gate through which none may come.</summary>
    public bool IsClosed { get; }

    /// <summary>Hash of the file of the library that was loaded first (SHA-256, lower-case hexadecimal); empty while there is none.</summary>
    public string Loaded { get; private set; } = "";

    /// <summary>True when the dump that is read has used it.</summary>
    public bool IsUsed { get; private set; }

    /// <summary>True when it has failed on the dump that is read: what it answers next may be wrong.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>A gate through which none may come.</summary>
    public static LibraryGate Closed() => new(isClosed: true);

    /// <summary>A dump is about to be read.</summary>
    public void Begin() => (IsUsed, HasFailed) = (false, false);

    /// <summary>A library is about to be loaded.</summary>
    /// <param name="path">Its file.</param>
    /// <exception cref="OtherLibraryException">Another one was loaded before, or none may be.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public void Enter(string path)
    {
        if (IsClosed)
        {
            throw new OtherLibraryException("");
        }

        string hash = Loaded;
        if (path != _path)
        {
            using FileStream file = File.OpenRead(path);
            hash = Convert.ToHexStringLower(Sha256.HashData(file));
        }

        Loaded = Loaded.Length == 0 || Loaded == hash ? hash : throw new OtherLibraryException(hash);
        _path = path;
        IsUsed = true;
    }

    /// <summary>The dump needs no library: where one is loaded, it is not to be read here.</summary>
    /// <exception cref="OtherLibraryException">One was loaded before.</exception>
    public void PassBy()
    {
        if (Loaded.Length > 0)
        {
            throw new OtherLibraryException("");
        }
    }

    /// <summary>The library has failed.</summary>
    public void Fail() => HasFailed = true;
}

/// <summary>A dump is not to be read in this process: it needs another data-access library than the one that was loaded, one where none may be, or
/// none.</summary>
/// <param name="wanted">Hash of the file of the one that it needs; empty for none.</param>
public sealed class OtherLibraryException(string wanted) : Exception("this process has loaded the data-access library of another runtime")
{
    /// <summary>Hash of the file of the library that it needs (SHA-256, lower-case hexadecimal); empty for none.</summary>
    public string Wanted { get; } = wanted;
}
