namespace Dump.Analysis.Merging;

/// <summary>
/// One step of a normalised stack: a function of the program, or the function by which the program entered the platform or the platform called the program.
/// </summary>
/// <param name="Text">What the signature says.</param>
/// <param name="IsPlatform">True for a run of frames of the system, a runtime or a framework.</param>
/// <param name="IsLoader">True when the run is the loader, which calls or loads modules there.</param>
/// <param name="IsWait">True when the run only waits.</param>
/// <param name="IsUserInterface">True when the run goes through the window manager.</param>
/// <param name="Module">File name of the module, or null.</param>
/// <param name="Offset">For a function of the program without a name, its place in the module; else null.</param>
internal sealed record SignatureEntry(string Text, bool IsPlatform, bool IsLoader, bool IsWait, bool IsUserInterface, string? Module, ulong? Offset);
