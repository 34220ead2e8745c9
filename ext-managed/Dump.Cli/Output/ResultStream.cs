namespace Dump.Cli.Output;

/// <summary>Where the bytes of results go: standard output, or the answer to a question of a session.</summary>
internal static class ResultStream
{
    private static Stream? s_answer;

    /// <summary>Opens it.</summary>
    public static Stream Open() => s_answer ?? Console.OpenStandardOutput();

    /// <summary>Leads results, and messages on standard error, elsewhere until what is returned is disposed.</summary>
    /// <param name="answer">Takes results; closing it ends nothing.</param>
    /// <param name="errors">Takes messages, in UTF-8.</param>
    public static IDisposable Redirect(Stream answer, Stream errors)
    {
        Redirection redirection = new(Console.Out, Console.Error);
        s_answer = answer;
        Console.SetOut(new StreamWriter(answer) { AutoFlush = true });
        Console.SetError(new StreamWriter(errors) { AutoFlush = true });
        return redirection;
    }

    private sealed class Redirection(TextWriter output, TextWriter errors) : IDisposable
    {
        public void Dispose()
        {
            s_answer = null;
            Console.SetOut(output);
            Console.SetError(errors);
        }
    }
}
