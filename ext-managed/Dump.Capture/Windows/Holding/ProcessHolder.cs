using System.Globalization;
using System.Runtime.Versioning;
using Dump.Capture.Windows.Calls;
using Dump.Capture.Windows.Processes;

namespace Dump.Capture.Windows.Holding;

/// <summary>
/// Stops a process and lets it go for another process of this program, and lets it go as well when that one ends, however that comes: then nobody asks any
/// more; and when the time is over that was given, for what is done with the process may hang. Nothing in this process runs foreign code.
/// </summary>
public static class ProcessHolder
{
    /// <summary>Serves until it is asked to let the process go, or nobody can ask any more.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="mostThreads">Most threads to suspend.</param>
    /// <param name="questions">Lines of <see cref="HolderWords"/>; its end means that who asked has ended.</param>
    /// <param name="answers">Where answers go to.</param>
    [SupportedOSPlatform("windows")]
    public static void Serve(int process, int mostThreads, TextReader questions, TextWriter answers)
    {
        // Who starts this process keeps the same process open until this one is asked: the id is still that one's.
        using IOpenProcess? kept = OpenProcess.Of(process);
        using TargetThreads threads = new(process);
        Serve(threads, mostThreads, questions, answers);
    }

    /// <summary>The same of threads.</summary>
    internal static void Serve(ITargetThreads target, int mostThreads, TextReader questions, TextWriter answers)
    {
        using HeldThreads threads = new(target);
        try
        {
            Say(answers, HolderWords.Ready);
            if (questions.ReadLine()?.Split(' ') is not [HolderWords.Stop, var text]
                || !int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int limit))
            {
                return;
            }

            // Said before, so that who asked can let them go when this process is killed.
            if (threads.Stop(mostThreads, (id, before) => Say(answers, string.Create(CultureInfo.InvariantCulture, $"{HolderWords.Thread} {id} {before}"))))
            {
                Say(answers, HolderWords.Stopped);
                bool isAsked = Task.Run(questions.ReadLine).ContinueWith(_ => { }, TaskScheduler.Default).Wait(limit);
                threads.LetGo();
                Say(answers, isAsked ? HolderWords.Gone : HolderWords.Expired);
            }
            else
            {
                threads.LetGo();
                Say(answers, HolderWords.Refused);
            }
        }
        catch (IOException)
        {
            // Nobody listens any more: the threads are let go by the end of this method.
        }
    }

    private static void Say(TextWriter answers, string line)
    {
        answers.Write(line + "\n");
        answers.Flush();
    }
}
