/// <summary>
/// What .NET runs in a program before its own code where DOTNET_STARTUP_HOOKS names this assembly ("Host startup hook" of .NET's documentation gives the name and
/// that it is in no namespace): an analysis that never ends, of which nothing else is to be made, since whatever could hold one up is refused or limited.
/// </summary>
internal static class StartupHook
{
    /// <summary>Stands still in analyses of records.</summary>
    public static void Initialize()
    {
        if (Environment.GetCommandLineArgs().Contains("merge"))
        {
            Thread.Sleep(Timeout.Infinite);
        }
    }
}
