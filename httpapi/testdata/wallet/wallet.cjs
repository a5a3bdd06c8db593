// Usage: node wallet.cjs SERVER [STAMP]
//
// With STAMP, the controller begins with an empty list of this time stamp, as one that was installed.
// Runs MetaMask's phishing controller with its addresses redirected to a server. Each line of the input
// is a command as a JSON array, and each line of the output its result:
//
//   ["stalelist"], ["hotlist"], ["requests"]   refreshes this list, and returns the time stamp
//   ["check", URL...]                          whether each URL is blocked
//   ["request", URL...]                        whether a request of a page to each URL is blocked
//   ["lists"]                                  what the controller holds
//
// The packages that are replaced in package.json only serve the controller's other features.
const { createInterface } = require('node:readline')
const { PhishingController } = require('@metamask/phishing-controller')
const { Messenger } = require('@metamask/messenger')

const [server, stamp] = process.argv.slice(2)
const fetchFrom = globalThis.fetch
globalThis.fetch = (url, options) => {
  const { pathname, search } = new URL(url)
  return fetchFrom(server + pathname + search, options)
}
console.warn = console.error = () => {} // it warns that other controllers are missing
const controller = new PhishingController({
  messenger: new Messenger({ namespace: 'PhishingController' }),
  state: stamp === undefined ? {} : { phishingLists: [{
    name: 'MetaMask', version: 2, tolerance: 0, lastUpdated: Number(stamp),
    allowlist: [], blocklist: [], blocklistPaths: {}, fuzzylist: [], c2DomainBlocklist: [],
  }] },
})

const sorted = (lists) => lists.map(({ allowlist, blocklist, blocklistPaths, c2DomainBlocklist }) => ({
  allowlist: [...allowlist].sort(), blocklist: [...blocklist].sort(), blocklistPaths, hashes: [...c2DomainBlocklist].sort(),
}))

const commands = {
  stalelist: () => controller.updateStalelist(),
  hotlist: () => controller.updateHotlist(),
  requests: () => controller.updateC2DomainBlocklist(),
  check: (...urls) => urls.map((url) => controller.testOrigin(url).result),
  request: (...urls) => urls.map((url) => controller.isBlockedRequest(url).result),
  lists: () => sorted(controller.state.phishingLists),
}

const main = async () => {
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...args] = JSON.parse(line)
    const result = await commands[name](...args)
    process.stdout.write(`${JSON.stringify(result ?? controller.state.phishingLists[0]?.lastUpdated ?? 0)}\n`)
  }
}
main()
