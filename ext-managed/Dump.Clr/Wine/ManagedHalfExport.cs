using Dump.Clr.Runtimes;
using Dump.Model.Process;

namespace Dump.Clr.Wine;

/// <summary>
/// The part of the program that runs under Wine: reads the managed half where the runtime's data-access library can run, and hands it over in a file.
/// </summary>
public static class ManagedHalfExport
{
    /// <summary>The command of the program that does it.</summary>
    public const string CommandName = "managed-half";

    /// <summary>The option that says which collections to check.</summary>
    public const string ScopeOption = "--collections";

    /// <summary>The option with the address of the only collection to check, a decimal number.</summary>
    public const string AddressOption = "--collection";

    /// <summary>The option that asks for pending async methods.</summary>
    public const string AsyncTasksOption = "--async-tasks";

    /// <summary>The option that asks for requests.</summary>
    public const string RequestsOption = "--requests";

    /// <summary>The option that asks for the strings of users in requests as well.</summary>
    public const string RequestValuesOption = "--request-values";

    /// <summary>The option that asks for async methods that cannot go on, where the heap is small.</summary>
    public const string AsyncWaitsOption = "--async-waits";

    /// <summary>Reads and writes it.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="path">Path of the dump.</param>
    /// <param name="output">Path of the file to write. A file and not standard output, because Wine's own processes inherit a pipe and hold it open.</param>
    /// <param name="options">How to read.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Write(ProcessSnapshot native, string path, string output, ClrReadOptions options, CancellationToken cancellation = default)
    {
        ManagedHalf? half = ClrSnapshotReader.ReadHalf(native, path, options, null, cancellation);
        using FileStream file = File.Create(output);
        ManagedHalfJson.Write(file, half);
    }
}
