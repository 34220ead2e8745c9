namespace Dump.Analysis.Rules;

/// <summary>A library that gets into other people's processes: a hook, an overlay, a security product.</summary>
/// <param name="File">Its file name in lower case, with extension and without directory.</param>
/// <param name="Category">What it is for.</param>
/// <param name="Vendor">Whose it is, in words.</param>
/// <param name="Source">Where that is published.</param>
public sealed record KnownModule(string File, KnownModuleCategory Category, string Vendor, string Source);
