import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkedAddress, endpointUrl, isLocal } from './base-url.ts'

test.each([
  ['https://api.openai.com/v1', 'https://api.openai.com/v1', ['https://api.openai.com/v1']],
  ['https://api.openai.com/v1/', 'https://api.openai.com/v1', ['https://api.openai.com/v1']],
  [' https://api.openai.com/v1/chat/completions ', 'https://api.openai.com/v1', ['https://api.openai.com/v1']],
  ['https://api.openai.com/v1/models', 'https://api.openai.com/v1', ['https://api.openai.com/v1']],
  ['api.deepseek.com', 'https://api.deepseek.com', ['https://api.deepseek.com/v1', 'https://api.deepseek.com']],
  ['localhost:11434', 'http://localhost:11434', ['http://localhost:11434/v1', 'http://localhost:11434']],
  ['127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1', ['http://127.0.0.1:1234/v1']],
  ['192.168.1.7:8000', 'http://192.168.1.7:8000', ['http://192.168.1.7:8000/v1', 'http://192.168.1.7:8000']],
  ['[::1]:8080', 'http://[::1]:8080', ['http://[::1]:8080/v1', 'http://[::1]:8080']],
  ['https://openrouter.ai/api', 'https://openrouter.ai/api', ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1']],
  [
    'https://generativelanguage.googleapis.com/v1beta/openai/',
    'https://generativelanguage.googleapis.com/v1beta/openai',
    ['https://generativelanguage.googleapis.com/v1beta/openai'],
  ],
  [
    'https://me.openai.azure.com/openai/v1/?api-version=preview',
    'https://me.openai.azure.com/openai/v1?api-version=preview',
    ['https://me.openai.azure.com/openai/v1?api-version=preview'],
  ],
])('%s', (typed, base_url, candidates) => {
  expect(checkedAddress(typed)).toEqual({ ok: true, base_url, candidates })
})

test.each([
  ['', 'not a URL'],
  ['http://', 'not a URL'],
  ['two words', 'not a URL'],
  ['http://[::1', 'not a URL'],
  ['http://host:99999/v1', 'not a URL'],
  ['ftp://host/v1', 'must start with http:// or https://'],
  ['file:///etc/passwd', 'must start with http:// or https://'],
  ['https://me:secret@host/v1', 'user name or password'],
])('explains what cannot be corrected: %s', (typed, why) => {
  const checked = checkedAddress(typed)
  expect(checked).toMatchObject({ ok: false, problem: expect.stringContaining(why) })
  expect(JSON.stringify(checked)).not.toContain('secret')
})

test('keeps a query at the end of every path', () => {
  expect(endpointUrl('https://h/openai/v1?api-version=preview', 'chat/completions').href).toBe(
    'https://h/openai/v1/chat/completions?api-version=preview',
  )
})

test('local means on this device or in its own network', () => {
  const near = [
    'http://localhost:1',
    'http://127.0.0.1',
    'http://10.1.2.3',
    'http://172.20.0.1',
    'http://[fd00::1]',
    'http://box.local',
    'http://ollama:11434',
  ]
  const far = ['https://api.openai.com', 'http://172.32.0.1', 'http://8.8.8.8', 'http://[2606::1]', 'https://local.example.org']
  expect([near.map(isLocal), far.map(isLocal)]).toEqual([near.map(() => true), far.map(() => false)])
})

test('any input is corrected to URLs, or explained; correcting it again changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain(), fc.ipV4()), (typed) => {
      const checked = checkedAddress(typed)
      const candidates = checked.ok ? checked.candidates : []
      expect(candidates.map((candidate) => endpointUrl(candidate, 'chat/completions').protocol.replace('s', ''))).toEqual(
        candidates.map(() => 'http:'),
      )
      expect(checked.ok ? checkedAddress(checked.base_url) : checked).toEqual(checked)
    }),
  )
})
