using System.IO.Pipes;
using System.Text;
using Dump.Triage.Children;

namespace Dump.Triage.Tests.Children;

/// <summary>What a child said last is known although its stream never ends, and is no more than a few kilobytes.</summary>
public sealed class LastWordsTests : IDisposable
{
    private readonly AnonymousPipeServerStream _child = new(PipeDirection.Out);

    [Fact]
    public void Words_are_known_while_the_stream_is_open()
    {
        LastWords words = Read();
        Write("dumpanalyze: it was let go");
        Until(words, t => t == "dumpanalyze: it was let go");
        Assert.False(words.Reading.IsCompleted);
    }

    [Fact]
    public async Task Last_characters_are_kept()
    {
        LastWords words = Read();
        for (int i = 0; i < 3000; i++)
        {
            Write($"line {i}\n");
        }

        Until(words, t => t.EndsWith("line 2998\nline 2999\n", StringComparison.Ordinal));
        _child.Dispose();
        await words.Reading.WaitAsync(TimeSpan.FromMinutes(5));
        Assert.InRange(words.Text.Length, 4096, 8192);
    }

    public void Dispose() => _child.Dispose();

    private LastWords Read() => new(new AnonymousPipeClientStream(PipeDirection.In, _child.ClientSafePipeHandle));

    private void Write(string text) => _child.Write(Encoding.UTF8.GetBytes(text));

    private static void Until(LastWords words, Func<string, bool> condition) =>
        Assert.True(SpinWait.SpinUntil(() => condition(words.Text), TimeSpan.FromMinutes(5)), words.Text);
}
