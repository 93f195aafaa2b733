import { beforeEach, expect, test } from 'vitest'
import type { Identity } from '../account/account.ts'
import type { CloudResult } from '../account/cloud-result.ts'
import { type Gateway, openGateway } from './gateway.ts'

let who: Identity | null
let models: readonly { id: string; dialects: readonly string[] }[]
let chosen: string | null
let kept: Map<string, string>
let asked: number
let token: () => Promise<string | null>
let gateway: Gateway

beforeEach(() => {
  who = { cloud_url: 'https://one.example.org', user_id: 'u', email: 'mara@example.org', session_id: 's', ended: null }
  models = [
    { id: 'demo/scripted', dialects: ['openai'] },
    { id: 'other/silent', dialects: ['anthropic'] },
    { id: 'house/large', dialects: ['openai'] },
  ]
  chosen = null
  kept = new Map()
  asked = 0
  token = async () => 'token-of-one'
  gateway = openGateway({
    account: {
      who: () => who,
      token: () => token(),
      async call<Body>(): Promise<CloudResult<Body>> {
        asked += 1
        return { kind: 'ok', body: { object: 'list', data: models } as Body }
      },
    },
    chosen: () => chosen,
    kept: { read: (url) => kept.get(url) ?? null, write: (url, model) => void kept.set(url, model) },
  })
})

test('offers nothing and sends no request while signed out', async () => {
  who = null
  await gateway.ready()
  expect([gateway.models(), asked]).toEqual([null, 0])
})

test('the first chat model is the default; it is requested once, and again only on demand', async () => {
  await Promise.all([gateway.ready(), gateway.ready()])
  await gateway.ready()
  expect([gateway.models(), asked]).toMatchObject([{ base_url: 'https://one.example.org/api/v1/llm', default_model: 'house/large' }, 1])
  models = [{ id: 'demo/scripted', dialects: ['openai'] }]
  await gateway.refresh()
  expect(gateway.models()?.default_model).toBe('demo/scripted')
})

test("the user's choice comes first, and then the cloud need not be asked", async () => {
  chosen = 'house/small'
  await gateway.ready()
  expect([gateway.models()?.default_model, asked]).toEqual(['house/small', 0])
})

test('never uses the token of one cloud for another, even if the user switches meanwhile', async () => {
  const offered = gateway.models()
  expect(await offered?.key()).toBe('token-of-one')
  const first = who
  const late = Promise.withResolvers<string | null>()
  token = () => late.promise
  const waiting = offered?.key()
  who = first && { ...first, cloud_url: 'https://two.example.org' }
  late.resolve('token-of-two')
  expect(await waiting).toBe(null)
  expect(await offered?.key()).toBe(null)
  expect(await gateway.models()?.key()).toBe('token-of-two')
  who = null
  expect(await offered?.key()).toBe(null)
})
