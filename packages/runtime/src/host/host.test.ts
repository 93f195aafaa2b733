import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { testFeatures } from '../../test/support/commands/test-features.ts'
import { systemClock } from '../clock/clock.ts'
import { openCommands } from '../commands/layer.ts'
import { type Host, openHost } from './host.ts'

const page = '<!doctype html><title>page</title>'
const script = 'export const answer = 42\n'
const scriptPath = '/assets/index-B3xY12ab.js'

let folder: string
let host: Host
const here = testFeatures(systemClock)
let port: number
const lines: string[] = []
const log = () => undefined
const { journal, events } = here.features
const behind = { home: here.home, clock: systemClock, commands: openCommands(here.features, { log }), journal, events, bus: here.bus }
const options = { behind, log }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-host-'))
  await mkdir(join(folder, 'window', 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.js'), 'a secret')
  await writeFile(join(folder, 'window', 'index.html'), page)
  await writeFile(join(folder, 'window', 'icon.svg'), '<svg/>')
  await writeFile(join(folder, 'window', 'notes.bin'), 'of no known type')
  await writeFile(join(folder, 'window', scriptPath), script)
  await symlink(join(folder, 'secret.js'), join(folder, 'window', 'link.js'))
  await symlink(folder, join(folder, 'window', 'up'))
  host = await openHost({ ...options, windowDir: join(folder, 'window'), log: (line) => lines.push(line) })
  port = Number(new URL(host.url).port)
})

afterAll(async () => {
  await host.stop()
  here.close()
  await rm(folder, { recursive: true })
})

test('the page, its files and every page path are served with their types', async () => {
  const served = await Promise.all(['/', '/index.html', '/states', '/a/b/c?x=1', '/icon.svg', scriptPath].map(seen))
  expect(served).toEqual([
    { status: 200, type: 'text/html; charset=utf-8', body: page },
    { status: 200, type: 'text/html; charset=utf-8', body: page },
    { status: 200, type: 'text/html; charset=utf-8', body: page },
    { status: 200, type: 'text/html; charset=utf-8', body: page },
    { status: 200, type: 'image/svg+xml', body: '<svg/>' },
    { status: 200, type: 'text/javascript; charset=utf-8', body: script },
  ])
  expect(lines).toEqual([])
})

test.each([
  '/../secret.js',
  '/..%2fsecret.js',
  '/%2e%2e/secret.js',
  '/..\\secret.js',
  '/assets/../../secret.js',
  '//secret.js',
  '/./index.html',
  '/%69ndex.html',
  '/link.js',
  '/up/secret.js',
  '/notes.bin',
  '/index.html%00.js',
  '/__proto__.js',
  '/assets/missing-B3xY12ab.js',
])('%s is not found', async (path) => {
  expect(await seen(path)).toEqual({ status: 404, type: 'text/plain; charset=utf-8', body: 'Not found.\n' })
})

test.each([
  ['evil.test', 421],
  ['evil.test:PORT', 421],
  ['127.0.0.1', 421],
  ['127.0.0.1:1', 421],
  ['127.0.0.1.nip.io:PORT', 421],
  ['localhost.evil.test:PORT', 421],
  ['[::1]:PORT', 421],
  ['LOCALHOST:PORT', 421],
  ['127.1:PORT', 421],
  ['localhost:PORT', 200],
  ['127.0.0.1:PORT', 200],
])('Host %s gets %i', async (host, status) => {
  const reply = await ask('/', { headers: { host: host.replace('PORT', String(port)) } })
  expect({ status: reply.status, csp: typeof reply.headers['content-security-policy'] }).toEqual({ status, csp: 'string' })
})

test('two Host headers and an absolute address are refused', async () => {
  expect(await raw(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.test\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 4(?:00|21) /,
  )
  expect(await raw(`GET http://evil.test/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
})

test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('%s is refused', async (method) => {
  const reply = await ask('/', { method })
  expect({ status: reply.status, allow: reply.headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' })
})

test.each([
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, 403],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, 403],
  [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
  [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, 200],
  [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
])('a request with %j gets %i', async (headers, status) => {
  expect((await ask('/status.json', { headers })).status).toBe(status)
})

test('the status names the product and nothing else', async () => {
  const { status, headers, body } = await ask('/status.json')
  expect({ status, caching: headers['cache-control'], told: JSON.parse(body) }).toEqual({
    status: 200,
    caching: 'no-store',
    told: { product: { name: 'Tandem', version: manifest.version } },
  })
})

test('every response has the same security headers', async () => {
  const protection = {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
  for (const path of ['/', scriptPath, '/status.json', '/missing.js']) expect((await ask(path)).headers).toMatchObject(protection)
})

test('hashed files are cached forever, pages are revalidated, and an unchanged copy is not sent again', async () => {
  const hashed = await ask(scriptPath)
  const plain = await ask('/')
  expect([hashed.headers['cache-control'], plain.headers['cache-control']]).toEqual(['public, max-age=31536000, immutable', 'no-cache'])
  const again = await ask('/', { headers: { 'if-none-match': `"other", W/${plain.headers.etag}` } })
  expect({ status: again.status, body: again.body, etag: again.headers.etag }).toEqual({ status: 304, body: '', etag: plain.headers.etag })
  expect((await ask('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test('HEAD responds like GET, without the body', async () => {
  const reply = await ask('/', { method: 'HEAD' })
  expect({ status: reply.status, length: reply.headers['content-length'], body: reply.body }).toEqual({
    status: 200,
    length: String(page.length),
    body: '',
  })
})

test('a folder without a window and a port in use are named in the error', async () => {
  await expect(openHost({ ...options, windowDir: join(folder, 'window', 'assets') })).rejects.toThrow('the window is not built')
  await expect(openHost({ ...options, windowDir: join(folder, 'none') })).rejects.toThrow('the folder of the window cannot be read')
  await expect(openHost({ ...options, windowDir: join(folder, 'window'), port })).rejects.toThrow(`127.0.0.1:${port}`)
})

test('stop can be called twice', async () => {
  const other = await openHost({ ...options, windowDir: join(folder, 'window') })
  await other.stop()
  await other.stop()
  await expect(fetch(other.url)).rejects.toThrow()
})

interface Asked {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function seen(path: string) {
  const { status, headers, body } = await ask(path)
  return { status, type: headers['content-type'], body }
}

/** `fetch` normalizes paths and hides headers; this sends exactly what it is given. */
function ask(path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, agent: false, ...options }, (reply) => {
      let body = ''
      reply.setEncoding('utf8')
      reply.on('data', (text: string) => {
        body += text
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      answer += part
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}
