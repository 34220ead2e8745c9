using Dump.Capture.Windows.Holding;

namespace Dump.Capture.Tests.Windows;

/// <summary>What the process that holds another one answers, and when it lets that go.</summary>
public sealed class ProcessHolderTests
{
    private static Dictionary<uint, int> Before => new() { [1] = 0, [2] = 1 };

    [Theory]
    [InlineData("stop 60000\ngo\n", "ready\nthread 1 0\nthread 2 1\nstopped\ngone\n")]
    [InlineData("stop 60000\n", "ready\nthread 1 0\nthread 2 1\nstopped\ngone\n")] // Who asks has ended.
    [InlineData("go\n", "ready\n")]
    [InlineData("stop\n", "ready\n")]
    [InlineData("stop -1\n", "ready\n")]
    [InlineData("", "ready\n")]
    public void Questions_are_answered_and_the_threads_let_go(string questions, string expected)
    {
        RecordedThreads threads = new(Before);
        Assert.Equal(expected, Serve(threads, new StringReader(questions)));
        Assert.Equal(Before, threads.Counts);
    }

    [Fact]
    public void Process_that_cannot_be_stopped_is_said_to_be_so() =>
        Assert.Equal("ready\nrefused\n", Serve(new RecordedThreads([]), new StringReader("stop 1\n")));

    /// <summary>Nobody asks to let go, and nobody ends: what is done with the process hangs.</summary>
    [Fact]
    public void Threads_are_let_go_when_the_time_is_over()
    {
        RecordedThreads threads = new(Before);
        using StandingReader questions = new("stop 1");
        Assert.Equal("ready\nthread 1 0\nthread 2 1\nstopped\nexpired\n", Serve(threads, questions));
        Assert.Equal(Before, threads.Counts);
    }

    private static string Serve(RecordedThreads threads, TextReader questions)
    {
        using StringWriter answers = new();
        ProcessHolder.Serve(threads, 1000, questions, answers);
        return answers.ToString();
    }

    /// <summary>One line, and then nothing until it is disposed.</summary>
    private sealed class StandingReader(string line) : TextReader
    {
        private readonly ManualResetEventSlim _end = new();
        private bool _isRead;

        public override string? ReadLine()
        {
            if (!_isRead)
            {
                _isRead = true;
                return line;
            }

            _end.Wait();
            return null;
        }

        protected override void Dispose(bool disposing) => _end.Set();
    }
}
