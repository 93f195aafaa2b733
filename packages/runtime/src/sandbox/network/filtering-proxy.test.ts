import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openSite, type TestScope, type TestSite, testScope } from '../../../test/support/sandbox/network/test-scope.ts'
import type { FilteringProxy } from '../../call/network.ts'
import type { Resolve } from './resolve.ts'
import { openNetwork } from './scoped-network.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function site(...given: Parameters<typeof openSite>): Promise<TestSite> {
  const opened = await openSite(...given)
  closing.push(opened.close)
  return opened
}

async function proxyFor(scope: TestScope, resolve?: Resolve): Promise<FilteringProxy> {
  const proxy = await openNetwork(scope, resolve ? { resolve } : {}).openProxy()
  closing.push(proxy.close)
  return proxy
}

function authorization(proxy: FilteringProxy): string {
  const { username, password } = new URL(proxy.url)
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function through(
  proxy: FilteringProxy,
  url: string,
  headers: Record<string, string> = { 'proxy-authorization': authorization(proxy) },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const sent = httpRequest(
      { hostname, port, path: url, headers: { host: URL.parse(url)?.host ?? '', ...headers }, agent: false },
      async (incoming) => {
        const chunks: Buffer[] = []
        for await (const chunk of incoming) chunks.push(chunk)
        resolve(`${incoming.statusCode} ${Buffer.concat(chunks).toString().trim()}`)
      },
    )
    sent.once('error', reject).end()
  })
}

/** The status of CONNECT, and the tunnel if there is one. */
function tunnel(proxy: FilteringProxy, target: string, credential = authorization(proxy)): Promise<{ status: number; socket: Socket }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const sent = httpRequest({
      hostname,
      port,
      method: 'CONNECT',
      path: target,
      headers: { 'proxy-authorization': credential },
      agent: false,
    })
    sent.once('connect', (incoming, socket) => resolve({ status: incoming.statusCode ?? 0, socket: socket as Socket }))
    sent.once('error', reject).end()
  })
}

function talk(socket: Socket, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('end', () => resolve(Buffer.concat(chunks).toString()))
    socket.once('error', reject)
    socket.write(words)
  })
}

test('allows hosts of the scope, with CONNECT and with plain requests', async () => {
  const there = await site((request, response) =>
    response.end(`${request.headers['proxy-authorization'] ?? 'no credential'} ${request.url}`),
  )
  const proxy = await proxyFor(testScope([there.host]))
  expect(await through(proxy, `${there.origin}/a?b=1`)).toBe('200 no credential /a?b=1')
  const { status, socket } = await tunnel(proxy, there.host)
  const said = await talk(socket, `GET /c HTTP/1.1\r\nhost: ${there.host}\r\nconnection: close\r\n\r\n`)
  expect([status, said.includes('no credential /c'), proxy.refused]).toEqual([200, true, []])
})

test('without the credential nothing is allowed', async () => {
  const there = await site((_, response) => response.end('never'))
  const proxy = await proxyFor(testScope([there.host]))
  expect(await through(proxy, there.origin, {})).toBe('407 this proxy can be used by one run only')
  expect((await tunnel(proxy, there.host, 'Basic dGFuZGVtOmd1ZXNz')).status).toBe(407)
  expect(there.seen).toEqual([])
})

test('the proxy of one run refuses another run, and their scopes stay separate', async () => {
  const one = await site((_, response) => response.end('one'))
  const two = await site((_, response) => response.end('two'))
  const first = await proxyFor(testScope([one.host]))
  const second = await proxyFor(testScope([two.host]))
  const answers = await Promise.all([
    through(first, one.origin),
    through(first, two.origin),
    through(second, one.origin),
    through(second, two.origin),
    through(first, one.origin, { 'proxy-authorization': authorization(second) }),
  ])
  expect(answers.map((answer) => answer.slice(0, 7))).toEqual(['200 one', '403 127', '403 127', '200 two', '407 thi'])
})

test('refuses forbidden addresses, reports them once, and lists what was refused', async () => {
  const scope = testScope(['*'])
  const proxy = await proxyFor(scope, async () => [{ address: '10.1.2.3', family: 4 }])
  const targets = ['169.254.169.254:80', '[::ffff:127.0.0.1]:443', '0x7f.1:80', 'inside.test:443', 'inside.test:443']
  const statuses = []
  for (const target of targets) {
    const { status, socket } = await tunnel(proxy, target)
    socket.destroy()
    statuses.push(status)
  }
  expect(statuses).toEqual([403, 403, 403, 403, 403])
  expect(proxy.refused.map(({ host, port, reason_code }) => `${host}:${port} ${reason_code}`)).toEqual([
    '169.254.169.254:80 address_forbidden',
    '[::ffff:7f00:1]:443 address_forbidden',
    '127.0.0.1:80 address_forbidden',
    'inside.test:443 address_forbidden',
    'inside.test:443 address_forbidden',
  ])
  expect(scope.violations).toHaveLength(4)
})

test('a new scope applies immediately: connections that it does not allow are closed, even while in use', async () => {
  const there = await site((_, response) => void response.write('and so on'))
  const proxy = await proxyFor(testScope([there.host]))
  const { socket } = await tunnel(proxy, there.host)
  const ended = new Promise((done) => socket.once('close', done))
  socket.resume().on('error', () => socket.destroy())
  proxy.setScope(testScope(['example.org']))
  await ended
  expect(await through(proxy, there.origin)).toMatch(/^403 /)
  proxy.setScope(testScope([there.host]))
  const { status, socket: again } = await tunnel(proxy, there.host)
  proxy.setScope(testScope([there.host, 'example.org']))
  expect([status, again.destroyed]).toEqual([200, false])
  again.destroy()
})

test.each(['ftp://example.org/', '/origin-form', 'https://example.org/'])('a request for %s gets 400', async (url) => {
  expect(await through(await proxyFor(testScope(['*'])), url)).toMatch(/^400 /)
})

test.each(['example.org', 'user@example.org:80', 'example.org:80/path', 'example.org:0'])('CONNECT %s is 400', async (target) => {
  const { status, socket } = await tunnel(await proxyFor(testScope(['*'])), target)
  socket.destroy()
  expect(status).toBe(400)
})

test('an unreachable host gets 502; garbage closes the connection; closing ends everything', async () => {
  const gone = await site((_, response) => response.end())
  await gone.close()
  closing.pop()
  const proxy = await proxyFor(testScope([gone.host]))
  expect(await through(proxy, gone.origin)).toMatch(/^502 /)
  expect((await tunnel(proxy, gone.host)).status).toBe(502)
  const { hostname, port } = new URL(proxy.url)
  const rubbish = connect(Number(port), hostname)
  rubbish.write('\x16\x03\x01 not http\r\n\r\n')
  await new Promise((done) =>
    rubbish
      .resume()
      .on('error', () => rubbish.destroy())
      .once('close', done),
  )
  await proxy.close()
  closing.pop()
  await expect(through(proxy, gone.origin)).rejects.toThrow('ECONNREFUSED')
})
