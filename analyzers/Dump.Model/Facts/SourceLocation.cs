using System.Globalization;
using System.Text.Json.Serialization;

namespace Dump.Model.Facts;

/// <summary>A place in source code, from a PDB file or other debug information that belongs to exactly the module that ran. It says nothing of how a frame was
/// found, and nothing is decided by it: frames are matched by module and function.</summary>
/// <param name="File">Path of the source file as the compiler wrote it down, cleaned: with the separators of the machine that built it.</param>
/// <param name="Line">Line, from 1.</param>
public sealed record SourceLocation([property: JsonPropertyOrder(0), JsonRequired] string File, [property: JsonPropertyOrder(1), JsonRequired] int Line)
{
    /// <summary>Column where the statement begins, from 1; absent when unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(2)]
    public int? Column { get; init; }

    /// <summary>True when the line is the nearest one that is known: optimised code keeps only some places of its lines. Absent otherwise.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyName("approximate"), JsonPropertyOrder(3)]
    public bool IsApproximate { get; init; }

    /// <summary>Address of the file by the SourceLink record of the debug information, without the line; absent when it has none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(4)]
    public string? Link { get; init; }

    /// <summary>The file's name without its directories, whichever way their separators lean.</summary>
    [JsonIgnore]
    public string FileName => File[(File.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>File name and line, as every text has them: <c>Orders.cs:118</c>; <c>Orders.cs:~118</c> where the line is approximate.</summary>
    [JsonIgnore]
    public string Text => string.Create(CultureInfo.InvariantCulture, $"{FileName}:{(IsApproximate ? "~" : "")}{Line}");
}
