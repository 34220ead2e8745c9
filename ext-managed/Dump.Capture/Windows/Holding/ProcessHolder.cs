using System.Globalization;
using System.Runtime.Versioning;

namespace Dump.Capture.Windows.Holding;

/// <summary>
/// Stops a process and lets it go for another process of this program, and lets it go as well when that one ends, however that comes: then nobody asks any
/// more. Nothing in this process runs foreign code.
/// </summary>
[SupportedOSPlatform("windows")]
public static class ProcessHolder
{
    /// <summary>Serves until it is asked to let the process go, or nobody can ask any more.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="mostThreads">Most threads to suspend.</param>
    /// <param name="questions">Lines of <see cref="HolderWords"/>; its end means that who asked has ended.</param>
    /// <param name="answers">Where answers go to.</param>
    public static void Serve(int process, int mostThreads, TextReader questions, TextWriter answers)
    {
        using HeldThreads threads = new(process);
        try
        {
            Say(answers, HolderWords.Ready);
            if (questions.ReadLine() != HolderWords.Stop)
            {
                return;
            }

            // Said at once, so that who asked can let go those that are suspended when this process is killed.
            if (threads.Stop(mostThreads, (id, before) => Say(answers, string.Create(CultureInfo.InvariantCulture, $"{HolderWords.Thread} {id} {before}"))))
            {
                Say(answers, HolderWords.Stopped);
                _ = questions.ReadLine();
                threads.LetGo();
                Say(answers, HolderWords.Gone);
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
