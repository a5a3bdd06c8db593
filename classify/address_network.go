package classify

// Network is the blockchain network of an ADDRESS. [Networks] returns the complete set.
// The zero value is not a network.
//
// A word with the prefix of a bech32 address can be a damaged address or a handle. It
// is a damaged address if enough bech32 digits follow the prefix: 11 after bc1 and
// ltc1, as in the shortest address, and 20 after other prefixes. With an @ before it,
// it is always a handle.
type Network string

// The recognized networks, in the order in which they are tried. Networks that share an
// address format share a name. Addresses of test networks are refused.
const (
	// NetworkEVM is every network that runs the Ethereum Virtual Machine.
	NetworkEVM Network = "evm"
	// NetworkMove is Aptos, Sui and Starknet. Addresses have 64 hexadecimal digits. Up to
	// four leading zeros may be missing, and any number in an account ID.
	NetworkMove Network = "move"
	// NetworkBitcoin is Bitcoin. Legacy addresses of Bitcoin Cash, and addresses of
	// Litecoin that begin with 3, look the same and count as Bitcoin. So do those of Litecoin
	// that begin with M, because they are the same scripts.
	NetworkBitcoin Network = "bitcoin"
	// NetworkLitecoin is Litecoin, without MimbleWimble addresses and P2SH.
	NetworkLitecoin Network = "litecoin"
	// NetworkDogecoin is Dogecoin.
	NetworkDogecoin Network = "dogecoin"
	// NetworkDash is Dash.
	NetworkDash Network = "dash"
	// NetworkZcash is Zcash, with transparent and TEX addresses but no shielded ones.
	NetworkZcash Network = "zcash"
	// NetworkBitcoinCash is Bitcoin Cash, in cashaddr format, with or without
	// CashTokens.
	NetworkBitcoinCash Network = "bitcoincash"
	// NetworkTron is TRON, in base58 or hexadecimal digits.
	NetworkTron Network = "tron"
	// NetworkXRP is the XRP Ledger, with classic addresses and X-addresses.
	NetworkXRP Network = "xrp"
	// NetworkStellar is Stellar, with accounts, muxed accounts and contracts.
	NetworkStellar Network = "stellar"
	// NetworkCardano is Cardano, with payment and stake addresses, including those of
	// the Byron era.
	NetworkCardano Network = "cardano"
	// NetworkCosmos is every network of the Cosmos SDK with a known prefix.
	NetworkCosmos Network = "cosmos"
	// NetworkSubstrate is Polkadot, Kusama and every other network with SS58 addresses.
	NetworkSubstrate Network = "substrate"
	// NetworkTON is The Open Network.
	NetworkTON Network = "ton"
	// NetworkAlgorand is Algorand.
	NetworkAlgorand Network = "algorand"
	// NetworkTezos is Tezos, with accounts, contracts and smart rollups.
	NetworkTezos Network = "tezos"
	// NetworkSolana is Solana, whose addresses are 32 bytes in base58 without a checksum.
	// A key with more than 24 letters is refused if all letters, or all but one, have the
	// same case. It is more likely a damaged address in bech32 or base32; fewer than one
	// key in a hundred million looks like it. Addresses with 24 letters or fewer, such as
	// those of native programs, are accepted in any letter case.
	NetworkSolana Network = "solana"
)
