using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>A verdict names the innermost function of the program's own on each of its threads.</summary>
public sealed class CodePlacesTests
{
    [Theory]
    [InlineData("ntdll!NtWaitForAlertByThreadId ntdll!RtlEnterCriticalSection hold!transfer_money hold!main kernel32!BaseThreadInitThunk",
        "hold!transfer_money")]
    [InlineData("ntdll!NtWaitForSingleObject libwinpthread-1!pthread_mutex_lock libstdc++-6!std::mutex::lock hold!audit", "hold!audit")]
    [InlineData("libcoreclr!Wait System.Private.CoreLib!System.Threading.Monitor.Enter System.Collections.Concurrent!Add Shop!Shop.Stock.Add",
        "shop!Shop.Stock.Add")]
    public void Place_is_the_innermost_own_function(string frames, string expected) =>
        Assert.Equal(new[] { new CodePlace(1, expected), new CodePlace(2, "app!second") }, Cycle(frames).LookAt);

    [Fact]
    public void Function_without_a_name_is_told_by_its_offset() => Assert.Equal("app+0x1697", Cycle("ntdll!NtWaitForSingleObject app", f =>
        f.Module == "app.exe" ? f with { ModuleOffset = 0x1697 } : f).LookAt[0].Code);

    /// <summary>Templates and generic functions of the standard libraries are compiled into the program.</summary>
    [Theory]
    [InlineData("libc!syscall app!<std::sys::sync::mutex::futex::Mutex>::lock_contended app!shop::take", "app!shop::take")]
    [InlineData("libc!futex app!std::unique_lock<std::mutex>::lock app!Shop::take", "app!Shop::take")]
    [InlineData("libc!syscall app!core::ops::function::FnOnce::call_once app!<alloc::boxed::Box<T>>::call app!main", "app!main")]
    [InlineData("libc!syscall app!<std::sys::thread::unix::Thread>::join", "app!<std::sys::thread::unix::Thread>::join")]
    [InlineData("libc!syscall app!std_like::take", "app!std_like::take")]
    [InlineData("libc!futex app!core::Engine::run app!main", "app!core::Engine::run")]
    [InlineData("libc!futex app!core::run app!main", "app!core::run")]
    public void Standard_library_in_the_program_counts_only_where_there_is_nothing_else(string frames, string expected) =>
        Assert.Equal(expected, Cycle(frames, f => f with { Symbol = SymbolSource.SymbolTable }).LookAt[0].Code);

    /// <summary>The program's own projects come before packages, which come before nothing; a package that the files do not tell is the program's.</summary>
    [Theory]
    [InlineData("System.Private.CoreLib!Wait Quartz!Quartz.Core.QuartzScheduler.Shutdown Shop!Shop.StopJob.Execute Quartz!Quartz.Core.JobRunShell.Run",
        "shop!Shop.StopJob.Execute")]
    [InlineData("System.Private.CoreLib!Wait Quartz!Quartz.Core.QuartzScheduler.Shutdown System.Private.CoreLib!Start", "quartz!Quartz.Core.QuartzScheduler.Shutdown")]
    [InlineData("System.Private.CoreLib!Wait Shared!Shared.Store.Save Shop!Shop.Main", "shared!Shared.Store.Save")]
    [InlineData("System.Private.CoreLib!Wait Unknown!Unknown.Log Shop!Shop.Main", "unknown!Unknown.Log")]
    [InlineData("System.Private.CoreLib!Wait Cached!Cached.Log Shop!Shop.Main", "shop!Shop.Main")]
    public void Program_comes_before_packages(string frames, string expected) => Assert.Equal(expected, Cycle(frames, change: null, s => s with
    {
        ManagedModules =
        [
            new ManagedModule("/app/Quartz.dll", 0) { IsPackage = true }, new ManagedModule("/app/Shared.dll", 0) { IsPackage = false },
            new ManagedModule("/app/Unknown.dll", 0), new ManagedModule("/home/me/.nuget/packages/cached/1.0.0/lib/net8.0/Cached.dll", 0),
            new ManagedModule("/app/Shop.dll", 0) { IsPackage = false },
        ],
    }).LookAt.Single(p => p.ThreadId == 1).Code);

    /// <summary>Native libraries of packages are packages too.</summary>
    [Theory]
    [InlineData(true, "shop!Shop.Orders.Consume")]
    [InlineData(null, "librdkafka!rd_kafka_q_pop")]
    public void Program_comes_before_native_libraries_of_packages(bool? isPackage, string expected) =>
        Assert.Equal(expected, Cycle("libc!futex librdkafka!rd_kafka_q_pop Shop!Shop.Orders.Consume", change: null, s => s with
        {
            Modules = [.. s.Modules, new ModuleSnapshot("librdkafka.dll", "/app/librdkafka.dll", 1, 1, 0, null, false) { IsPackage = isPackage }],
            ManagedModules = [new ManagedModule("/app/Shop.dll", 0) { IsPackage = false }],
        }).LookAt[0].Code);

    /// <summary>A thread of which all code is a package's comes behind one that the program's method is on.</summary>
    [Fact]
    public void Thread_of_a_package_comes_last() =>
        Assert.Equal(
            ["app!second", "quartz!Quartz.Core.QuartzScheduler.Shutdown"],
            Cycle("System.Private.CoreLib!Wait Quartz!Quartz.Core.QuartzScheduler.Shutdown", change: null, s => s with
            {
                ManagedModules = [new ManagedModule("/app/Quartz.dll", 0) { IsPackage = true }],
            }).LookAt.Select(p => p.Code));

    [Fact]
    public void Thread_without_own_code_has_no_place() =>
        Assert.Equal(new CodePlace(2, "app!second"), Assert.Single(Cycle(
            "ntdll!NtWaitForAlertByThreadId ntdll!RtlEnterCriticalSection kernel32!BaseThreadInitThunk").LookAt));

    [Fact]
    public void Frames_found_by_search_name_no_place() =>
        Assert.Equal(new CodePlace(2, "app!second"), Assert.Single(Cycle("ntdll!NtWaitForSingleObject stale!stale", f => f with { Trust = FrameTrust.Scan })
            .LookAt));

    private static Verdict Cycle(string frames, Func<StackFrame, StackFrame>? change = null, Func<ProcessSnapshot, ProcessSnapshot>? add = null)
    {
        SnapshotBuilder builder = new SnapshotBuilder()
            .Thread(1, frames: frames.Split(' ')).With(t => t with { Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(change ?? (f => f))] } })
            .Thread(2, frames: ["ntdll!NtWaitForSingleObject", "app!second"])
            .Wait(1, Section(0xA)).Own(Section(0xA), 2)
            .Wait(2, Section(0xB)).Own(Section(0xB), 1);
        return Assert.Single(HangAnalysis.Run(add is null ? builder.Build() : add(builder.Build())).Verdicts);
    }
}
