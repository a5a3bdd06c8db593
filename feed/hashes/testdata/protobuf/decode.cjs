// Usage: node decode.cjs RESPONSE...
//
// Reads responses of a server in their order, with protobufjs and the message definition that Google
// publishes, and applies each to the lists that the ones before have made. It checks the checksums. For
// each response it prints a line of JSON: an array of the lists, with their hashes in hexadecimal.
const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const protobuf = require('protobufjs')

const definitions = path.join(path.dirname(require.resolve('google-proto-files/package.json')))
const root = new protobuf.Root()
root.resolvePath = (_, target) => (path.isAbsolute(target) ? target : path.join(definitions, target))
root.loadSync('google/security/safebrowsing/v5/safebrowsing.proto')
const Response = root.lookupType('google.security.safebrowsing.v5.BatchGetHashListsResponse')

// numbers decodes a Rice-delta coding, or the absence of one.
function numbers(rice, least, most) {
  if (!rice) return []
  let at = 0
  const bit = () => (rice.encodedData[at >> 3] >> (at++ & 7)) & 1
  const list = [BigInt(rice.firstValue.toString())]
  if (rice.entriesCount > 0 && (rice.riceParameter < least || rice.riceParameter > most)) throw new Error('Rice parameter')
  for (let i = 0; i < rice.entriesCount; i++) {
    let quotient = 0n
    while (bit()) quotient++
    let rest = 0n
    for (let low = 0; low < rice.riceParameter; low++) rest |= BigInt(bit()) << BigInt(low)
    list.push(list.at(-1) + (quotient << BigInt(rice.riceParameter)) + rest)
  }
  if (at > 8 * rice.encodedData.length) throw new Error('the data ends early')
  return list
}

const held = { blocked: [], allowed: [] }
for (const file of process.argv.slice(2)) {
  const response = Response.decode(readFileSync(file))
  const lists = response.hashLists.map((list) => {
    if (list.compressedAdditions && list.compressedAdditions !== 'additionsEightBytes') throw new Error('length of hashes')
    const removed = new Set(numbers(list.compressedRemovals, 3, 30).map(Number))
    const kept = list.partialUpdate ? held[list.name].filter((_, i) => !removed.has(i)) : []
    const hashes = [...kept, ...numbers(list.additionsEightBytes, 35, 62)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    held[list.name] = hashes
    const texts = hashes.map((hash) => hash.toString(16).padStart(16, '0'))
    const checksum = createHash('sha256').update(Buffer.from(texts.join(''), 'hex')).digest()
    if (!checksum.equals(list.sha256Checksum)) throw new Error(`checksum of ${list.name}`)
    return {
      name: list.name,
      version: Buffer.from(list.version).toString('base64url'),
      partial: list.partialUpdate,
      wait: Number(list.minimumWaitDuration.seconds),
      hashes: texts,
    }
  })
  console.log(JSON.stringify(lists))
}
