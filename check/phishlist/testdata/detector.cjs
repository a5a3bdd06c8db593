// Usage: node detector.cjs LIST
//
// Reads a list of eth-phishing-detect as MetaMask's phishing controller does. Each line of the
// input is a URL, and each line of the output whether it is blocked.
const { createInterface } = require('node:readline')
const { PhishingDetector } = require('@metamask/phishing-controller')

const { whitelist, blacklist } = JSON.parse(process.argv[2])
const detector = new PhishingDetector([{ name: 'list', version: 1, tolerance: 0, fuzzylist: [], allowlist: whitelist, blocklist: blacklist }])

const main = async () => {
  for await (const url of createInterface({ input: process.stdin })) {
    process.stdout.write(`${detector.check(url).result}\n`)
  }
}
main()
