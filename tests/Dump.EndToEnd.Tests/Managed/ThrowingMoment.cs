using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// The reader of the scene <c>dictionary-cycle</c> throws most of the time. Few cores, about one of ten, catch it where the runtime cannot walk its stack, and
/// then rightly nothing is found: another core is made, so that a test fails only when none of several shows it.
/// </summary>
internal static class ThrowingMoment
{
    private const string Scene = "dictionary-cycle";
    private const int MostAttempts = 8;

    /// <summary>What is found in the given core, or in another one of the same scene where that shows nothing.</summary>
    /// <param name="scene">The scene; of any other the first core is the only one.</param>
    /// <param name="first">The core to begin with.</param>
    /// <param name="again">Makes another one.</param>
    /// <param name="look">Looks at a core.</param>
    /// <param name="showsNothing">True for what an unlucky moment shows.</param>
    public static (LabDump Dump, T Found) Passed<T>(
        string scene, LabDump first, Func<LabDump> again, Func<LabDump, T> look, Func<T, bool> showsNothing) =>
        OfCores(scene == Scene ? MostAttempts : 1, first, again, look, showsNothing);

    /// <summary>What is found in the first core, or in another one where an unlucky moment was caught.</summary>
    /// <param name="most">Most cores that are looked at.</param>
    /// <param name="first">The core to begin with.</param>
    /// <param name="again">Makes another one.</param>
    /// <param name="look">Looks at a core.</param>
    /// <param name="isUnlucky">True for what an unlucky moment shows.</param>
    public static (LabDump Dump, T Found) OfCores<T>(int most, LabDump first, Func<LabDump> again, Func<LabDump, T> look, Func<T, bool> isUnlucky)
    {
        LabDump dump = first;
        T found = look(dump);
        for (int attempt = 1; attempt < most && isUnlucky(found); attempt++)
        {
            dump = again();
            found = look(dump);
        }

        return (dump, found);
    }
}
