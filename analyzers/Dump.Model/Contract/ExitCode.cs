namespace Dump.Model.Contract;

/// <summary>Exit codes of <c>dumpanalyze</c>. The debugger extension gets them generated (<c>ext-native/src/engine/contract.hpp</c>).</summary>
public static class ExitCode
{
    /// <summary>Analysed, nothing at or above the level of <c>--fail-on</c>.</summary>
    public const int Success = 0;

    /// <summary>The program itself failed, or one of its detectors.</summary>
    public const int ToolError = 1;

    /// <summary>The command line is wrong.</summary>
    public const int Usage = 2;

    /// <summary>The dump or process cannot be read.</summary>
    public const int Unreadable = 3;

    /// <summary>A confirmed verdict.</summary>
    public const int Confirmed = 10;

    /// <summary>A likely verdict.</summary>
    public const int Likely = 11;

    /// <summary>A suspected verdict; of <c>triage</c> and <c>merge</c> only with <c>--fail-on suspected</c>.</summary>
    public const int Suspected = 12;

    /// <summary>Nothing at or above the level of <c>--fail-on</c> was found, but data are missing.</summary>
    public const int Undecidable = 13;

    /// <summary>No hang that counts was found, but the process has crashed: the dump was written for that.</summary>
    public const int Crashed = 14;

    /// <summary>Interrupted by Ctrl+C: 128 and the number of SIGINT, as shells have it.</summary>
    public const int Interrupted = 130;

    /// <summary>True for the codes of a program that came to its end and answered, also with "cannot decide".</summary>
    /// <param name="code">An exit code.</param>
    public static bool IsAnswer(int code) => code is Success or Confirmed or Likely or Suspected or Undecidable or Crashed;
}
