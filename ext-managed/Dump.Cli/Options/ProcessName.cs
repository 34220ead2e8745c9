using System.CommandLine.Parsing;
using System.Globalization;
using Dump.Capture;
using Dump.Model.Text;

namespace Dump.Cli.Options;

/// <summary>A process by the name of its program.</summary>
internal static class ProcessName
{
    private const int MostNamed = 10;
    private const int LongestLine = 60;

    /// <summary>The only one; 0 with an error of the command line when there is none or are several.</summary>
    /// <param name="argument">What was given.</param>
    /// <param name="ids">Ids of the processes of that name.</param>
    public static int Only(ArgumentResult argument, IReadOnlyList<int> ids)
    {
        if (ids is [var only])
        {
            return only;
        }

        string name = argument.Tokens[0].Value;
        argument.AddError(ids.Count == 0
            ? $"no process is called '{SafeText.Clean(name)}'; give the number of one, such as 4711 (dumpanalyze live, without one, lists .NET processes)."
            : string.Create(CultureInfo.InvariantCulture, $"{ids.Count} processes are called '{SafeText.Clean(name)}'; give the number of one: ")
                + $"{string.Join(", ", ids.Take(MostNamed).Select(Described))}{(ids.Count > MostNamed ? string.Create(CultureInfo.InvariantCulture, $" and {ids.Count - MostNamed} more") : "")}.");
        return 0;
    }

    /// <summary>The arguments tell processes apart, not the folder that the program lies in.</summary>
    private static string Described(int id) => LivingProcesses.CommandLine(id)?.Split(' ', 2) is [var program, .. var arguments]
        ? string.Create(CultureInfo.InvariantCulture, $"{id} ({SafeText.Clean(string.Join(' ', arguments.Prepend(Path.GetFileName(program))), LongestLine)})")
        : id.ToString(CultureInfo.InvariantCulture);
}
