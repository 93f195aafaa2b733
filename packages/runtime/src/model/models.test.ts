import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import type { KnownAddress } from './address.ts'
import type { Model } from './model.ts'
import { type Models, openModels } from './models.ts'

let servers: readonly Server[]
let [a, b] = ['', '']
let seen: string[]
let known: KnownAddress | null
let models: Models

beforeEach(async () => {
  seen = []
  servers = await Promise.all(['a', 'b'].map(serverCalled))
  ;[a = '', b = ''] = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  known = null
  models = openModels(() => known, systemClock)
})

afterEach(async () => {
  models.close()
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
})

/** Records the key of each request, and refuses it. */
async function serverCalled(name: string): Promise<Server> {
  const server = createServer((request, response) => {
    seen.push(`${name} ${request.headers.authorization ?? 'nothing'}`)
    response.writeHead(500).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function ask(model: Model | null): Promise<void> {
  const nothing = { messages: [], tools: [], temperature: null, onText: () => undefined }
  await model?.turn({ model: 'm', ...nothing, signal: new AbortController().signal })
}

const at = (base_url: string, key: string | null): KnownAddress => ({ base_url, key, default_model: null, source: 'settings' })

test('a retry after the address changed does not send the new key to the old address', async () => {
  known = at(a, 'key-a')
  const begun = models.current()
  known = at(b, 'key-b')
  await ask(begun)
  await ask(models.current())
  known = { ...at(a, 'key-of-the-environment'), source: 'environment' }
  await ask(begun)
  expect(seen).toEqual(['a Bearer key-a', 'b Bearer key-b', 'a Bearer key-a'])
})

test('another key for the same address is used immediately, and so is none', async () => {
  known = at(a, 'old')
  const begun = models.current()
  known = at(a, 'new')
  await ask(begun)
  known = at(a, null)
  await ask(begun)
  expect([models.current() === begun, seen]).toEqual([true, ['a Bearer new', 'a nothing']])
})

test('uses offered models with their own key while none is configured', async () => {
  expect(models.current()).toBeNull()
  models.offer({ base_url: a, default_model: 'm', key: async () => 'offered' })
  const begun = models.current()
  known = at(a, 'set')
  await ask(begun)
  await ask(models.current())
  models.offer({ base_url: a, default_model: 'm', key: async () => 'renewed' })
  await ask(begun)
  expect(seen).toEqual(['a Bearer offered', 'a Bearer set', 'a Bearer renewed'])
})
