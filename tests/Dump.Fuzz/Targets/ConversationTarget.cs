using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Dump.Capture.Windows.Holding;
using Dump.Cli.Running;
using Dump.Cli.Sessions;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Readers;
using Dump.Triage.Children;

namespace Dump.Fuzz.Targets;

/// <summary>
/// What processes of this program say to each other: questions and memory from a debugger, answers of a worker, words of the process that holds another one. The
/// first byte of an input says which.
/// </summary>
internal sealed class ConversationTarget() : FuzzTarget("conversation", "what a debugger, a worker and a holder of a process send")
{
    private const int Kinds = 4;
    private const int MostOutput = 1 << 20;

    // A question and a piece of memory may have 1 MiB each, whose buffers are there before the bytes come; buffers of a worker's answer.
    private const long MostBytes = 16L << 20;
    private const long BytesOfByte = 512;
    private readonly Sample[] _samples =
    [
        Sample.Of("questions", [0, .. Question("srv*", "", "threads", "a.dmp"), .. Question("", "C:\\p.dmp", "C:\\p.dmp", "--brief"), .. Question("", "", "x")]),
        Sample.Of("memory", [1, .. Memory(4096), .. Memory(100), .. Memory(0), .. Memory(4096)]),
        Sample.Of("answer", [2, .. Piece(AnswerPieces.Output, []), .. Piece(AnswerPieces.Output, "{\"schema\":1}"u8), .. Piece(AnswerPieces.Errors, "why"u8),
            .. Piece(AnswerPieces.Library, [AnswerPieces.UsedFlag, .. "0123456789abcdef"u8]), .. Piece(AnswerPieces.End, BitConverter.GetBytes(10))]),
        Sample.Of("holder", [3, .. "ready\nthread 4712 0\nthread 4713 2\nstopped\ngone\n"u8]),
    ];

    /// <inheritdoc/>
    public override byte[] Input(Random random)
    {
        // Damage does not choose who speaks.
        Sample sample = _samples[random.Next(Kinds)];
        byte[] input = ByteMutator.Damage(random.Next(8) == 0 ? _samples : [sample], random);
        if (input.Length > 0)
        {
            input[0] = sample.Bytes[0];
        }

        return input;
    }

    /// <inheritdoc/>
    public override long MostAllocated(int length) => MostBytes + BytesOfByte * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input) => input.Length == 0 ? "empty" : (input[0] % Kinds) switch
    {
        0 => Questions(input.AsMemory(1)),
        1 => AskedFor(input[1..]),
        2 => Answers(input[1..]),
        _ => Held(Encoding.UTF8.GetString(input, 1, input.Length - 1)),
    };

    private static string Questions(ReadOnlyMemory<byte> input)
    {
        using MemoryStream stream = new(input.ToArray());
        StringBuilder outcome = new("questions");
        try
        {
            while (SessionQuestion.ReadAsync(stream, CancellationToken.None).GetAwaiter().GetResult() is { } question)
            {
                Oracle.Holds(question.Arguments.All(a => !a.Contains('\0', StringComparison.Ordinal)), "an argument has a zero in it");
                outcome.Append(CultureInfo.InvariantCulture, $" {question.Arguments.Length}{(question.Process.Length > 0 ? "d" : "")}");
            }

            return outcome.ToString();
        }
        catch (InvalidDataException error)
        {
            return $"{outcome}: {Oracle.IsSentence(error.Message)}";
        }
    }

    private static string AskedFor(byte[] input)
    {
        using MemoryStream stream = new(input);
        int asked = 0, reads = 0;
        AskedProcess memory = new((_, _, length) => asked += length, stream);
        byte[] wanted = new byte[8192];
        StringBuilder outcome = new("memory");
        for (ulong address = 0x1000; address < 0x9000; address += 0x1800)
        {
            reads++;
            try
            {
                int count = memory.Read(address, wanted);
                Oracle.Holds(count is >= 0 and <= 8192 && memory.Failure is null, "more came than was asked for, or something after a failure");
                outcome.Append(CultureInfo.InvariantCulture, $" {count}");
            }
            catch (InvalidDumpException error)
            {
                Oracle.Holds(memory.Failure is not null, "an error is not kept");
                outcome.Append(CultureInfo.InvariantCulture, $" {Oracle.IsSentence(error.Message)}");
            }
        }

        Oracle.Holds(asked <= reads * wanted.Length, "more was asked for than wanted");
        return outcome.ToString();
    }

    private static string Answers(byte[] input)
    {
        using MemoryStream stream = new(input);
        WorkerReply reply = new(MostOutput);
        reply.ReadAsync(stream).GetAwaiter().GetResult();
        Oracle.Holds(reply.Output.Length <= MostOutput, "more output is kept than is allowed");
        return string.Create(CultureInfo.InvariantCulture,
            $"answer {reply.IsTaken} {reply.IsTooLong} {reply.ExitCode is not null} {reply.Output.Length} {reply.Errors.Length} {reply.LibraryFlags} {reply.Library.Length}");
    }

    private static string Held(string text)
    {
        HolderReport report = new();
        foreach (string line in text.Split('\n'))
        {
            report.Hear(line);
            Oracle.Holds(report.Counts.Values.All(c => c >= 0), "a thread is said to have been suspended less than never");
            Oracle.Holds(!report.HasEnded || !report.IsHeld, "threads are held that were let go");
        }

        return $"holder {report.Counts.Count} {report.IsHeld} {report.HasAnswered} {report.HasStopped}";
    }

    private static byte[] Question(params string[] texts)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(string.Concat(texts.Select(t => t + '\0')));
        return [.. BitConverter.GetBytes(bytes.Length), .. bytes];
    }

    private static byte[] Memory(int length) => [.. BitConverter.GetBytes(length), .. new byte[length]];

    private static byte[] Piece(byte kind, ReadOnlySpan<byte> bytes)
    {
        byte[] head = new byte[AnswerPieces.HeadSize];
        head[0] = kind;
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(1), bytes.Length);
        return [.. head, .. bytes];
    }
}
