using System.Collections.Immutable;

namespace Dump.Clr.Requests;

/// <summary>
/// Objects of Npgsql, the library for PostgreSQL: an async method of a command keeps it in <c>this</c>. Names: npgsql/npgsql, src/Npgsql/NpgsqlCommand.cs,
/// NpgsqlConnection.cs, NpgsqlConnectionStringBuilder.cs. Checked on 10.0.0.
/// </summary>
internal static class NpgsqlLayout
{
    /// <summary>Name of its assembly.</summary>
    public const string Assembly = "Npgsql";

    /// <summary>How the names of a command's methods begin.</summary>
    public const string Methods = "Npgsql.NpgsqlCommand.";

    /// <summary>The field of their state machines for the command: the compiler's name for <c>this</c> (Roslyn, GeneratedNames).</summary>
    public const string This = "<>4__this";

    /// <summary>Type of a command; others derive from it.</summary>
    public const string Command = "Npgsql.NpgsqlCommand";

    /// <summary>What a command does, 4 bytes.</summary>
    public const string State = "_state";

    /// <summary>There: it is being executed (CommandState).</summary>
    public const int InProgress = 1;

    /// <summary>The text of a command.</summary>
    public const string Text = "_commandText";

    /// <summary>The connection of a command.</summary>
    public const string Connection = "<InternalConnection>k__BackingField";

    /// <summary>The settings of a connection.</summary>
    public const string Settings = "<Settings>k__BackingField";

    /// <summary>The host among them.</summary>
    public const string Host = "_host";

    /// <summary>The port among them, 4 bytes.</summary>
    public const string Port = "_port";

    /// <summary>The database among them.</summary>
    public const string Database = "_database";

    /// <summary>Releases on which the layout was checked, by their first numbers.</summary>
    public static ImmutableArray<int> Checked { get; } = [10];

    /// <summary>Fields of a command without which none is read.</summary>
    public static ImmutableArray<string> Required { get; } = [State, Text, Connection];
}
