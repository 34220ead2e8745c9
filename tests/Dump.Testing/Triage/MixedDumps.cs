using System.Globalization;
using System.Text;
using Dump.Testing.Fixtures;
using Dump.Testing.Renaming;
using Dump.Testing.Synthetic;

namespace Dump.Testing.Triage;

/// <summary>
/// The table of a mixed folder, written by hand: real hangs and made ones, crashes, healthy programs, dumps that cannot answer, and what is no dump.
/// </summary>
public static class MixedDumps
{
    private const int Confirmed = 10, Likely = 11, Suspected = 12, Undecidable = 13, Crashed = 14;
    private const uint AccessViolation = 0xC0000005, StackOverflow = 0xC00000FD, FastFail = 0xC0000409;
    private const uint Breakpoint = 0x80000003, DumpWithoutCrash = 0x0517A7ED;
    private const string Place = "place < dispatch", Cancel = "cancel < dispatch", Refund = "refund < dispatch", Parse = "parse < read_file";
    private static readonly DateTime s_firstCapture = new(2026, 1, 5, 8, 0, 0, DateTimeKind.Utc);

    /// <summary>The table. Together the many are 200 files, the few 20.</summary>
    public static IReadOnlyList<MixedDump> All { get; } =
    [
        // A cycle has no first thread; who else crashes or stops the process is another matter; an ARM64 process hangs at the same place.
        Hang("place and cancel", "DUMP1002", Confirmed, 1, 8, n => Orders(n).Cycle(Place, Cancel)),
        Hang("place and cancel", "DUMP1002", Confirmed, 0, 4, n => Orders(n).Cycle(Cancel, Place)),
        Hang("place and cancel", "DUMP1002", Confirmed, 1, 4, n => Orders(n).Cycle(Place, Cancel).Raise(AccessViolation, Parse, 0, 0x18)),
        Hang("place and cancel", "DUMP1002", Confirmed, 0, 4, n => Orders(n).Cycle(Place, Cancel).Ask(Breakpoint)),
        Hang("place and cancel", "DUMP1002", Likely, 1, 4, n => new VariedProgram(n, "orders", isArm64: true).Cycle(Place, Cancel)),
        Hang("place and cancel", "DUMP1002", Confirmed, 1, 3, n => Orders(n).Cycle(Cancel, Place)) with { IsZipped = true },
        Hang("place and refund", "DUMP1002", Confirmed, 1, 8, n => Orders(n).Cycle(Place, Refund)),
        Hang("place and cancel of billing", "DUMP1002", Confirmed, 1, 8, n => new VariedProgram(n, "billing").Cycle(Place, Cancel)),
        Hang("ring of three", "DUMP1002", Confirmed, 0, 6, n => Orders(n).Cycle(Place, Cancel, Refund)),
        Hang("ring of three, the other way", "DUMP1002", Confirmed, 0, 6, n => Orders(n).Cycle(Place, Refund, Cancel)),
        Hang("place behind an owner that has ended", "DUMP1003", Confirmed, 1, 6, n => Orders(n).Orphan(Place)),
        Hang("refund behind an owner that has ended", "DUMP1003", Confirmed, 0, 6, n => Orders(n).Orphan(Refund)),
        Hang("behind an owner that waits in export", "DUMP1005", Suspected, 1, 8, n => Orders(n).Blocked("export < dispatch", Place)),

        Crash("parse reads what is not there", 2, 10, n => Orders(n).Raise(AccessViolation, Parse, 0, (ulong)n * 8)),
        Crash("parse, called by another function", 0, 6, n => Orders(n).Raise(AccessViolation, "parse < read_message", 0, 0x18)),
        Crash("price reads what is not there", 1, 8, n => Orders(n).Raise(AccessViolation, "price < read_file", 0, 0x18)),
        Crash("parse of billing reads what is not there", 0, 6, n => new VariedProgram(n, "billing").Raise(AccessViolation, Parse, 0, 0x18)),
        Crash("parse calls itself", 0, 6, n => Orders(n).Raise(StackOverflow, Parse)),
        Crash("parse ends the process", 1, 6, n => Orders(n).Raise(FastFail, Parse, 7)),
        Crash("parse ends the process for a list", 0, 6, n => Orders(n).Raise(FastFail, Parse, 3)),

        Silent(0, 0, 6, n => Orders(n).ToMinidump()),
        Silent(0, 1, 4, n => Orders(n).Ask(DumpWithoutCrash).ToMinidump()),
        Silent(Undecidable, 1, 6, n => Orders(n).Blocked("export < dispatch", Place, sleeps: true).ToMinidump()),

        .. Real("two sections of hang.exe", "DUMP1002", Confirmed, 0, "cs-cycle2", "cs-cycle2-torn"),
        .. Real("three sections of hang.exe", "DUMP1002", Confirmed, 0, "cs-cycle3"),
        .. Real("owner of hang.exe that has ended", "DUMP1003", Confirmed, 0, "cs-orphan"),
        .. Real("mathplug at a thread's end", "DUMP1001", Likely, 1, "loader-exit", "loader-exit-victims"),
        .. Real("auditplug at a thread's start", "DUMP1001", Confirmed, 0, "loader-attach"),
        .. Real("joinplug waits for a thread", "DUMP1004", Likely, 0, "loader-join"),
        .. Real("hang.exe polls", "DUMP2002", Likely, 0, "runaway", "runaway-torn"),
        .. Real("owner of hang.exe that computes", "DUMP2001", Suspected, 0, "spin-owner"),
        .. Real("owner of hang.exe that waits", "DUMP1005", Suspected, 0, "head-blocker"),
        .. Real(null, null, 0, 0, "loader-exit-healthy", "timed-wait"),
        .. Real(null, null, Undecidable, 0, "loader-exit-stacks-only", "head-blocker-healthy", "slow-owner", "diamond"),

        Bad(1, 1, _ => []),
        Bad(0, 4, n => Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"<html>404, {n}</html>\n"))),
        Bad(1, 8, n => DamagedDump.Damage(Variant("cs-cycle2", n), n)),
    ];

    private static VariedProgram Orders(int number) => new(number, "orders");

    private static MixedDump Hang(string bucket, string verdict, int exitCode, int few, int many, Func<int, VariedProgram> make) =>
        new(bucket, verdict, exitCode, few, many, n => make(n).ToMinidump());

    private static MixedDump Crash(string bucket, int few, int many, Func<int, VariedProgram> make) => Hang(bucket, "DUMP8001", Crashed, few, many, make);

    private static MixedDump Silent(int exitCode, int few, int many, Func<int, byte[]> make) => new(null, null, exitCode, few, many, make);

    private static MixedDump Bad(int few, int many, Func<int, byte[]> make) => new(null, null, Undecidable, few, many, make) { IsBad = true };

    /// <summary>A committed dump as it is, and once more with its lists in another order and of another time.</summary>
    private static IEnumerable<MixedDump> Real(string? bucket, string? verdict, int exitCode, int few, params string[] fixtures) => fixtures.SelectMany(f =>
        (MixedDump[])[
            new MixedDump(bucket, verdict, exitCode, few, 1, _ => File.ReadAllBytes(Fixture.Named(f).Path)) { Copies = bucket is null ? 0 : 1 },
            new MixedDump(bucket, verdict, exitCode, 0, 1, n => Variant(f, n)),
        ]);

    private static byte[] Variant(string fixture, int number)
    {
        byte[] dump = PermutedMinidump.Of(File.ReadAllBytes(Fixture.Named(fixture).Path), new Random(number));
        MovedDump.MoveTo(dump, s_firstCapture.AddMinutes(number * 37));
        return dump;
    }
}
