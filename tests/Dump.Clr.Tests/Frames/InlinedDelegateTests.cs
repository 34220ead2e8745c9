using Dump.Clr.Frames;
using Dump.Clr.Tasks;

namespace Dump.Clr.Tests.Frames;

/// <summary>Where on a stack the method of a task stands that has no frame: inside of what the class library calls it by, and nowhere else.</summary>
public sealed class InlinedDelegateTests
{
    private const string Execute = "System.Threading.Tasks.Task.ExecuteWithThreadLocal";
    private const string Dispatch = "System.Threading.ThreadPoolWorkQueue.Dispatch";

    [Theory]
    [InlineData("System.Threading.Tasks.Task.Wait System.Threading.ExecutionContext.RunFromThreadPoolDispatchLoop " + Execute + " " + Dispatch, 1)]
    [InlineData("System.Threading.Monitor.Enter " + Execute + " " + Dispatch, 1)]
    [InlineData("System.Threading.Tasks.Task.Wait System.Threading.Tasks.Task<System.Int32>.InnerInvoke System.Threading.ExecutionContext.RunInternal " + Execute, 1)]
    [InlineData("System.Threading.Tasks.Task.Wait System.Threading.Tasks.Task.InnerInvoke System.Threading.Tasks.Task+<>c.<.cctor>b__281_0 "
        + "System.Threading.ExecutionContext.RunInternal " + Execute, 1)]

    // The context that the delegate itself runs in is not its caller's.
    [InlineData("System.Threading.ExecutionContext.RunInternal System.Threading.Tasks.Task.Wait System.Threading.ExecutionContext.RunInternal " + Execute, 2)]

    // Of a task that another one runs within, the inner one.
    [InlineData("System.Threading.Tasks.Task.Wait " + Execute + " System.Threading.Tasks.Task.TryRunInline " + Execute, 1)]
    [InlineData(Execute + " " + Dispatch, 0)]
    [InlineData("System.Threading.Tasks.Task.InnerInvoke System.Threading.Thread.StartCallback", null)]
    [InlineData("", null)]
    public void Caller_is_the_innermost_frame_that_calls_the_delegate(string frames, int? expected) =>
        Assert.Equal(expected, InlinedDelegates.CallerOf([.. frames.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(f => Frame(f, isOfCoreLibrary: true))]));

    [Fact]
    public void Methods_of_other_modules_call_no_delegate() =>
        Assert.Null(InlinedDelegates.CallerOf([Frame("System.Threading.Tasks.Task.Wait", true), Frame(Execute, isOfCoreLibrary: false)]));

    private static ManagedFrame Frame(string method, bool isOfCoreLibrary)
    {
        int at = method.Contains(".<.cctor>", StringComparison.Ordinal) ? method.IndexOf(".<.cctor>", StringComparison.Ordinal) : method.LastIndexOf('.');
        return new ManagedFrame(0, 0, new FrameMethod(method[..at], method[(at + 1)..], "System.Private.CoreLib.dll", isOfCoreLibrary), IsMarker: false);
    }
}
