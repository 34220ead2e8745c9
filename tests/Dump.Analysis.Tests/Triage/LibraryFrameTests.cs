using System.Collections.Immutable;
using Dump.Analysis.Merging;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests.Triage;

/// <summary>What compilers put into a program neither tells two hangs apart nor makes them one.</summary>
public sealed class LibraryFrameTests
{
    private const string Locking = "libc.so!pthread_mutex_lock shop!__gthread_mutex_lock shop!std::mutex::lock shop!std::lock_guard<std::mutex>::lock_guard ";
    private const string Starting = " shop!std::__invoke<F> shop!std::thread::_Invoker<T>::_M_invoke<0> shop!std::thread::_State_impl<S>::_M_run libc.so!start_thread";

    [Fact]
    public void Two_deadlocks_of_unoptimised_code_are_two()
    {
        HangSignature transfer = Of(Locking + "shop!transfer" + Starting, Locking + "shop!audit" + Starting);
        Assert.NotEqual(transfer.ClassHash, Of(Locking + "shop!restock" + Starting, Locking + "shop!pick" + Starting).ClassHash);
        Assert.Equal("DUMP1002\nwaits for PthreadMutex: shop!audit\nwaits for PthreadMutex: shop!transfer", transfer.ClassText);
    }

    [Fact]
    public void Deadlock_is_the_same_in_optimised_code() => Assert.Equal(
        Of(Locking + "shop!transfer" + Starting, Locking + "shop!audit" + Starting),
        Of("libc.so!pthread_mutex_lock shop!transfer libc.so!start_thread", "libc.so!pthread_mutex_lock shop!audit libc.so!start_thread"));

    /// <summary>In libc++ the lock is a function of the library.</summary>
    [Fact]
    public void Deadlock_is_the_same_by_either_library() => Assert.Equal(
        Of(Locking + "shop!transfer" + Starting).ClassText,
        Of("libc.so!pthread_mutex_lock libc++.so!std::__1::mutex::lock shop!std::__1::lock_guard<std::__1::mutex>::lock_guard shop!transfer").ClassText);

    /// <summary>A callback that a library function calls stays: it is the program's.</summary>
    [Fact]
    public void Functions_on_both_sides_of_a_library_count() => Assert.Equal(
        "DUMP1002\nwaits for PthreadMutex: shop!compare < shop!sort_orders",
        Of("libc.so!pthread_mutex_lock shop!compare shop!std::__introsort_loop<I> shop!std::sort<I> shop!sort_orders").ClassText);

    [Fact]
    public void Signature_without_functions_of_the_program_has_its_name_instead()
    {
        HangSignature signature = Of(Locking.TrimEnd() + Starting);
        Assert.Equal("DUMP1002 in shop\nwaits for PthreadMutex", signature.ClassText);
        Assert.False(signature.NamesFunction);
    }

    /// <summary>By the source file: a function in a header of the system has whatever name.</summary>
    [Fact]
    public void Function_of_a_systems_header_does_not_count() => Assert.Equal(
        Of("libc.so!pthread_mutex_lock shop!transfer"),
        Of("libc.so!pthread_mutex_lock shop!fancy_lock shop!transfer", f => f with { IsLibrary = f.Function == "fancy_lock" }));

    [Fact]
    public void Inlined_functions_of_the_program_count_as_if_they_were_not() => Assert.Equal(
        Of("libc.so!pthread_mutex_lock shop!transfer shop!worker"),
        Of("libc.so!pthread_mutex_lock shop!worker", f => f.Function == "worker" ? f with { Inlined = [new InlinedCall("transfer", null)] } : f));

    [Theory]
    [InlineData("v2-0123456789abcdef", true)]
    [InlineData("v3-0123456789abcdef", true)]
    [InlineData("v4-0123456789abcdef", false)]
    [InlineData("v40-0123456789abcdef", true)]
    [InlineData("none idle shop", false)]
    public void Hash_tells_the_rules_that_made_it(string hash, bool isOfOthers) => Assert.Equal(isOfOthers, HangSignatures.IsOfOtherRules(hash));

    /// <summary>Without a verdict, of two hangs of a program whose first thread only joins another one: the other one tells them apart.</summary>
    [Fact]
    public void Thread_that_the_first_one_joins_counts_without_a_verdict()
    {
        HangSignature transfer = Joining("shop!pthread_mutex_lock shop!std::mutex::lock shop!shop::transfer"), restock = Joining("shop!shop::restock");
        Assert.NotEqual(transfer.ClassHash, restock.ClassHash);
        Assert.NotEqual(Joining(null).ClassHash, transfer.ClassHash);
        Assert.Equal("no verdict\nc!pthread_join\nshop!main\nwaits for the end of a thread in\nshop!shop::transfer", transfer.ClassText);
    }

    private static HangSignature Joining(string? joined) => HangSignatures.Of(new HangReport
    {
        Source = new ReportedSource("a.core", "test", null, null, null),
        Process = new ReportedProcess { Name = "shop", System = "Linux" },
        Focus = new ReportedFocus(1, "is the program's first thread", Frames("libc.so!pthread_join shop!std::thread::join shop!main"))
        {
            Awaited = joined is null ? null : new ReportedStack(2, "is what thread 0 waits for in the end", Frames(joined)),
        },
    })!;

    private static ImmutableArray<ReportedFrame> Frames(string stack) => [.. stack.Split(' ').Select(Frame)];

    private static HangSignature Of(params string[] stacks) => Of(stacks, f => f);

    private static HangSignature Of(string stack, Func<ReportedFrame, ReportedFrame> change) => Of([stack], change);

    private static HangSignature Of(string[] stacks, Func<ReportedFrame, ReportedFrame> change) => HangSignatures.Of(new HangReport
    {
        Source = new ReportedSource("a.core", "test", null, null, null),
        Process = new ReportedProcess { Name = "shop", System = "Linux" },
        Verdicts =
        [
            new ReportedVerdict
            {
                DetectorId = "DUMP1002",
                Title = "Lock-cycle deadlock",
                Confidence = Confidence.Confirmed,
                Chain = [.. stacks.Select((_, i) => new ChainLink((uint)i, new Resource(ResourceKind.PthreadMutex, (ulong)i), "a mutex",
                    (uint)((i + 1) % stacks.Length), true, Grade.Proven, WaitTimeout.Infinite, []))],
                Stacks = [.. stacks.Select((s, i) => new ReportedStack((uint)i, null, [.. s.Split(' ').Select((f, at) => change(Frame(f, at)))]))],
                Threads = [.. stacks.Select((_, i) => (uint)i)],
            },
        ],
    })!;

    private static ReportedFrame Frame(string text, int index) =>
        new(index, text.Split('!')[0], text.Split('!')[1], 0, 0, FrameTrust.UnwindInfo) { Symbol = SymbolSource.SymbolTable };
}
