using Dump.Model.Process;
using Dump.Readers.Instructions;

namespace Dump.Readers.Windows.Waits;

/// <summary>The call by which a thread's own code entered user32, when its innermost frames lie there and in win32u.</summary>
/// <param name="Function">The function that was called, or null when it is unknown.</param>
/// <param name="Caller">Index of the calling frame.</param>
/// <param name="Arguments">What the caller gave to it; unknown when the caller is a guess.</param>
internal sealed record UserCall(string? Function, int Caller, CallArguments Arguments)
{
    /// <summary>The call, or null when the thread is not in user32.</summary>
    public static UserCall? Of(WindowsProcess process, WindowsThread thread)
    {
        int caller = 0;
        while (caller < thread.Frames.Length && thread.Frames[caller].ModuleStem is "win32u" or "user32")
        {
            caller++;
        }

        if (caller == 0 || caller >= thread.Walked.Count)
        {
            return null;
        }

        bool isGuess = thread.Frames[caller].Trust == FrameTrust.Scan;
        return new UserCall(thread.Frames[caller - 1].Called, caller,
            isGuess ? CallArguments.Unknown : PassedArguments.Read(process.Dump, thread.Walked[caller]));
    }
}
