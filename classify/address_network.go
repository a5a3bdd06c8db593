package classify

// Network names the blockchain network that an ADDRESS belongs to. The set is
// closed, [Networks] returns all of it. The zero value is no network.
//
// A word that begins as an address in bech32 does, goes on with nothing but
// digits of bech32, and has enough of them, is a damaged address and no handle.
// After bc1 and ltc1 eleven are enough, as many as the shortest address has, and
// after all other beginnings twenty. With an @ before it, it is a handle.
type Network string

// The networks whose addresses are recognised, in the order in which they are
// tried. Networks that share one form of address share one name. Only main nets
// count.
const (
	// NetworkEVM: every network that runs the Ethereum Virtual Machine.
	NetworkEVM Network = "evm"
	// NetworkMove: Aptos, Sui and Starknet, with all 64 digits.
	NetworkMove Network = "move"
	// NetworkBitcoin: Bitcoin. The old addresses of Bitcoin Cash and the first P2SH
	// addresses of Litecoin, which begin with 3, look the same and count as Bitcoin.
	NetworkBitcoin Network = "bitcoin"
	// NetworkLitecoin: Litecoin, without its MimbleWimble extension.
	NetworkLitecoin Network = "litecoin"
	// NetworkDogecoin: Dogecoin.
	NetworkDogecoin Network = "dogecoin"
	// NetworkDash: Dash.
	NetworkDash Network = "dash"
	// NetworkZcash: transparent and TEX addresses of Zcash, no shielded ones.
	NetworkZcash Network = "zcash"
	// NetworkBitcoinCash: cashaddr addresses of Bitcoin Cash, also those that say
	// that they take tokens.
	NetworkBitcoinCash Network = "bitcoincash"
	// NetworkTron: TRON, in base58.
	NetworkTron Network = "tron"
	// NetworkXRP: classic and X-addresses of the XRP Ledger.
	NetworkXRP Network = "xrp"
	// NetworkStellar: accounts, muxed accounts and contracts of Stellar.
	NetworkStellar Network = "stellar"
	// NetworkCardano: addresses and stake addresses of Cardano, Byron's included.
	NetworkCardano Network = "cardano"
	// NetworkCosmos: accounts and contracts of all networks built with the Cosmos
	// SDK whose prefix is known.
	NetworkCosmos Network = "cosmos"
	// NetworkSubstrate: accounts of Polkadot, Kusama and all others that use SS58.
	NetworkSubstrate Network = "substrate"
	// NetworkTON: The Open Network.
	NetworkTON Network = "ton"
	// NetworkAlgorand: Algorand.
	NetworkAlgorand Network = "algorand"
	// NetworkTezos: accounts, contracts and smart rollups of Tezos.
	NetworkTezos Network = "tezos"
	// NetworkSolana: Solana. Its addresses are base58 of 32 bytes, without any
	// checksum, so that letter case must tell them from what remains of a damaged
	// address in bech32 or base32: a text with more than 24 letters of which one at
	// most is of the other case is refused. Fewer than one key in a hundred million
	// is written so, but those with few letters, which are mostly padding, as the
	// addresses of Solana's own programs are, are taken in any case.
	NetworkSolana Network = "solana"
)
