import { expect, test } from 'vitest'
import { answerTo } from './refusal.ts'

const textOf = (request: string) => {
  const answer = answerTo('hello', Buffer.from(request, 'latin1'))
  return answer && { text: Buffer.from(answer.bytes).toString('latin1'), target: answer.target, next: answer.next }
}
const marks = 'Content-Type: text/plain\r\nX-Proxy-Error: blocked-by-allowlist\r\n'

test('a tunnel is refused with the words of the library', () => {
  expect(textOf('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n')).toEqual({
    text: `HTTP/1.1 403 Forbidden\r\n${marks}\r\nConnection blocked by network allowlist`,
    ...{ target: 'example.org:443', next: null },
  })
})

test('so is a request, which has a length', () => {
  const text = `HTTP/1.1 403 Forbidden\r\n${marks}Content-Length: 40\r\nConnection: close\r\n\r\nConnection blocked by network allowlist\n`
  expect(textOf('GET http://example.org/a HTTP/1.1\r\n\r\n')).toEqual({ text, target: 'example.org:80', next: null })
  expect(textOf('POST https://example.org:8443/a HTTP/1.0\r\n\r\nbody')).toEqual({ text, target: 'example.org:8443', next: null })
})

test('targets are written in one way', () => {
  const targets = ['EXAMPLE.org:80', '127.1:8080', '0x7f.0.0.1:80', '[::1]:443', '[0:0::1]:22', 'user:secret@example.org:1']
  expect(targets.map((target) => textOf(`CONNECT ${target} HTTP/1.1\r\n\r\n`)?.target)).toEqual([
    'example.org:80',
    '127.0.0.1:8080',
    '127.0.0.1:80',
    '[::1]:443',
    '[::1]:22',
    'example.org:1',
  ])
  expect(textOf('GET https://example.org/ HTTP/1.1\r\n\r\n')?.target).toBe('example.org:443')
})

test('what is malformed is answered, and reported as nothing', () => {
  const malformed = { text: 'HTTP/1.1 400 Bad Request\r\n\r\n', target: null, next: null }
  for (const request of ['GET / HTTP/1.1\r\n\r\n', 'CONNECT example.org HTTP/1.1\r\n\r\n', 'GET ftp://a/ HTTP/1.1\r\n\r\n', 'x\r\n\r\n'])
    expect(textOf(request)).toEqual(malformed)
  expect(textOf('A'.repeat(70_000))).toEqual(malformed)
})

test('an incomplete request waits for the rest', () => {
  expect(textOf('')).toBeUndefined()
  expect(textOf('CONNECT example.org:443 HTTP/1.1\r\nHost')).toBeUndefined()
  expect(answerTo('hello', Buffer.from([5, 2, 0]))).toBeUndefined()
  expect(answerTo('login', Buffer.from([1, 3, 65]))).toBeUndefined()
  expect(answerTo('request', Buffer.from([5, 1, 0, 3, 4, 65]))).toBeUndefined()
})

test('SOCKS is refused after the target was named', () => {
  const step = (stage: 'hello' | 'login' | 'request', ...bytes: number[]) => {
    const answer = answerTo(stage, Buffer.from(bytes))
    return answer && { ...answer, bytes: [...answer.bytes] }
  }
  const refused = [5, 2, 0, 1, 0, 0, 0, 0, 0, 0]
  expect(step('hello', 5, 2, 0, 2)).toEqual({ bytes: [5, 2], target: null, next: 'login', taken: 4 })
  expect(step('hello', 5, 1, 0, 9)).toEqual({ bytes: [5, 0], target: null, next: 'request', taken: 3 })
  expect(step('hello', 5, 1, 1)).toEqual({ bytes: [5, 255], target: null, next: null, taken: 3 })
  expect(step('login', 1, 1, 65, 1, 66, 5)).toEqual({ bytes: [1, 0], target: null, next: 'request', taken: 5 })
  expect(step('request', 5, 1, 0, 1, 10, 0, 0, 1, 0, 22)).toEqual({ bytes: refused, target: '10.0.0.1:22', next: null, taken: 10 })
  expect(step('request', 5, 1, 0, 3, 3, 97, 46, 98, 1, 187)).toEqual({ bytes: refused, target: 'a.b:443', next: null, taken: 10 })
  expect(step('request', 5, 1, 0, 4, ...Array(15).fill(0), 1, 0, 80)).toMatchObject({ bytes: refused, target: '[::1]:80' })
  expect(step('request', 5, 2, 0, 1, 10, 0, 0, 1, 0, 22)).toMatchObject({ bytes: [5, 7, 0, 1, 0, 0, 0, 0, 0, 0], target: null, next: null })
})
