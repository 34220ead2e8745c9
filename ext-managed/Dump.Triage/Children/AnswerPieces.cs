namespace Dump.Triage.Children;

/// <summary>
/// What answers of a process that stays are made of: pieces, each its kind as one byte, the number of its bytes as 32 bits, the bytes. The debugger extension has
/// the same (ext-native/src/engine/session_protocol.hpp), without <see cref="Library"/>.
/// </summary>
public static class AnswerPieces
{
    /// <summary>The command that makes this program a worker: questions on standard input, answers on standard output.</summary>
    public const string WorkerCommand = "worker";

    /// <summary>Bytes before those of a piece.</summary>
    public const int HeadSize = 5;

    /// <summary>Most bytes of a piece.</summary>
    public const int MostBytes = 1 << 16;

    /// <summary>Standard output; the first, empty one says that the question was taken.</summary>
    public const byte Output = 1;

    /// <summary>Standard error.</summary>
    public const byte Errors = 2;

    /// <summary>The end: the exit code as 32 bits.</summary>
    public const byte End = 3;

    /// <summary>A request for memory: the address as 64 bits, the number of bytes as 32.</summary>
    public const byte Memory = 4;

    /// <summary>What a worker says of its data-access library before the end: one byte of the flags below, and the hash of the library's file.</summary>
    public const byte Library = 5;

    /// <summary>A request for bytes of the description of a process: the offset as 64 bits, the number of bytes as 32.</summary>
    public const byte Description = 6;

    /// <summary>The dump is for another process: it needs another library, or none. The hash is that of the one it needs, empty for none.</summary>
    public const byte RefusedFlag = 1;

    /// <summary>The library has failed on the dump, and what it answers next may be wrong.</summary>
    public const byte FailedFlag = 2;

    /// <summary>The dump was read with the library.</summary>
    public const byte UsedFlag = 4;
}
