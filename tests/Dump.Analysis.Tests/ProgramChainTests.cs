using System.Globalization;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>Two verdicts have one chain exactly when the same functions of the program are on each of their threads.</summary>
public sealed class ProgramChainTests
{
    private const int Rounds = 400;
    private static readonly string[] s_own = ["shop!shop::transfer", "shop!shop::audit", "shop!main::{lambda()#1}::operator()", "orders!orders::push", "shop!worker"];
    private static readonly string[] s_library =
        ["shop!std::mutex::lock", "shop!__gthread_mutex_lock", "shop!std::lock_guard<std::mutex>::lock_guard", "shop!boost::mutex::lock", "ntdll!NtWaitForSingleObject",
            "libc.so!pthread_mutex_lock", "libstdc++.so!execute_native_thread_routine"];

    [Fact]
    public void Chain_is_equal_exactly_where_the_programs_functions_are()
    {
        Random random = new(44);
        int equal = 0;
        for (int round = 0; round < Rounds; round++)
        {
            // Few functions, so that about every second pair is the same.
            string[] first = Own(random), second = Own(random), other = Own(random), another = random.Next(2) == 0 ? other : Own(random);
            bool isSame = (Joined(first), Joined(other)) == (Joined(second), Joined(another)) || (Joined(first), Joined(other)) == (Joined(another), Joined(second));
            string? one = Chain(Among(random, first), Among(random, other)), two = Chain(Among(random, second), Among(random, another));
            Assert.NotNull(one);
            Assert.NotNull(two);
            Assert.True(isSame == (one == two), string.Create(
                CultureInfo.InvariantCulture, $"round {round}: {Joined(first)} | {Joined(other)} against {Joined(second)} | {Joined(another)}"));
            equal += isSame ? 1 : 0;
        }

        Assert.InRange(equal, 10, Rounds - 10);
    }

    [Fact]
    public void Order_of_the_threads_does_not_matter() => Assert.Equal(
        Chain(["ntdll!NtWaitForSingleObject", "shop!one"], ["ntdll!NtWaitForSingleObject", "shop!other"]),
        Chain(["ntdll!NtWaitForSingleObject", "shop!other"], ["ntdll!NtWaitForSingleObject", "shop!one"]));

    /// <summary>Two lambdas of one function are two functions, although a class counts them as one.</summary>
    [Theory]
    [InlineData("shop!main::{lambda()#1}::operator()", "shop!main::{lambda()#2}::operator()")]
    [InlineData("shop!main::$_0::operator()", "shop!main::$_1::operator()")]
    public void Lambdas_are_told_from_each_other(string first, string second)
    {
        string[] other = ["ntdll!NtWaitForSingleObject", "shop!one"];
        Assert.Equal(Chain(["ntdll!NtWaitForSingleObject", first], other), Chain(["ntdll!NtWaitForSingleObject", first], other));
        Assert.NotEqual(Chain(["ntdll!NtWaitForSingleObject", first], other), Chain(["ntdll!NtWaitForSingleObject", second], other));
    }

    /// <summary>So are two managed methods of one name, by their tokens.</summary>
    [Theory]
    [InlineData(0x6000001, 0x6000001, true)]
    [InlineData(0x6000001, 0x6000002, false)]
    public void Managed_methods_are_told_by_their_tokens(int first, int second, bool areSame)
    {
        string[] known = ["ntdll!NtWaitForSingleObject", "shop!Shop.Main.lambda"];
        string? one = Chain(known, known, s => WithToken(s, first)), two = Chain(known, known, s => WithToken(s, second));
        Assert.NotNull(one);
        Assert.Equal(areSame, one == two);
    }

    /// <summary>Nothing is known to be the same of a stack that is not walked whole, was searched, or has nothing of the program's.</summary>
    [Fact]
    public void Chain_is_unknown_where_a_stack_is()
    {
        string[] known = ["ntdll!NtWaitForSingleObject", "shop!one"];
        Assert.NotNull(Chain(known, known));
        Assert.Null(Chain(known, ["ntdll!NtWaitForSingleObject", "shop!std::mutex::lock"]));
        Assert.Null(Chain(known, known, s => s with { End = StackEnd.UnwindInfoMissing }));
        Assert.Null(Chain(known, known, s => s with { Frames = [.. s.Frames.Select(f => f with { Trust = FrameTrust.Scan })] }));
    }

    private static ThreadStack WithToken(ThreadStack stack, int token) =>
        stack with { Frames = [.. stack.Frames.Select(f => f with { Code = f.ModuleStem == "shop" ? new MethodPlace(0, token) : null })] };

    private static string[] Own(Random random) => [.. Enumerable.Range(0, random.Next(1, 3)).Select(_ => s_own[random.Next(2)])];

    private static string Joined(string[] functions) => string.Join(" < ", functions);

    /// <summary>The functions with any number of others between them.</summary>
    private static string[] Among(Random random, string[] own) =>
        ["ntdll!NtWaitForSingleObject", .. own.SelectMany(f => (string[])[.. Enumerable.Range(0, random.Next(4)).Select(_ => s_library[random.Next(s_library.Length)]), f])];

    private static string? Chain(string[] first, string[] second, Func<ThreadStack, ThreadStack>? change = null)
    {
        SnapshotBuilder builder = new SnapshotBuilder()
            .Thread(1, frames: first).With(t => t with { Stack = Native(t.Stack) })
            .Thread(2, frames: second).With(t => t with { Stack = change is null ? Native(t.Stack) : change(Native(t.Stack)) })
            .Wait(1, Section(0xA)).Own(Section(0xA), 2)
            .Wait(2, Section(0xB)).Own(Section(0xB), 1);
        // Once: renamed copies of hundreds of equal shapes show nothing new.
        return Assert.Single(Analysis.HangAnalysis.Run(builder.Build()).Verdicts).ProgramChain;
    }

    private static ThreadStack Native(ThreadStack stack) =>
        stack with { End = StackEnd.Complete, Frames = [.. stack.Frames.Select(f => f with { Symbol = SymbolSource.SymbolTable })] };
}
