import { execFile } from 'node:child_process'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { promisify } from 'node:util'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { runInChildProcess } from '../../../test/support/child-program.ts'
import { testCertificate } from '../../../test/support/sandbox/network/test-certificate.ts'
import { openSite, type TestSite, testScope } from '../../../test/support/sandbox/network/test-scope.ts'
import { NetworkFailure, Refused } from '../../call/failure.ts'
import type { NetworkRequest, NetworkResponse } from '../../call/network.ts'
import type { Resolve } from './resolve.ts'
import { openNetwork } from './scoped-network.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function site(...given: Parameters<typeof openSite>): Promise<TestSite> {
  const opened = await openSite(...given)
  closing.push(opened.close)
  return opened
}

const get = (url: string, over: Partial<NetworkRequest> = {}): NetworkRequest => ({
  url,
  method: 'GET',
  max_bytes: 1_000_000,
  redirects: 5,
  ...over,
})
const text = (response: NetworkResponse) => Buffer.from(response.body).toString()
const never = new AbortController().signal
const nowhere: Resolve = async (host) => {
  throw Object.assign(new Error(host), { code: 'ENOTFOUND' })
}

/** The code of the refusal or failure; a refusal with what blocked it. */
async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('nothing failed'),
    (reason: unknown) => reason,
  )
  if (error instanceof Refused) return `${error.reason_code} by ${error.facts.blocked_by}`
  if (error instanceof NetworkFailure) return error.reason_code
  throw error
}

test('sends a request to a listed host and returns its response', async () => {
  const there = await site((request, response) => {
    response.setHeader('x-echo', String(request.headers['x-mine']))
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.end('hello')
  })
  const network = openNetwork(testScope([there.host]))
  const answer = await network.request(get(`${there.origin}/x?y=1#z`, { headers: { 'X-Mine': 'yes' } }), never)
  expect({ ...answer, body: text(answer), headers: { echo: answer.headers['x-echo'], cookies: answer.headers['set-cookie'] } }).toEqual({
    url: `${there.origin}/x?y=1`,
    status: 200,
    headers: { echo: 'yes', cookies: 'a=1\nb=2' },
    body: 'hello',
    truncated: false,
    redirected_from: [],
  })
  const [sent] = there.requests
  expect(sent?.rawHeaders.filter((_, index) => index % 2 === 0)).toEqual([
    'host',
    'accept',
    'user-agent',
    'accept-encoding',
    'x-mine',
    'Connection',
  ])
})

test.each([
  ['http://169.254.169.254/latest/meta-data/', 'address_forbidden by sandbox'],
  ['http://[::ffff:127.0.0.1]/', 'address_forbidden by sandbox'],
  ['http://[::1]/', 'address_forbidden by sandbox'],
  ['http://0/', 'address_forbidden by sandbox'],
  ['http://0x7f.1/', 'address_forbidden by sandbox'],
  ['http://2130706433/', 'address_forbidden by sandbox'],
  ['http://0177.0.0.1/', 'address_forbidden by sandbox'],
  ['http://127.0.0.1./', 'address_forbidden by sandbox'],
  ['http://[fd00::1]/', 'address_forbidden by sandbox'],
  ['http://[64:ff9b::7f00:1]/', 'address_forbidden by sandbox'],
  ['http://[2002:7f00:1::]/', 'address_forbidden by sandbox'],
  ['http://localhost/', 'address_forbidden by sandbox'],
  ['http://user:secret@example.org/', 'userinfo_forbidden by sandbox'],
  ['file:///etc/passwd', 'scheme_forbidden by sandbox'],
  ['gopher://example.org/', 'scheme_forbidden by sandbox'],
  ['data:text/plain,hi', 'scheme_forbidden by sandbox'],
  ['example.org', 'url_invalid'],
  ['http://missing.test/', 'host_not_found'],
])('with every host allowed, %s is still %s', async (url, code) => {
  const resolve: Resolve = async (host) => (host === 'localhost' ? [{ address: '127.0.0.1', family: 4 }] : nowhere(host))
  expect(await failure(openNetwork(testScope(['*']), { resolve }).request(get(url), never))).toBe(code)
})

test('a host that is not listed is refused before its name is resolved, and reported', async () => {
  const asked: string[] = []
  const scope = testScope(['example.org'])
  const resolve: Resolve = async (host) => {
    asked.push(host)
    return nowhere(host)
  }
  expect(await failure(openNetwork(scope, { resolve }).request(get('https://secret-in-a-name.evil.test/'), never))).toBe(
    'host_out_of_scope by policy',
  )
  expect(asked).toEqual([])
  expect(scope.violations).toEqual([{ attempted: 'network', resource: 'secret-in-a-name.evil.test:443', blocked: true }])
})

test('a name with one forbidden address among allowed ones is refused', async () => {
  const resolve: Resolve = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '::ffff:10.0.0.1', family: 6 },
  ]
  expect(await failure(openNetwork(testScope(['*']), { resolve }).request(get('http://both.test/'), never))).toBe(
    'address_forbidden by sandbox',
  )
})

test('if a name changes its address after the check, the checked address is used', async () => {
  const there = await site((_, response) => response.end('pinned'))
  let asked = 0
  const resolve: Resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }]
  const scope = testScope([`rebind.test:${there.port}`, there.host])
  const answer = await openNetwork(scope, { resolve }).request(get(`http://rebind.test:${there.port}/`), never)
  expect([text(answer), asked, there.requests[0]?.headers.host]).toEqual(['pinned', 1, `rebind.test:${there.port}`])
})

test('a name that changes to loopback between two requests is refused at the second', async () => {
  const there = await site((_, response) => response.end('never'))
  let asked = 0
  const resolve: Resolve = async () => (asked++ === 0 ? nowhere('down') : [{ address: '127.0.0.1', family: 4 }])
  const network = openNetwork(testScope(['*']), { resolve })
  expect(await failure(network.request(get(`http://rebind.test:${there.port}/`), never))).toBe('host_not_found')
  expect(await failure(network.request(get(`http://rebind.test:${there.port}/`), never))).toBe('address_forbidden by sandbox')
  expect(there.seen).toEqual([])
})

test('trusted allows the local machine with a warning, and never metadata services', async () => {
  const there = await site((_, response) => response.end('mine'))
  const scope = testScope(['*'], { sandbox_mode: 'trusted' })
  const network = openNetwork(scope)
  expect(text(await network.request(get(there.origin), never))).toBe('mine')
  expect(await failure(network.request(get('http://169.254.169.254/'), never))).toBe('address_forbidden by sandbox')
  expect(scope.violations).toEqual([
    { attempted: 'network', resource: `127.0.0.1:${there.port} (127.0.0.1)`, blocked: false },
    { attempted: 'network', resource: '169.254.169.254:80 (169.254.169.254)', blocked: true },
  ])
})

test.each([
  ['http://169.254.169.254/latest/', 'address_forbidden by sandbox'],
  ['http://[::ffff:127.0.0.1]/', 'address_forbidden by sandbox'],
  ['file:///etc/passwd', 'scheme_forbidden by sandbox'],
  ['http://user:pw@127.0.0.1/', 'userinfo_forbidden by sandbox'],
])('a redirect to %s is %s', async (location, code) => {
  const there = await site((_, response) => response.writeHead(302, { location }).end())
  expect(await failure(openNetwork(testScope([there.host, '*'])).request(get(there.origin), never))).toBe(code)
})

test('a redirect to a host that is not listed is refused', async () => {
  const other = await site((_, response) => response.end('never'))
  const there = await site((_, response) => response.writeHead(307, { location: other.origin }).end())
  expect(await failure(openNetwork(testScope([there.host])).request(get(there.origin), never))).toBe('host_out_of_scope by policy')
  expect(other.seen).toEqual([])
})

test('redirects remove secrets across origins, and the body after 303', async () => {
  const other = await site((_, response) => response.end('there'))
  const there = await site((request, response) => {
    if (request.url === '/a') response.writeHead(303, { location: '/b' }).end()
    else response.writeHead(302, { location: `${other.origin}/c` }).end()
  })
  const headers = {
    authorization: 'Bearer s3cret',
    cookie: 'k=v',
    'x-api-key': 's3cret',
    accept: 'text/plain',
    'content-type': 'text/plain',
  }
  const answer = await openNetwork(testScope([there.host, other.host])).request(
    get(`${there.origin}/a`, { method: 'POST', body: 'text', headers }),
    never,
  )
  expect({ ...answer, headers: {}, body: text(answer) }).toEqual({
    url: `${other.origin}/c`,
    status: 200,
    headers: {},
    body: 'there',
    truncated: false,
    redirected_from: [`${there.origin}/a`, `${there.origin}/b`],
  })
  expect([there.seen, other.seen]).toEqual([['POST /a', 'GET /b'], ['GET /c']])
  expect(there.requests[1]?.headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-api-key': 's3cret' })
  const { authorization, cookie, 'x-api-key': key, 'content-type': type, accept, referer } = other.requests[0]?.headers ?? {}
  expect({ authorization, cookie, key, type, accept, referer }).toEqual({ accept: 'text/plain' })
})

test.each([
  [307, 'POST', 'secret'],
  [308, 'PUT', 'secret'],
  [302, 'POST', 'secret'],
  [307, 'DELETE', undefined],
  [307, 'GET', 'secret'],
])('a %i of a %s to another host is not followed but reported', async (status, method, body) => {
  const other = await site((_, response) => response.end('never'))
  const there = await site((_, response) => response.writeHead(status, { location: `${other.origin}/take` }).end('moved'))
  const request = get(`${there.origin}/a`, { method, ...(body === undefined ? {} : { body }) })
  const answer = await openNetwork(testScope([there.host, other.host])).request(request, never)
  expect({ ...answer, headers: {}, body: text(answer) }).toEqual({
    url: `${there.origin}/a`,
    status,
    headers: {},
    body: 'moved',
    truncated: false,
    redirected_from: [],
    redirect_stopped: `${other.origin}/take`,
  })
  expect(other.seen).toEqual([])
})

test('on the same host a 307 keeps the body', async () => {
  const there = await site((request, response) => {
    if (request.url === '/a') response.writeHead(307, { location: '/b' }).end()
    else request.pipe(response)
  })
  const answer = await openNetwork(testScope([there.host])).request(get(`${there.origin}/a`, { method: 'POST', body: 'text' }), never)
  expect([text(answer), there.seen]).toEqual(['text', ['POST /a', 'POST /b']])
})

test('the number of redirects is limited; if none is allowed, the redirect is returned', async () => {
  const there = await site((request, response) => response.writeHead(302, { location: `${request.url}x` }).end())
  const network = openNetwork(testScope([there.host]))
  expect(await failure(network.request(get(`${there.origin}/`, { redirects: 3 }), never))).toBe('too_many_redirects')
  expect(there.seen).toHaveLength(4)
  expect((await network.request(get(`${there.origin}/`, { redirects: 0 }), never)).status).toBe(302)
})

test('https checks the certificate for the name while the address is pinned, and never redirects a secret to http', async () => {
  const plain = await site((_, response) => response.end('clear'))
  const server = createTlsServer(testCertificate, (_, response) => response.writeHead(302, { location: plain.origin }).end('moved'))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closing.push(() => new Promise((done) => server.close(done)))
  const { port } = server.address() as AddressInfo
  const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const scope = testScope(['*', '127.0.0.1'])
  const network = openNetwork(scope, { resolve, ca: testCertificate.cert })
  const ask = (host: string, over: Partial<NetworkRequest>) => network.request(get(`https://${host}:${port}/`, over), never)
  expect((await ask('site.test', { redirects: 0 })).status).toBe(302)
  expect(await failure(ask('wrong.test', { redirects: 0 }))).toBe('tls_failed')
  expect(await failure(ask('site.test', { headers: { authorization: 'Bearer s3cret' } }))).toBe('redirect_downgrade by sandbox')
  expect(text(await ask('site.test', {}))).toBe('clear')
  expect(await failure(openNetwork(scope, { resolve }).request(get(`https://site.test:${port}/`), never))).toBe('tls_failed')
})

const page = 'words and words '.repeat(1_000)
test.each([
  ['gzip', gzipSync(page)],
  ['br', brotliCompressSync(page)],
  ['zstd', zstdCompressSync(page)],
  ['deflate', deflateSync(page)],
  ['deflate', deflateRawSync(page)],
  ['br, gzip', gzipSync(brotliCompressSync(page))],
])('%s is decoded', async (coding, bytes) => {
  const there = await site((_, response) => response.setHeader('content-encoding', coding).end(bytes))
  expect(text(await openNetwork(testScope([there.host])).request(get(there.origin), never))).toBe(page)
})

test('decompression bombs of every coding stop at the limit, and memory stays flat', async () => {
  const zeros = Buffer.alloc(256 * 1024 * 1024)
  const bombs = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros, { params: { 0: 0, 1: 1 } }), zstd: zstdCompressSync(zeros) }
  const { host, origin } = await site(({ url = '' }, response) => {
    const coding = url.slice(1) as keyof typeof bombs
    if (bombs[coding]) response.setHeader('content-encoding', coding)
    response.end(bombs[coding] ?? 'x')
  })
  const program = `
    import { openNetwork } from {{network}}
    import { testScope } from {{scope}}
    const ask = (path) =>
      openNetwork(testScope([${JSON.stringify(host)}])).request(
        { url: ${JSON.stringify(origin)} + '/' + path, method: 'GET', max_bytes: 100_000, redirects: 5 },
        new AbortController().signal,
      )
    await ask('')
    const before = process.resourceUsage().maxRSS
    const answers = []
    for (const coding of ${JSON.stringify(Object.keys(bombs))}) {
      const { body, truncated } = await ask(coding)
      answers.push([coding, body.length, truncated])
    }
    console.log(JSON.stringify({ answers, grown: (process.resourceUsage().maxRSS - before) * 1024 }))
  `
  const files = {
    network: new URL('./scoped-network.ts', import.meta.url),
    scope: new URL('../../../test/support/sandbox/network/test-scope.ts', import.meta.url),
  }
  const { answers, grown } = (await runInChildProcess(program, files)) as { answers: unknown; grown: number }
  expect(answers).toEqual(Object.keys(bombs).map((coding) => [coding, 100_000, true]))
  expect(grown).toBeLessThan(100 * 1024 * 1024)
})

test.each([
  ['gzip', Buffer.from('not gzip at all'), 'body_undecodable'],
  ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('x'))), 'body_undecodable'],
  ['constructor', Buffer.from('x'), 'body_undecodable'],
])('an invalid body in %s is %s', async (coding, bytes, code) => {
  const there = await site((_, response) => response.setHeader('content-encoding', coding).end(bytes))
  expect(await failure(openNetwork(testScope([there.host])).request(get(there.origin), never))).toBe(code)
})

test('an endless body is ended by the signal, with its reason', async () => {
  const stop = new AbortController()
  const there = await site((_, response) => {
    response.write('drip')
    stop.abort(new Error('time is over'))
  })
  await expect(openNetwork(testScope([there.host])).request(get(there.origin), stop.signal)).rejects.toThrow('time is over')
})

test('endless headers and a response that is not HTTP are failures with a code', async () => {
  const replies = [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 'SSH-2.0-OpenSSH\r\n', '']
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.resume().end(replies.shift() ?? '')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closing.push(() => new Promise((done) => server.close(done)))
  const { port } = server.address() as AddressInfo
  const network = openNetwork(testScope([`127.0.0.1:${port}`]))
  const codes = []
  for (let count = 0; count < 3; count++) codes.push(await failure(network.request(get(`http://127.0.0.1:${port}/`), never)))
  expect(codes).toEqual(['headers_too_large', 'response_malformed', 'connection_failed'])
})

test.each(['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'Proxy-Authorization', 'upgrade'])(
  'callers cannot set the header %s',
  async (name) => {
    const there = await site((_, response) => response.end())
    const ask = openNetwork(testScope([there.host])).request(get(there.origin, { headers: { [name]: 'x' } }), never)
    expect([await failure(ask), there.seen]).toEqual(['header_forbidden', []])
  },
)

test('an invalid header or method is a failure', async () => {
  const there = await site((_, response) => response.end())
  const network = openNetwork(testScope([there.host]))
  expect(await failure(network.request(get(there.origin, { headers: { x: 'a\r\nhost: evil' } }), never))).toBe('request_invalid')
  expect(await failure(network.request(get(there.origin, { method: 'GET / HTTP/1.1' }), never))).toBe('request_invalid')
  expect(there.seen).toEqual([])
})

test('proxies of the environment are not used', async () => {
  const there = await site((_, response) => response.end('directly'))
  const script = `
    import { openNetwork } from ${JSON.stringify(new URL('./scoped-network.ts', import.meta.url).href)}
    import { testScope } from ${JSON.stringify(new URL('../../../test/support/sandbox/network/test-scope.ts', import.meta.url).href)}
    const request = { url: process.argv[1], method: 'GET', max_bytes: 100, redirects: 0 }
    const { body } = await openNetwork(testScope([new URL(process.argv[1]).host])).request(request, new AbortController().signal)
    console.log(Buffer.from(body).toString())`
  const nobody = 'http://127.0.0.1:9'
  const env = {
    PATH: process.env.PATH,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: nobody,
    http_proxy: nobody,
    HTTPS_PROXY: nobody,
    ALL_PROXY: nobody,
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, there.origin], { env })
  expect(stdout.trim()).toBe('directly')
})
