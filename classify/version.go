package classify

// Version names the rules of this package. It is raised whenever a canonical form, a [Site] or a
// cover changes. Stores, hash lists and the description of the HTTP API tell it. A database
// that was made before versions has version 0.
const Version = 1
