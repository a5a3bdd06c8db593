// Usage: node verdicts.cjs FORMAT LIST URL...
//
// Reads the file LIST as programs do that block what a list of this format names, and prints
// the verdict of each URL as a JSON array of booleans: true if it is blocked.
const { readFileSync } = require('node:fs')

const detectors = {
  adblock(list) {
    const { FiltersEngine, Request } = require('@ghostery/adblocker')
    const engine = FiltersEngine.parse(list)
    return (url) => engine.match(Request.fromRawDetails({ url, type: 'script' })).match
  },
  'eth-phishing-detect'(list) {
    const PhishingDetector = require('eth-phishing-detect/src/detector')
    const detector = new PhishingDetector(JSON.parse(list))
    return (url) => detector.check(new URL(url).hostname).result
  },
}

const [format, file, ...urls] = process.argv.slice(2)
const isBlocked = detectors[format](readFileSync(file, 'utf8'))
console.log(JSON.stringify(urls.map(isBlocked)))
