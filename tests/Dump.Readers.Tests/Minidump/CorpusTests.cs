using System.Globalization;
using System.Text.Json;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Readers.Windows.Locks;
using Dump.Testing;

namespace Dump.Readers.Tests.Minidump;

/// <summary>What we read from other people's dumps is what other readers read from them.</summary>
public sealed class CorpusTests
{
    public static TheoryData<string> WindowsDumps => new(
        "x64/tiny-exe-with-cet-xsave", "x64/tiny-exe-fastfail", "x64/write_av_non_canonical", "x64/invalid-parameter", "x64/sentry-native",
        "x86/thread_name_list", "x86/tiny-exe-with-cet-xsave-x86", "x86/stack_exhaustion", "x86/firefox-2006-9threads", "x86/minidump2");

    [SkippableTheory]
    [MemberData(nameof(WindowsDumps))]
    public void Threads_modules_handles_and_registers_are_those_of_another_reader(string name)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        using MinidumpFile dump = MinidumpFile.FromBytes(Corpus.Read(name + ".dmp"));
        JsonElement expected = Expected(Path.GetFileName(name));
        Assert.Equal(
            expected.Member("threads").EnumerateArray().Select(t => t.Member("thread_id").GetUInt32()),
            dump.Threads.Select(t => t.Id));
        Assert.Equal(
            expected.Member("threads").EnumerateArray().Select(t => t.Member("thread_name").GetString()),
            dump.Threads.Select(t => dump.ThreadNames?.GetValueOrDefault(t.Id)));
        Assert.Equal(
            expected.Member("modules").EnumerateArray().Select(m => $"{Address(m, "base_addr"):x} {m.Member("filename").GetString()}")
                .Order(StringComparer.Ordinal),
            dump.ModuleList.Select(m => $"{m.BaseAddress:x} {m.Path[(m.Path.LastIndexOf('\\') + 1)..]}").Order(StringComparer.Ordinal));
        CompareHandles(expected, dump);
        CompareInstructionPointers(expected, dump);
    }

    [SkippableTheory]
    [InlineData("tiny-exe-with-cet-xsave")]
    [InlineData("tiny-exe-fastfail")]
    public void Loader_lock_is_where_a_plain_struct_reader_found_it(string name)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        using MinidumpFile dump = MinidumpFile.FromBytes(Corpus.Read($"x64/{name}.dmp"));
        JsonElement expected = Expected("x64-teb-peb-loaderlock").Member(name);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, name);
        Assert.Equal(Address(expected, "loader_lock"), snapshot.Loader.LoaderLockAddress);
        bool isReadable = expected.Member("loader_lock_cs").ValueKind == JsonValueKind.Object;
        Assert.Equal(isReadable ? false : null, snapshot.Loader.LoaderLockIsHeld);
        Assert.Equal(isReadable, snapshot.Available.LoaderLock);
    }

    [SkippableTheory]
    [MemberData(nameof(WindowsDumps))]
    public void No_dump_of_the_corpus_has_a_lock_that_is_held_against_a_waiter(string name)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        using MinidumpFile dump = MinidumpFile.FromBytes(Corpus.Read(name + ".dmp"));
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, name);
        HashSet<Resource> held = [.. snapshot.Ownerships.Select(o => o.Resource)];
        Assert.DoesNotContain(snapshot.Waits, w => held.Contains(w.Resource)
            && w.Resource.Kind is ResourceKind.CriticalSection or ResourceKind.LoaderLock or ResourceKind.LoadOwnership);
    }

    [SkippableTheory]
    [InlineData("malformed/lldb-bad_duplicate_streams.dmp", "Linux")]
    [InlineData("malformed/lldb-bad_overlapping_streams.dmp", "Linux")]
    [InlineData("malformed/lldb-memory-list-padded.dmp", "no system information")]
    [InlineData("malformed/lldb-module-list-not-padded.dmp", "no system information")]
    [InlineData("malformed/lldb-modules-order.dmp", "macOS")]
    [InlineData("malformed/lldb-thread-list-padded.dmp", "no system information")]
    [InlineData("malformed/rm-invalid-range.dmp", "no system information")]
    [InlineData("malformed/rm-invalid-record-count.dmp", "no system information")]
    [InlineData("other-os/linux-mini.dmp", "a Linux process, written for SIGSEGV (access violation) of thread 1304 (0x518) at 0x45; ")]
    [InlineData("other-os/linux_overflow.dmp", "a Linux process, written for SIGABRT (abort) of thread 14782 (0x39be); ")]
    [InlineData("other-os/macos-simple-crashpad.dmp", "a macOS process, written for exception 0x0 of thread 927532 (0xe272c) at 0x7fff6f41333a; ")]
    [InlineData("other-os/ios-crashpad_annotation.dmp", "an iOS process, written for an Objective-C exception of thread 4779401 (0x48ed89) at 0x")]
    [InlineData("other-os/elf-linux-x86_64-threads.core", "ELF")]
    public void Foreign_and_malformed_files_are_declined_in_one_line(string name, string reason)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        InvalidDumpException error = Assert.Throws<InvalidDumpException>(() => MinidumpFile.FromBytes(Corpus.Read(name)).Dispose());
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
    }

    private static void CompareHandles(JsonElement expected, MinidumpFile dump)
    {
        JsonElement handles = expected.Member("handles");
        if (handles.ValueKind == JsonValueKind.Null)
        {
            Assert.Null(dump.Handles);
            return;
        }

        // The other reader writes an empty name as null.
        Assert.Equal(
            handles.EnumerateArray().Select(h =>
                $"{h.Member("handle").GetUInt64()} {h.Member("type_name").GetString()} {h.Member("object_name").GetString()}"),
            dump.Handles!.Select(h => $"{h.Value} {h.TypeName} {h.ObjectName}"));
    }

    private static void CompareInstructionPointers(JsonElement expected, MinidumpFile dump)
    {
        foreach ((JsonElement thread, MinidumpThread ours) in expected.Member("threads").EnumerateArray().Zip(dump.Threads))
        {
            // The crashing thread is shown with the exception's registers, not with its own.
            JsonElement frames = thread.Member("frames");
            if (frames.GetArrayLength() > 0 && ours.Id != dump.Exception?.ThreadId)
            {
                Assert.Equal(Address(frames[0], "offset"), ours.InstructionPointer);
            }
        }
    }

    private static ulong Address(JsonElement element, string name) =>
        ulong.Parse(element.Member(name).GetString()!.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    private static JsonElement Expected(string name) =>
        JsonDocument.Parse(File.ReadAllText(Path.Combine(Corpus.Folder, "expected", name + ".json"))).RootElement;
}
