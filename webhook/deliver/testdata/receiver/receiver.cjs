// Usage: node receiver.cjs
//
// Receives messages as a program does that uses the library of the specification. It prints the
// port on which it serves, and ends when its standard input does. PUT sets the secret. POST answers
// 200 and the type of the event if the library verifies the message, or else 401 and why not.
const { createServer } = require('node:http')
const { text } = require('node:stream/consumers')
const { Webhook } = require('standardwebhooks')

let webhook

async function serve(request, response) {
  const body = await text(request)
  if (request.method === 'PUT') {
    webhook = new Webhook(body)
    response.end()
    return
  }
  try {
    response.end(webhook.verify(body, request.headers).type)
  } catch (error) {
    response.writeHead(401).end(error.message)
  }
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.resume().on('end', () => process.exit())
