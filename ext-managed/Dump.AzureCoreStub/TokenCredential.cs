namespace Azure.Core;

/// <summary>
/// Nothing. ClrMD's options for opening a dump have a property of this type, and compiled ahead of time what names a type that is not there fails as a whole.
/// </summary>
public abstract class TokenCredential;
