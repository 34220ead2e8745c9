namespace Azure.Core;

/// <summary>
/// Nothing. ClrMD's class for symbol servers has a field of this type, and its getter of the file locator names that class, so the runtime must know the
/// field's size even though no symbol server is ever asked.
/// </summary>
public readonly struct AccessToken;
