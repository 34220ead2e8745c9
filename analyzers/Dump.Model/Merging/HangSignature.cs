namespace Dump.Model.Merging;

/// <summary>What two dumps of the same hang have in common: nothing of it depends on thread ids, addresses, load addresses or the order of threads.</summary>
/// <param name="Kind">What it was made of.</param>
/// <param name="RulesVersion">Version of the rules; hashes of different versions are not compared.</param>
/// <param name="ClassHash">Hash of <paramref name="ClassText"/> with the version: <c>v1-</c> and 16 hexadecimal digits.</param>
/// <param name="ClassText">The class of hang, readable, one line a part: equal for the same defect in all builds of the program.</param>
/// <param name="InstanceHash">Hash of <paramref name="InstanceText"/>, in the same form.</param>
/// <param name="InstanceText">The class, the versions and builds of the modules that take part, and the places of its functions without names.</param>
public sealed record HangSignature(SignatureKind Kind, int RulesVersion, string ClassHash, string ClassText, string InstanceHash, string InstanceText)
{
    /// <summary>The versions and builds of the modules that take part, one a line: the part of the instance that tells builds apart.</summary>
    public string Builds { get; init; } = "";

    /// <summary>
    /// Of a crash, what it is and the instruction at which it happened, by module, build and place; null for hangs, and where a function of the platform raised
    /// it or the instruction is in no module. Dumps of one crash share it even when only some of them can name functions.
    /// </summary>
    public string? CrashPlace { get; init; }

    /// <summary>True when the class names a function of the program.</summary>
    public bool NamesFunction { get; init; }
}
