package main

// The command line calls these functions.
var (
	_ = runConsole
	_ = runConsoleBuild
)
