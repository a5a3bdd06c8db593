package classify

// cosmosPrefixes holds the human-readable parts of main networks of the Cosmos SDK, and
// of others with the same address format, in ascending order. None contains the digit 1,
// which ends the prefix. The source is the public Cosmos chain registry.
var cosmosPrefixes = [...]string{
	"6x", "aaron", "acre", "addr_safro", "agoric", "aioz", "akash", "allo", "althea", "amitis", "andr",
	"arcana", "archway", "arkeo", "arkh", "atone", "aura", "axelar", "axm", "axone", "band", "bb", "bbn",
	"bcna", "bcx", "bitsong", "blockx", "bluechip", "bluzelle", "bnb", "bostrom", "boua", "bze", "c4e", "canto",
	"celestia", "cheqd", "chihuahua", "chimba", "cife", "cnho", "comdex", "core", "cosmos", "coss", "crc",
	"cre", "cro", "cvn", "darc", "decentr", "desmos", "did:com:", "divine", "dora", "dungeon", "dydx", "dym",
	"dys", "echelon", "emoney", "empower", "epix", "ethm", "ethos", "evmos", "ex", "fandom", "fetch", "firma",
	"fury", "furya", "galaxy", "genesis", "ggez", "gitopia", "gnodi", "gonka", "govgen", "gravity", "haqq",
	"hazina", "heli", "hippo", "human", "iaa", "idep", "imv", "init", "inj", "int3", "into", "ixo", "jkl",
	"jolt", "juno", "kava", "ki", "kii", "kima", "kopi", "kudo", "kujira", "kyve", "lava@", "lefeef", "like",
	"link", "lmn", "logos", "lom", "loop", "loyal", "lrz", "ltrst", "lum", "lumera", "lumi", "mande",
	"manifest", "mantle", "mantra", "maya", "medas", "meme", "migaloo", "mirage", "mises", "mtgbp", "muc",
	"mun", "mythos", "n", "neura", "neutaro", "neutron", "nibi", "nim", "noble", "nolus", "nomic", "octa",
	"odin", "omniflix", "opct", "optio", "orai", "osmo", "paloma", "panacea", "pasg", "paxi", "pb",
	"persistence", "pica", "plq", "point", "pokt", "px", "pylo", "qfs", "qie", "qor", "quasar", "qubetics",
	"quick", "qwoyn", "realio", "rebus", "regen", "rit", "rizon", "saga", "scorum", "secret", "seda", "sei",
	"self", "sent", "sge", "shareledger", "shentu", "shido", "sif", "somm", "source", "st", "stafi", "stars",
	"stoc", "stride", "sunrise", "swth", "symphony", "synt", "tail", "tenet", "terp", "terra", "thor", "titan",
	"tori", "turk", "umee", "und", "unicorn", "union", "ununifi", "uptick", "vector", "warden", "wolo",
	"wormhole", "xion", "xpla", "xyra", "yjay", "zen", "zeta", "zig", "zrn",
}
