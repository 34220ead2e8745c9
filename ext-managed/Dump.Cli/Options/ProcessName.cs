using System.CommandLine.Parsing;
using System.Diagnostics;
using System.Globalization;
using Dump.Model.Text;

namespace Dump.Cli.Options;

/// <summary>A process by the name of its program.</summary>
internal static class ProcessName
{
    private const int MostNamed = 10;
    private const string Extension = ".exe";

    /// <summary>Ids of the processes of that name, ascending, this program itself left out.</summary>
    /// <param name="name">Name of a program; on Windows with or without its extension.</param>
    public static int[] Find(string name) => [.. Ids(name).Where(id => id != Environment.ProcessId).Order()];

    /// <summary>The only one; 0 with an error of the command line when there is none or are several.</summary>
    /// <param name="argument">What was given.</param>
    /// <param name="ids">Ids of the processes of that name.</param>
    public static int Only(ArgumentResult argument, int[] ids)
    {
        if (ids is [var only])
        {
            return only;
        }

        string name = argument.Tokens[0].Value;
        argument.AddError(ids.Length == 0
            ? $"no process is called '{SafeText.Clean(name)}'; give the number of one, such as 4711 (dumpanalyze live, without one, lists .NET processes)."
            : string.Create(CultureInfo.InvariantCulture, $"{ids.Length} processes are called '{SafeText.Clean(name)}'; give the number of one: ")
                + $"{string.Join(", ", ids.Take(MostNamed).Select(i => i.ToString(CultureInfo.InvariantCulture)))}{(ids.Length > MostNamed ? ", ..." : "")}.");
        return 0;
    }

    private static IEnumerable<int> Ids(string name)
    {
        bool hasExtension = OperatingSystem.IsWindows() && name.EndsWith(Extension, StringComparison.OrdinalIgnoreCase);
        foreach (Process process in Process.GetProcessesByName(hasExtension ? name[..^Extension.Length] : name))
        {
            using (process)
            {
                yield return process.Id;
            }
        }
    }
}
