namespace Dump.Model.Facts;

/// <summary>What differs between things of one kind that are missing.</summary>
/// <param name="Count">How many are concerned; 1 where nothing is counted.</param>
/// <param name="Subject">What it is missing of, such as a module; empty where the kind says it all. The same lack of two dumps has the same.</param>
/// <param name="Detail">What else the words tell, such as why or an address; the same lack of two dumps may have another.</param>
public readonly record struct MissingParts(int Count, string Subject, string Detail);
