using System.Diagnostics;
using System.Text;
using Dump.EndToEnd.Tests.Verdicts;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A running <c>dumpanalyze session</c>, asked in the way of the debugger extension (<c>ext-native/src/engine/session_protocol.hpp</c>).</summary>
internal sealed class EngineSession : IDisposable
{
    /// <summary>The kind of a request for memory.</summary>
    public const byte Memory = 4;

    /// <summary>The kind of a request for bytes of the description.</summary>
    public const byte Description = 6;

    private const int Limit = 300_000;
    private readonly Process _process;
    private readonly BinaryReader _answers;

    public EngineSession()
    {
        ProcessStartInfo start = DumpAnalyze.Start("session");
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _process = Process.Start(start)!;
        _answers = new BinaryReader(_process.StandardOutput.BaseStream);
    }

    /// <summary>Asks a question.</summary>
    /// <param name="symbolPath">The symbol path; empty for none.</param>
    /// <param name="arguments">The command line.</param>
    /// <returns>What a run of the program gives.</returns>
    public DumpAnalyze Ask(string symbolPath, params string[] arguments) =>
        Ask(symbolPath, "", (_, _, _) => throw new InvalidOperationException("A process was asked about."), arguments);

    /// <summary>Asks a question about a process.</summary>
    /// <param name="symbolPath">The symbol path; empty for none.</param>
    /// <param name="process">The name in the command line that stands for it; empty where all are names of dumps.</param>
    /// <param name="answer">The answer to a request of a kind for so many bytes from an address or an offset on, with their number before them.</param>
    /// <param name="arguments">The command line.</param>
    /// <returns>What a run of the program gives.</returns>
    public DumpAnalyze Ask(string symbolPath, string process, Func<byte, ulong, int, byte[]> answer, params string[] arguments)
    {
        byte[] texts = Encoding.UTF8.GetBytes(string.Concat(arguments.Prepend(process).Prepend(symbolPath).Select(t => t + "\0")));
        Send([.. BitConverter.GetBytes(texts.Length), .. texts]);
        using MemoryStream output = new();
        using MemoryStream errors = new();
        while (true)
        {
            byte kind = _answers.ReadByte();
            byte[] bytes = _answers.ReadBytes(_answers.ReadInt32());
            if (kind == 3)
            {
                return new DumpAnalyze(BitConverter.ToInt32(bytes), Encoding.UTF8.GetString(output.ToArray()), Encoding.UTF8.GetString(errors.ToArray()));
            }

            if (kind is Memory or Description)
            {
                Send(answer(kind, BitConverter.ToUInt64(bytes), BitConverter.ToInt32(bytes, sizeof(ulong))));
                continue;
            }

            (kind == 1 ? output : errors).Write(bytes);
        }
    }

    /// <summary>Sends bytes.</summary>
    public void Send(byte[] bytes)
    {
        if (bytes.Length == 0)
        {
            return;
        }

        _process.StandardInput.BaseStream.Write(bytes);
        _process.StandardInput.BaseStream.Flush();
    }

    /// <summary>Goes away as an asker, though not as a reader.</summary>
    public void CloseInput() => _process.StandardInput.Close();

    /// <summary>Asks nothing more, and gives the exit code and what it said on standard error.</summary>
    public (int ExitCode, string Error) End()
    {
        _process.StandardInput.Close();
        string error = _process.StandardError.ReadToEnd();
        Assert.True(_process.WaitForExit(Limit), "The session did not end with its input.");
        return (_process.ExitCode, error);
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.Dispose();
    }
}
