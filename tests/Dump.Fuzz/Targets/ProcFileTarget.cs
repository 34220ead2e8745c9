using System.Text;
using Dump.Capture.Proc;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;

namespace Dump.Fuzz.Targets;

/// <summary>
/// Files of <c>/proc</c>, in which processes choose some of the text: names of threads, paths of what they map and open. Each reader takes each input.
/// </summary>
internal sealed class ProcFileTarget() : FuzzTarget("proc", "files of /proc that tell of living processes")
{
    private const int MostMappings = 1000;
    private const long MostBytes = 1L << 20;
    private const long BytesOfByte = 512;
    private readonly Sample[] _samples =
    [
        Text("maps", "7f0000000000-7f0000001000 r-xp 00000000 08:01 1234                       /usr/lib/libc.so.6\n"
            + "7f0000001000-7f0000002000 rw-s 00001000 00:05 77 /dev/shm/a b (deleted)\n7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0 [stack]\n"),
        Text("stat", "4711 (a) (b) c) S 1 4711 4711 0 -1 4194304 100 0 0 0 12 34 0 0 20 0 7 0 123456 1000000 250 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0\n"),
        Text("syscall", "202 0x7f0000000000 0x80 0x2 0x0 0x0 0xffffffff 0x7ffe00000100 0x7f0000000020\n"),
        Text("running", "running\n-1 0x7ffe00000100 0x7f0000000020\n"),
        Text("status", "Name:\tshop\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4711\nPid:\t4711\nPPid:\t1\nTracerPid:\t12\nUid:\t1000\t1000\t1000\t1000\n"
            + "NStgid:\t4711\t1\nNSpid:\t4711\t7\nCapEff:\t000001ffffffffff\nSeccomp:\t2\nThreads:\t7\n"),
        Text("locks", "1: POSIX  ADVISORY  WRITE 4711 08:01:1234 0 EOF\n1: -> FLOCK  ADVISORY  READ -1 08:01:1234 128 255\n2: OFDLCK ADVISORY WRITE -1 00:21:7 0 0\n"),
        Text("fdinfo", "pos:\t0\nflags:\t0100002\nmnt_id:\t25\nino:\t1234\nlock:\t1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF\n"),
        Text("mountinfo", "25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n36 25 0:32 / /proc rw - proc proc rw\n"),
    ];

    /// <inheritdoc/>
    public override byte[] Input(Random random)
    {
        byte[] input = ByteMutator.Damage(_samples, random);

        // Numbers of text, which the other damage rarely leaves whole.
        for (int i = random.Next(6); i > 0 && input.Length > 0; i--)
        {
            int at = random.Next(input.Length);
            if (char.IsAsciiHexDigit((char)input[at]))
            {
                input[at] = random.GetItems("0123456789abcdef- :"u8, 1)[0];
            }
        }

        return input;
    }

    /// <inheritdoc/>
    public override long MostAllocated(int length) => MostBytes + BytesOfByte * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        string text = Encoding.UTF8.GetString(input);
        IReadOnlyList<MemoryMapping> mappings = MemoryMapping.Parse(text, MostMappings);
        foreach (MemoryMapping mapping in mappings)
        {
            Oracle.IsHarmless(mapping.Path);
            Oracle.Holds(mapping.Start < mapping.End, "a mapping ends before it begins");
            _ = mapping.MayChange | mapping.IsOrdinaryMemory;
        }

        TaskStat? stat = TaskStat.Parse(text);
        Oracle.IsHarmless(stat?.Name);
        Oracle.Holds(stat is null || stat.Total >= TimeSpan.Zero, "a thread has used less than no processor time");
        TaskSystemCall? call = TaskSystemCall.Parse(text.Split('\n')[0]);
        FileLockLine[] locks = FileLockLine.Parse(text);
        Oracle.Holds(locks.All(l => l.First >= 0 && l.Last >= 0), "a lock begins before its file");
        string? file = FileLocks.FileOf(text, text);
        _ = ProcTaskStatus.Parse(text);
        return $"{mappings.Count} {stat is not null} {stat?.Threads} {call?.Arguments.Length} {locks.Length} {file is not null}";
    }

    private static Sample Text(string name, string text) => Sample.Of(name, Encoding.UTF8.GetBytes(text));
}
