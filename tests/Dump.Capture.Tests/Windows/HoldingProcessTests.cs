using Dump.Capture.Windows.Holding;

namespace Dump.Capture.Tests.Windows;

/// <summary>The process that holds a target, with a shell as stand-in that does not do what it is asked.</summary>
public sealed class HoldingProcessTests
{
    [Fact]
    public void A_holder_that_does_not_end_and_whose_pipe_another_process_keeps_open_is_not_waited_for()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        string keeper = Path.GetTempFileName();
        try
        {
            // The child in the background inherits the pipe, and lives until this test has ended.
            string script = $"(while [ -e '{keeper}' ]; do sleep 1; done) & echo ready; read a; echo thread 7 0; echo stopped; read b; exec sleep 3600";
            using RecordedThreads threads = new(new Dictionary<uint, int> { [7] = 1 });
            using (HoldingProcess holder = HoldingProcess.Start(1, ["/bin/sh", "-c", script], () => threads, TimeSpan.FromSeconds(5)))
            {
                Assert.Equal(0, holder.Stop(TimeSpan.FromHours(1))[7]);
                holder.LetGo();
                Assert.Equal(0, threads.Counts[7]);
            }
        }
        finally
        {
            File.Delete(keeper);
        }
    }
}
