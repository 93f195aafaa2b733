// The embedder and the model of the memory benchmark, in a process of their own. A vector is made of the words of its text, so that similar
// texts have similar vectors. The model answers with what the local rules find in the next conversation, computed beforehand.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { benchConversations, dimension } from './memory-data.ts'

const answers = benchConversations(Number(process.argv[2])).map(({ facts }) =>
  JSON.stringify({ memory: facts.map((text, no) => ({ id: String(no), text, attributed_to: 'user' })) }),
)
let asked = 0

const server = createServer(async (request, response) => {
  const body = await read(request)
  const answer = request.url?.endsWith('/embeddings') ? embeddings(JSON.parse(body).input) : completion()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }))

// The parent process has ended: nothing else would stop this one.
process.once('disconnect', () => process.exit(0))

function embeddings(input: string | readonly string[]) {
  const data = [input].flat().map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
  return { object: 'list', model: 'bench', data, usage: { prompt_tokens: 1, total_tokens: 1 } }
}

function completion() {
  const content = answers[asked % answers.length] ?? ''
  asked += 1
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  return { id: 'chatcmpl-1', object: 'chat.completion', model: 'bench', choices }
}

function vectorOf(text: string): readonly number[] {
  const vector = new Array<number>(dimension).fill(0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2166136261
    for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 16777619)
    for (let part = 0; part < 8; part += 1) {
      hash = Math.imul(hash ^ (hash >>> 15), 2246822519) + part
      const place = (hash >>> 8) % dimension
      vector[place] = (vector[place] ?? 0) + (hash & 1 ? 1 : -1)
    }
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => Number((value / length).toFixed(5)))
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
