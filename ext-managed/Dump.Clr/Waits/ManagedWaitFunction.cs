namespace Dump.Clr.Waits;

/// <summary>A method of the class library in which threads block.</summary>
/// <param name="Type">Full type name.</param>
/// <param name="Method">Method name.</param>
/// <param name="Kind">What it waits for.</param>
/// <param name="EndsByItself">True when the method's callers give it a time limit, which is then unknown here; false when it waits without end.</param>
internal sealed record ManagedWaitFunction(string Type, string Method, ManagedWaitKind Kind, bool EndsByItself = false);
