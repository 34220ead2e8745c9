using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Registers;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Windows;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;
using Dump.Readers.Windows.Process;
using Dump.Readers.Windows.Waits;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Windows.Waits;

/// <summary>
/// Memory that looks like a critical section or an SRW lock is one only where the lock's own code waits: random records that registers and stacks lead to,
/// under the callers that locks have and under others.
/// </summary>
public sealed class LockCallTests
{
    private const uint Waiter = 0x1A0, Owner = 0x1B4;
    private const ulong Records = 0x5000_0000, Stacks = 0x6000_0000, Code = 0x7FFE_0000_1000;
    private const int InOneDump = 1_000, RecordSize = 0x80, StackSize = 0x100, Slots = StackSize / sizeof(ulong);
    private const string Alert = "ntdll!NtWaitForAlertByThreadId", Single = "ntdll!NtWaitForSingleObject", Keyed = "ntdll!NtWaitForKeyedEvent";
    private const string Enter = "ntdll!RtlEnterCriticalSection", Exclusive = "ntdll!RtlAcquireSRWLockExclusive", Program = "app!work", Nameless = "ntdll!";
    private const string Guessed = "?";
    private static readonly ResourceKind[] s_section = [ResourceKind.CriticalSection, ResourceKind.LoaderLock];
    private static readonly ResourceKind[] s_slim = [ResourceKind.SlimReaderWriterLock];
    private static readonly ResourceKind[] s_locks = [.. s_section, .. s_slim, ResourceKind.LoadOwnership, ResourceKind.SpinLock, ResourceKind.PosixMutex];

    /// <summary>Frames, innermost first, the kinds of lock whose code waits there, and the most that is known of such a wait.</summary>
    private static readonly (string[] Frames, ResourceKind[] Kinds, Grade Most)[] s_calls =
    [
        // The program's own waits, by address, for an event, by keyed event.
        ([Alert, Program], [], default),
        ([Alert, "ntdll!RtlWaitOnAddress", "kernelbase!WaitOnAddress", Program], [], default),
        ([Alert, Nameless, "kernelbase!WaitOnAddress", Program], [], default),
        ([Alert, Nameless, Nameless, "ntdll!RtlWaitOnAddress", Program], [], default),
        ([Single, "kernelbase!WaitForSingleObjectEx", Program], [], default),
        ([Single, Program], [], default),
        ([Keyed, Program], [], default),

        // A condition variable, whose lock the system call is given.
        ([Alert, "ntdll!RtlSleepConditionVariableSRW", "kernelbase!SleepConditionVariableSRW", Program], [], default),
        ([Alert, Nameless, "kernelbase!SleepConditionVariableCS", Program], [], default),

        // A function of the name elsewhere, further out, or by a guess; a caller that is not seen.
        ([Alert, "app!RtlEnterCriticalSection"], [], default),
        ([Single, Program, Enter, Program], [], default),
        ([Alert, "hook!Wait", Enter, Program], [], default),
        ([Alert, Guessed + Enter, Program], [], default),
        ([Alert, Guessed + Exclusive, Program], [], default),
        ([Alert], [], default),
        ([Program, Alert, Enter], [], default),

        // The locks' own code.
        ([Alert, Nameless, Enter, Program], s_section, Grade.Proven),
        ([Single, "ntdll!RtlpWaitOnCriticalSection", Enter, Program], s_section, Grade.Proven),
        ([Alert, Exclusive, Program], s_slim, Grade.Proven),
        ([Alert, Nameless, "ntdll!RtlAcquireSRWLockShared", Program], s_slim, Grade.Proven),
        ([Alert, Exclusive, "msvcp140!_Mtx_lock", Program], s_slim, Grade.Proven),

        // Code of ntdll without a name, as that of the loader is without symbols.
        ([Alert, Nameless, Nameless, "ntdll!LdrUnlockLoaderLock", Program], [.. s_section, .. s_slim], Grade.Derived),
    ];

    [Theory]
    [InlineData(19045u, 43)]
    [InlineData(26100u, 44)]
    public void Random_records_are_no_locks_without_their_code(uint build, int seed)
    {
        const int Dumps = 50;
        Random random = new(seed);
        Dictionary<int, int> found = [], byMemory = [];
        for (int dump = 0; dump < Dumps; dump++)
        {
            using Batch batch = new(random, build);
            for (int i = 0; i < InOneDump; i++)
            {
                int call = random.Next(s_calls.Length);
                (string[] frames, ResourceKind[] kinds, Grade most) = s_calls[call];
                (ulong argument, ulong[] kept, bool isMarked) = (batch.Argument(random, i), batch.Kept(random, i), random.Next(4) == 0 && frames.Length > 1);
                (WaitFindings, OwnershipFact[]) facts = batch.Read(i, frames, argument, kept, isMarked, isLoaderLock: random.Next(3) == 0);
                WaitFact[] waits = Check(facts, kinds, most, isMarked, string.Join(" < ", frames));
                found[call] = found.GetValueOrDefault(call) + waits.Length;
                if (kinds.Length == 0)
                {
                    // The same record under the code of a lock, so that this is no test of records that nobody believes.
                    (string[] locks, ResourceKind[] own, Grade sure) = s_calls[Array.FindIndex(s_calls, c => c.Kinds.Length > 0) + (i % 3)];
                    WaitFact[] held = Check(batch.Read(i, locks, argument, kept, isMarked, isLoaderLock: false), own, sure, isMarked, "");
                    byMemory[call] = byMemory.GetValueOrDefault(call) + held.Length;
                }
            }
        }

        Assert.All(found.Where(f => s_calls[f.Key].Kinds.Length > 0), f => Assert.InRange(f.Value, 100, Dumps * InOneDump));
        Assert.All(found.Where(f => s_calls[f.Key].Kinds.Length == 0), f => Assert.Equal(0, f.Value));
        Assert.All(byMemory.Values, v => Assert.InRange(v, 100, Dumps * InOneDump));
        Assert.Equal(s_calls.Length, found.Count);
    }

    /// <summary>The facts that are more than suspected and name a lock; fails for one whose code does not wait.</summary>
    private static WaitFact[] Check((WaitFindings Findings, OwnershipFact[] Held) facts, ResourceKind[] kinds, Grade most, bool isMarked, string frames)
    {
        WaitFact[] sure = [.. facts.Findings.Waits.Where(w => w.Grade > Grade.Suspected && w.Resource.Identity != 0 && s_locks.Contains(w.Resource.Kind))];

        // The mark in the thread's block is made by the loader lock's own function.
        Assert.All(sure, w => Assert.True(
            kinds.Contains(w.Resource.Kind) && (w.Grade <= most || (isMarked && w.Resource.Kind == ResourceKind.LoaderLock)), $"{frames}: {w}"));

        // Where the loader lock is, the system records, whoever waits.
        Assert.All(facts.Held, o => Assert.True(
            o.Grade == Grade.Suspected || o.Resource.Kind == ResourceKind.LoaderLock || kinds.Contains(o.Resource.Kind), $"{frames}: {o}"));
        return sure;
    }

    /// <summary>A dump of many records, each with a stack of its own.</summary>
    private sealed class Batch : IDisposable
    {
        private readonly MinidumpFile _dump;
        private readonly SystemDescription _system;
        private readonly WindowsAbi _abi;

        public Batch(Random random, uint build)
        {
            byte[] records = new byte[InOneDump * RecordSize], stacks = new byte[InOneDump * StackSize];
            for (int i = 0; i < InOneDump; i++)
            {
                Record(random, i).CopyTo(records, i * RecordSize);
                for (int slot = 0; slot < Slots; slot++)
                {
                    BinaryPrimitives.WriteUInt64LittleEndian(stacks.AsSpan(i * StackSize + slot * sizeof(ulong)), Near(random, i));
                }
            }

            FakeProcess process = Around(build);
            (process.MoreMemory[Records], process.MoreMemory[Stacks]) = (records, stacks);
            _dump = MinidumpFile.FromBytes(process.ToMinidump());
            _system = new SystemDescription(ProcessorArchitecture.X64, 10, 0, build, 2, false, "Windows");
            _abi = WindowsAbi.Of(_system);
        }

        public ulong Argument(Random random, int i) => random.Next(4) switch
        {
            0 => Records + (ulong)(i * RecordSize),
            1 => Records + (ulong)(i * RecordSize) + 8,
            2 => _dump.ReadUInt64(Records + (ulong)(i * RecordSize) + 0x18)!.Value,
            _ => Near(random, i),
        };

        public ulong[] Kept(Random random, int i) => [.. Enumerable.Range(0, 4).Select(_ => Near(random, i))];

        /// <summary>What the reader makes of a thread in front of a record, and the owners of sections that it knows.</summary>
        public (WaitFindings Findings, OwnershipFact[] Held) Read(int i, string[] functions, ulong argument, ulong[] kept, bool isMarked, bool isLoaderLock)
        {
            ulong stack = Stacks + (ulong)(i * StackSize);
            ThreadEnvironmentBlock block = new(1, 2, new StackBounds(stack, stack + StackSize), 0, isMarked) { Layout = new TebLayout(_abi) };
            X64Registers registers = new()
            {
                [X64Register.Rcx] = argument, [X64Register.Rbx] = kept[0], [X64Register.Rsi] = kept[1], [X64Register.Rdi] = kept[2],
                [X64Register.R12] = kept[3],
            };
            WalkedFrame[] walked = [.. functions.Select((f, at) => new WalkedFrame(At(registers, stack, at), TrustOf(f), null))];
            ImmutableArray<StackFrame> frames = [.. functions.Select((f, at) => Frame(f, stack, at))];
            WindowsThread[] threads =
            [
                new(_dump.Threads.Single(t => t.Id == Waiter), block, walked, frames, StackEnd.Complete),
                new(_dump.Threads.Single(t => t.Id == Owner), null, [], [], StackEnd.Complete),
            ];
            WindowsProcess process = new(_dump, _system, NoSymbols.Instance, isLoaderLock ? Records + (ulong)(i * RecordSize) : null, threads);
            ProcessSide side = new(process, null, null, ImmutableDictionary<Resource, string>.Empty);
            List<WaitFindings> findings = side.Classify([]);
            return (findings[0], [.. HeldResources.Read(side, findings, ReadLimits.Default, [])]);
        }

        public void Dispose() => _dump.Dispose();

        private static X64Registers At(X64Registers registers, ulong stack, int frame)
        {
            registers.Rip = Code + (ulong)frame * 0x100;
            registers.Rsp = stack + (ulong)frame * 0x20;
            return registers;
        }

        private static FrameTrust TrustOf(string function) => function.StartsWith(Guessed, StringComparison.Ordinal) ? FrameTrust.Scan : FrameTrust.UnwindInfo;

        private static StackFrame Frame(string function, ulong stack, int at)
        {
            string[] parts = function.TrimStart('?').Split('!');
            string? name = parts[1].Length == 0 ? null : parts[1];
            return new StackFrame(Code + (ulong)at * 0x100, stack + (ulong)at * 0x20, parts[0] + (parts[0] == "app" ? ".exe" : ".dll"), 0x1000, name,
                name is null ? null : 0x10UL, TrustOf(function), SymbolSource.Export);
        }

        /// <summary>A locked section with waiters, a contended SRW lock, or what the two are made of in disorder.</summary>
        private static byte[] Record(Random random, int i)
        {
            byte[] bytes = new byte[RecordSize];
            ulong[] words = random.Next(3) switch
            {
                0 => [ulong.MaxValue, Pair(-2 - 4 * random.Next(1, 4), 1), Owner, random.Next(2) == 0 ? ulong.MaxValue : 0x40, 0x0400_0000],
                1 => [OwnBlock(random, i) | 3, 0, OwnBlock(random, i), 0, 0],
                _ => [.. Enumerable.Range(0, 5).Select(_ => Some(random, i))],
            };
            for (int changes = random.Next(4) == 0 ? random.Next(3) : 0; changes > 0; changes--)
            {
                words[random.Next(words.Length)] = Some(random, i);
            }

            Buffer.BlockCopy(words, 0, bytes, 0, words.Length * sizeof(ulong));
            return bytes;
        }

        private static ulong Pair(int low, int high) => (uint)low | ((ulong)(uint)high << 32);

        private static ulong OwnBlock(Random random, int i) => Stacks + (ulong)(i * StackSize) + (ulong)(random.Next(4, 12) * 16);

        private static ulong Some(Random random, int i) => random.Next(6) switch
        {
            0 => 0,
            1 => ulong.MaxValue,
            2 => Owner,
            3 => Pair(-2 - 4 * random.Next(3), random.Next(3)),
            4 => OwnBlock(random, i) | (uint)random.Next(4),
            _ => (ulong)random.NextInt64(),
        };

        private static ulong Near(Random random, int i) => random.Next(3) switch
        {
            0 => Records + (ulong)(i * RecordSize) + (ulong)(random.Next(5) * sizeof(ulong)),
            1 => Some(random, i),
            _ => 0,
        };
    }

    private static FakeProcess Around(uint build)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000), ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FFE00000000);
        FakeFunction[] frames = [ntdll.Stub("NtDelayExecution"), app.Function("work", exported: false)];
        return new FakeProcess
        {
            Version = (10, 0, build), Images = { app, ntdll }, Threads = { new FakeThread(Waiter, frames), new FakeThread(Owner, frames) },
        };
    }

    private sealed class NoSymbols : ISymbols
    {
        public static NoSymbols Instance { get; } = new();

        public FunctionName? NameOf(ulong address, ulong? functionStart) => null;

        public SourceLocation? SourceOf(ulong address) => null;

        public ulong? AddressOf(string moduleStem, string name) => null;

        public ulong? AddressIn(ModuleSnapshot module, string name) => null;
    }
}
