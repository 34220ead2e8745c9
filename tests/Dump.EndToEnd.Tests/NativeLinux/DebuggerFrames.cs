using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>The frames that gdb finds on the threads of a core.</summary>
internal static partial class DebuggerFrames
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    /// <summary>Instruction pointers of all frames but inlined ones, which have none of their own, by thread.</summary>
    /// <param name="debugger">Path of gdb.</param>
    /// <param name="core">Path of the core.</param>
    /// <param name="program">Path of its program.</param>
    /// <param name="root">Where the files of its system lie; null for those of this machine.</param>
    public static Dictionary<uint, ulong[]> Of(string debugger, string core, string program, string? root = null)
    {
        const string Script = """
            python
            for t in gdb.selected_inferior().threads():
                t.switch()
                f = gdb.newest_frame()
                line = "thread %d" % t.ptid[1]
                while f is not None:
                    if f.type() in (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME):
                        line += " %x" % f.pc()
                    f = f.older()
                print(line)
            end
            """;
        string commands = Path.GetTempFileName();
        File.WriteAllText(commands, $"set backtrace past-main on\nset backtrace past-entry on\n{Script}\n");
        ProcessStartInfo start = new(debugger, ["-batch", "-nx", "-iex", root is null ? "set confirm off" : $"set sysroot {root}", "-x", commands, program, core])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment.Remove("DEBUGINFOD_URLS");
        try
        {
            using Process process = Process.Start(start)!;
            Task<string> errors = process.StandardError.ReadToEndAsync();
            string output = process.StandardOutput.ReadToEnd();
            Assert.True(process.WaitForExit(s_limit), errors.Result);
            return ThreadLine().Matches(output).ToDictionary(
                m => uint.Parse(m.Groups[1].ValueSpan, CultureInfo.InvariantCulture),
                m => m.Groups[2].Value.Split(' ', StringSplitOptions.RemoveEmptyEntries)
                    .Select(a => ulong.Parse(a, NumberStyles.HexNumber, CultureInfo.InvariantCulture)).ToArray());
        }
        finally
        {
            File.Delete(commands);
        }
    }

    [GeneratedRegex("^thread (\\d+)((?: [0-9a-f]+)*)$", RegexOptions.Multiline)]
    private static partial Regex ThreadLine();
}
