import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { openModel } from './model.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

interface Asked {
  readonly path: string
  readonly key: string | undefined
  readonly body: { readonly model: string; readonly input: readonly string[] }
}

async function serving(
  answer: (asked: Asked) => { readonly status?: number; readonly body: unknown },
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  server = createServer(async (request, response) => {
    const one = { path: request.url ?? '', key: request.headers.authorization, body: JSON.parse(await bodyOf(request)) }
    asked.push(one)
    const { status = 200, body } = answer(one)
    response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const never = new AbortController().signal
const vector = (index: number, ...embedding: number[]) => ({ object: 'embedding', index, embedding })

test('vectors come in the order of the texts, whatever the order of the answer, from where the API is', async () => {
  const { url, asked } = await serving(({ path }) =>
    path === '/v1/embeddings' ? { body: { data: [vector(1, 3, 4), vector(0, 1, 2)] } } : { status: 404, body: 'not here' },
  )
  const model = openModel({ base_url: `${url}/openai`, key: async () => 'secret' }, systemClock)
  const missing = await model.embed('small', ['a'], never)
  expect(missing.ok).toBe(false)
  model.close()
  const right = openModel({ base_url: url, key: async () => 'secret' }, systemClock)
  expect(await right.embed('small', ['a', 'b'], never)).toEqual({
    ok: true,
    vectors: [Float32Array.from([1, 2]), Float32Array.from([3, 4])],
  })
  right.close()
  expect(asked.at(-1)).toMatchObject({ key: 'Bearer secret', body: { model: 'small', input: ['a', 'b'] } })
})

test.each([
  ['too few', { data: [vector(0, 1)] }],
  ['one twice', { data: [vector(0, 1), vector(0, 2)] }],
  ['of different lengths', { data: [vector(0, 1), vector(1, 2, 3)] }],
  ['empty', { data: [vector(0), vector(1)] }],
  ['of something else', { data: [vector(0, 1), { index: 1, embedding: 'AAAA' }] }],
  ['none', { data: 'x' }],
  ['no JSON', '<html>'],
])('vectors that are %s are refused', async (_what, body) => {
  const { url } = await serving(() => ({ body }))
  const model = openModel({ base_url: url, key: async () => null }, systemClock)
  const answer = await model.embed('small', ['a', 'b'], never)
  expect(answer).toMatchObject({
    ok: false,
    failure: { code: 'rejected', message: 'The embeddings model did not answer with one vector per text.' },
  })
  model.close()
})

test('a refusal is told in the words of the server, without the key', async () => {
  const { url } = await serving(() => ({ status: 401, body: { error: { message: 'the key sk-very-secret-key is wrong' } } }))
  const model = openModel({ base_url: url, key: async () => 'sk-very-secret-key' }, systemClock)
  const answer = await model.embed('small', ['a'], never)
  expect(answer).toMatchObject({ ok: false, failure: { code: 'unauthorized' } })
  expect(JSON.stringify(answer)).not.toContain('sk-very-secret-key')
  model.close()
})

test('an address that nobody answers at is named, and an aborted request throws its reason', async () => {
  const { url } = await serving(() => ({ body: {} }))
  server?.close()
  const model = openModel({ base_url: url, key: async () => null }, systemClock)
  expect(await model.embed('small', ['a'], never)).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  await expect(model.embed('small', ['a'], AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  model.close()
})
