import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { presets } from '../../config/llm/presets.ts'
import { openDirectory } from '../routing/directory.ts'
import { scriptedUpstream } from '../scripted/scripted.ts'
import { httpUpstream } from './http-upstream.ts'
import { ollamaFinder } from './ollama.ts'

/** The responses of Ollama, at its own address and at the OpenAI-compatible one. */
const names = ['llama3.2:latest', 'nomic-embed-text:latest']
const replies: Record<string, object> = {
  '/api/tags': { models: names.map((name) => ({ name, model: name, size: 2_019_393_189, details: { family: 'llama' } })) },
  '/v1/models': { object: 'list', data: names.map((id) => ({ id, object: 'model', created: 1_780_000_000, owned_by: 'library' })) },
}

const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

async function startOllama(port = 0): Promise<{ server: Server; port: number; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const reply = replies[request.url ?? '']
    response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(reply ?? { error: 'not found' }))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  open.push({ close: () => server.close().closeAllConnections() })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, port: address.port, asked }
}

/** A directory with the demo model, and an optional Ollama. */
function directoryWith(port: number) {
  let time = 0
  const finder = ollamaFinder(
    { ...presets.ollama, name: 'ollama', base_url: `http://127.0.0.1:${port}/v1` },
    (settings) => {
      const upstream = httpUpstream(settings)
      open.push(upstream)
      return upstream
    },
    () => time,
    { probe_ms: 10_000 },
  )
  const settings = { aliases: {}, fallbacks: {}, models: {} }
  const directory = openDirectory([scriptedUpstream()], settings, { now: () => time, missing: () => undefined, discover: finder })
  return { directory, passTime }

  function passTime(ms: number): void {
    time += ms
  }
}

test('a running Ollama is found, with its models, and can be called', async () => {
  const { port, asked } = await startOllama()
  const { directory } = directoryWith(port)
  expect((await directory.list()).map(({ id, owned_by, dialects, capabilities }) => [id, owned_by, dialects, capabilities])).toEqual([
    ['demo/scripted', 'demo', ['openai', 'anthropic'], ['chat', 'tools']],
    ['ollama/llama3.2:latest', 'ollama', ['openai', 'anthropic'], ['chat', 'tools']],
    ['ollama/nomic-embed-text:latest', 'ollama', ['openai', 'anthropic'], ['embeddings']],
  ])
  expect(directory.resolve(['ollama/llama3.2:latest'], 'chat_completions')).toMatchObject({
    ok: true,
    candidates: [{ id: 'ollama/llama3.2:latest', model: 'llama3.2:latest' }],
  })
  expect(asked).toEqual(['/v1/models', '/v1/models'])
})

test('one that is started later is found later, and looked for at most every ten seconds', async () => {
  const gone = await startOllama()
  gone.server.close()
  await once(gone.server, 'close')
  const { directory, passTime } = directoryWith(gone.port)
  const ids = async () => (await directory.list()).map(({ id }) => id)
  expect(await ids()).toEqual(['demo/scripted'])
  expect(directory.resolve(['ollama/llama3.2:latest'], 'chat_completions')).toMatchObject({ ok: false, code: 'model_not_found' })
  const { asked } = await startOllama(gone.port)
  passTime(9_000)
  expect([await ids(), asked]).toEqual([['demo/scripted'], []])
  passTime(2_000)
  expect(await ids()).toEqual(['demo/scripted', 'ollama/llama3.2:latest', 'ollama/nomic-embed-text:latest'])
  expect(directory.resolve(['ollama/llama3.2:latest'], 'chat_completions')).toMatchObject({ ok: true })
})
