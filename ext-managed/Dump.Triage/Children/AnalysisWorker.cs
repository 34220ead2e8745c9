using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;

namespace Dump.Triage.Children;

/// <summary>
/// A process that analyses one dump after the other. Limits count for each dump; what comes up against one, or fails, ends the process. To be used on one thread,
/// which stays until it is disposed (<see cref="ParentBond"/>).
/// </summary>
internal sealed class AnalysisWorker : IDisposable
{
    /// <summary>Dumps after which it is replaced.</summary>
    public const int MostDumps = 200;

    /// <summary>The same, of one that has loaded a data-access library.</summary>
    public const int MostDumpsOfLibrary = 50;

    // What a worker that waits for its next dump may have of the memory that the limit allows for one; more is given back by its end.
    private const int KeptShare = 4;
    private const long LeastKept = 160L << 20;
    private const long MostKept = 384L << 20;
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private readonly Process _process;
    private readonly IProcessGroup _group;
    private readonly LastWords _errors;
    private readonly long _mostKept;

    /// <summary>Starts one.</summary>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its command line.</param>
    /// <param name="limits">The limits of each dump.</param>
    /// <param name="environment">Variables that it gets besides this process' own; null for none.</param>
    /// <exception cref="System.ComponentModel.Win32Exception">It could not be started.</exception>
    public AnalysisWorker(AnalysisProgram program, IEnumerable<string> arguments, ChildLimits limits, IReadOnlyDictionary<string, string>? environment = null)
    {
        _process = ChildProcess.Start(program, arguments, environment ?? new Dictionary<string, string>(), limits);
        _group = ChildProcess.Group(_process, limits);
        _errors = new LastWords(_process.StandardError.BaseStream);
        _mostKept = Math.Clamp(limits.Memory / KeptShare, LeastKept, MostKept);
    }

    /// <summary>Dumps that it has analysed.</summary>
    public int Served { get; private set; }

    /// <summary>Hash of the file of the data-access library that it has loaded; empty while it has none.</summary>
    public string Library { get; private set; } = "";

    /// <summary>Bytes of memory that it had after its last dump; what it may keep where that is unknown.</summary>
    public long Kept { get; private set; }

    /// <summary>True when it takes no further dump.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Analyses a dump.</summary>
    /// <param name="path">The dump.</param>
    /// <param name="limits">Its limits.</param>
    /// <param name="cancellation">Ends the worker.</param>
    /// <exception cref="OperationCanceledException">The run is to end.</exception>
    public WorkerAnswer Ask(string path, ChildLimits limits, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        var clock = Stopwatch.StartNew();
        WorkerReply reply = new(limits.OutputBytes);
        Task reading = Send(path) ? reply.ReadAsync(_process.StandardOutput.BaseStream) : Task.CompletedTask;
        (ChildEnd end, long? peak) = Watch(reading, limits, clock, cancellation);
        end = reply.IsTooLong ? ChildEnd.Output : end;
        bool isWhole = end == ChildEnd.Itself && reply.ExitCode is not null;
        int? exitCode = isWhole ? reply.ExitCode : null;
        if (!isWhole)
        {
            IsOver = true;
            exitCode = EndedBy(end, reading);
        }

        string text = reply.Errors + (IsOver ? _errors.Text : "");
        ReadOnlyMemory<byte> output = isWhole ? reply.Output : default;
        WorkerAnswer answer = new(
            new ChildResult(end, exitCode, output, CappedReader.LastLine(text), text, clock.Elapsed, peak),
            reply.IsTaken && (end != ChildEnd.Itself || exitCode is not null), isWhole ? Wanted(reply) : null)
        {
            HasLibraryFailed = (reply.LibraryFlags & AnswerPieces.FailedFlag) != 0,
        };
        Count(answer, reply);
        return answer;
    }

    /// <summary>Sees to it that it has ended, with all that it has started.</summary>
    /// <returns>Its exit code where it ended by itself; null when it was ended.</returns>
    private int? EndedBy(ChildEnd end, Task reading)
    {
        // It closes its output a moment before it is gone; one that stays and says what is no answer is ended.
        bool isGone = end == ChildEnd.Itself && _process.WaitForExit(s_patience);
        _group.End(isGone);
        _process.WaitForExit(s_patience);
        _ = Task.WaitAll([reading, _errors.Reading], s_patience);
        return isGone ? _process.ExitCode : null;
    }

    /// <summary>Ends it.</summary>
    public void Dispose()
    {
        _group.End(_process.HasExited);
        _process.WaitForExit(s_patience);
        _group.Dispose();
        _process.Dispose();
    }

    // A library that the dump was not read with may have damaged what it was read with: such an answer is none either.
    private string? Wanted(WorkerReply reply) =>
        (reply.LibraryFlags & AnswerPieces.RefusedFlag) != 0 ? reply.Library
        : Library.Length > 0 && (reply.LibraryFlags & AnswerPieces.UsedFlag) == 0 ? ""
        : null;

    private void Count(WorkerAnswer answer, WorkerReply reply)
    {
        if (IsOver)
        {
            return;
        }

        Served++;
        Library = answer.Wanted is null ? reply.Library : Library;
        Kept = _group.Memory() ?? _mostKept;
        IsOver = !answer.IsSound && answer.Wanted is null
            || (reply.LibraryFlags & AnswerPieces.FailedFlag) != 0
            || Served >= (Library.Length > 0 ? MostDumpsOfLibrary : MostDumps)
            || Kept > _mostKept;
    }

    private bool Send(string path)
    {
        // Without a symbol path, which it has from its own command line or environment, and without a process.
        string texts = $"\0\0{path}\0";
        byte[] question = new byte[sizeof(int) + Encoding.UTF8.GetByteCount(texts)];
        BinaryPrimitives.WriteInt32LittleEndian(question, question.Length - sizeof(int));
        Encoding.UTF8.GetBytes(texts, question.AsSpan(sizeof(int)));
        try
        {
            _process.StandardInput.BaseStream.Write(question);
            _process.StandardInput.BaseStream.Flush();
            return true;
        }
        catch (IOException)
        {
            // It has ended while it waited.
            return false;
        }
    }

    private (ChildEnd End, long? Peak) Watch(Task reading, ChildLimits limits, Stopwatch clock, CancellationToken cancellation)
    {
        // Windows tells the most that a process has ever had: what an earlier dump took is not this one's.
        long before = OperatingSystem.IsWindows() ? _group.Memory() ?? 0 : 0;
        long? peak = null;
        while (!reading.Wait(s_look, cancellation) && !_process.HasExited)
        {
            peak = _group.Memory() is { } now && now > before ? Math.Max(peak ?? 0, now) : peak;
            if (clock.Elapsed > limits.Time)
            {
                return (ChildEnd.Time, peak);
            }

            if (peak > limits.Memory)
            {
                return (ChildEnd.Memory, peak);
            }
        }

        // What it wrote before it ended is still on its way.
        reading.Wait(s_patience, cancellation);
        return (ChildEnd.Itself, peak);
    }
}

/// <summary>The answer of a worker, put together from its pieces, within limits whatever it sends.</summary>
/// <param name="most">Bytes of standard output that are kept.</param>
internal sealed class WorkerReply(int most)
{
    private const int KeptErrors = 4096;
    private const int MostLibrary = 256;
    private readonly MemoryStream _output = new();
    private readonly byte[] _errors = new byte[2 * AnswerPieces.MostBytes];
    private int _errorLength;

    /// <summary>True as soon as the worker has taken the question.</summary>
    public bool IsTaken { get; private set; }

    /// <summary>True when it wrote more than is kept.</summary>
    public bool IsTooLong { get; private set; }

    /// <summary>The exit code; null when the answer did not come to its end.</summary>
    public int? ExitCode { get; private set; }

    /// <summary>What it says of its data-access library: the flags of <see cref="AnswerPieces"/>.</summary>
    public byte LibraryFlags { get; private set; }

    /// <summary>Hash of the library's file; empty for none.</summary>
    public string Library { get; private set; } = "";

    /// <summary>What it wrote to standard output.</summary>
    public ReadOnlyMemory<byte> Output => _output.GetBuffer().AsMemory(0, (int)_output.Length);

    /// <summary>The last characters that it wrote to standard error.</summary>
    public string Errors => Encoding.UTF8.GetString(_errors, 0, _errorLength);

    /// <summary>Reads until the end of the answer, of the stream, or of what can be an answer.</summary>
    public async Task ReadAsync(Stream stream)
    {
        try
        {
            await ReadPiecesAsync(stream).ConfigureAwait(false);
        }
        catch (IOException)
        {
            // It has ended, or was ended.
        }
    }

    private async Task ReadPiecesAsync(Stream stream)
    {
        byte[] head = new byte[AnswerPieces.HeadSize], bytes = new byte[AnswerPieces.MostBytes];
        while (ExitCode is null && !IsTooLong)
        {
            if (await stream.ReadAtLeastAsync(head, head.Length, throwOnEndOfStream: false).ConfigureAwait(false) < head.Length
                || BinaryPrimitives.ReadUInt32LittleEndian(head.AsSpan(1)) is not (<= AnswerPieces.MostBytes and var length)
                || await stream.ReadAtLeastAsync(bytes.AsMemory(0, (int)length), (int)length, throwOnEndOfStream: false).ConfigureAwait(false) < length
                || !Take(head[0], bytes.AsSpan(0, (int)length)))
            {
                return;
            }
        }
    }

    private bool Take(byte kind, ReadOnlySpan<byte> bytes)
    {
        switch (kind)
        {
            case AnswerPieces.Output:
                IsTaken = true;
                IsTooLong = _output.Length + bytes.Length > most;
                _output.Write(IsTooLong ? [] : bytes);
                return true;
            case AnswerPieces.Errors:
                KeepErrors(bytes);
                return true;
            case AnswerPieces.Library when bytes.Length is > 0 and <= MostLibrary:
                (LibraryFlags, Library) = (bytes[0], Encoding.ASCII.GetString(bytes[1..]));
                return true;
            case AnswerPieces.End when bytes.Length == sizeof(int):
                ExitCode = BinaryPrimitives.ReadInt32LittleEndian(bytes);
                return true;
            default:
                return false;
        }
    }

    private void KeepErrors(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_errors.AsSpan(_errorLength));
        _errorLength += bytes.Length;
        if (_errorLength > KeptErrors)
        {
            _errors.AsSpan(_errorLength - KeptErrors, KeptErrors).CopyTo(_errors);
            _errorLength = KeptErrors;
        }
    }
}
