namespace Dump.WindowsCheck.Checking;

/// <summary>What <c>windows-check check</c> is told.</summary>
internal sealed record CheckOptions
{
    /// <summary>Folder of the built native samples.</summary>
    public string Samples { get; init; } = Path.Combine("artifacts", "samples");

    /// <summary>The program that judges.</summary>
    public string Program { get; init; } = Path.Combine("artifacts", "bin", "Dump.Cli", "release", "dumpanalyze.exe");

    /// <summary>File for the table, or null.</summary>
    public string? Table { get; init; }

    /// <summary>The only sample to check, or null for all.</summary>
    public string? Only { get; init; }

    /// <summary>A library with MiniDumpWriteDump, or null for the system's.</summary>
    public string? DumpWriter { get; init; }

    /// <summary>Reads pairs of names and values; null when something is wrong.</summary>
    public static CheckOptions? Parse(string[] arguments)
    {
        CheckOptions options = new();
        for (int i = 0; i < arguments.Length; i += 2)
        {
            if (i + 1 == arguments.Length)
            {
                return null;
            }

            string value = arguments[i + 1];
            switch (arguments[i])
            {
                case "--samples": options = options with { Samples = value }; break;
                case "--program": options = options with { Program = value }; break;
                case "--table": options = options with { Table = value }; break;
                case "--only": options = options with { Only = value }; break;
                case "--dump-writer": options = options with { DumpWriter = value }; break;
                default: return null;
            }
        }

        return options;
    }
}
