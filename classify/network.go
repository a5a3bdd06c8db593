package classify

// Network names the blockchain network that an ADDRESS belongs to. The zero
// value is no network.
type Network string

// The networks whose addresses are recognised. Networks that share one form of
// address, as all that run the Ethereum Virtual Machine do, share one name.
const (
	NetworkEVM     Network = "evm"
	NetworkBitcoin Network = "bitcoin"
	NetworkTron    Network = "tron"
	NetworkSolana  Network = "solana"
)
