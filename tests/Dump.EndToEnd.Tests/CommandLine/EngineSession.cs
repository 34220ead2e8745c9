using System.Diagnostics;
using System.Text;
using Dump.EndToEnd.Tests.Verdicts;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A running <c>dumpanalyze session</c>, asked in the way of the debugger extension (<c>ext-native/src/engine/session_protocol.hpp</c>).</summary>
internal sealed class EngineSession : IDisposable
{
    private const int Limit = 300_000;
    private readonly Process _process;
    private readonly BinaryReader _answers;

    public EngineSession()
    {
        ProcessStartInfo start = new("dotnet", [DumpAnalyze.Program, "session"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        _process = Process.Start(start)!;
        _answers = new BinaryReader(_process.StandardOutput.BaseStream);
    }

    /// <summary>Asks a question.</summary>
    /// <param name="symbolPath">The symbol path; empty for none.</param>
    /// <param name="arguments">The command line.</param>
    /// <returns>What a run of the program gives.</returns>
    public DumpAnalyze Ask(string symbolPath, params string[] arguments)
    {
        byte[] texts = Encoding.UTF8.GetBytes(string.Concat(arguments.Prepend(symbolPath).Select(t => t + "\0")));
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

            (kind == 1 ? output : errors).Write(bytes);
        }
    }

    /// <summary>Sends bytes.</summary>
    public void Send(byte[] bytes)
    {
        _process.StandardInput.BaseStream.Write(bytes);
        _process.StandardInput.BaseStream.Flush();
    }

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
