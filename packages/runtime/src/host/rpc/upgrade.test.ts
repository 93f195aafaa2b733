// Real attacks on the loopback channel: foreign pages, DNS rebinding, reused codes, malformed and oversized messages.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { commandErrors, type RuntimeFile, rpcLimits } from '@tandem/contract/command'
import { RuntimeFile as RuntimeFileSchema } from '@tandem/contract/command/schema'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, connect, type TestHost, testHost } from '../../../test/support/host/test-host.ts'

let here: TestHost
let token: string

beforeAll(async () => {
  here = await testHost()
  token = runtimeFile().token
})

afterAll(() => here.stop())

function runtimeFile(): RuntimeFile {
  return JSON.parse(readFileSync(join(here.home, 'runtime.json'), 'utf8'))
}

const bearer = () => ({ authorization: `Bearer ${token}` })
const codeOf = (url: string) => new URL(url).hash.replace('#code=', '')

function redeem(code: string, headers: Record<string, string> = {}) {
  const own = { host: `127.0.0.1:${here.port}`, origin: here.origin, 'content-type': 'application/json' }
  return ask(here.port, '/session', 'POST', { ...own, ...headers }, JSON.stringify({ code }))
}

/** The cookie of a window that was opened with its address. */
async function cookie(): Promise<string> {
  const { headers } = await redeem(codeOf(here.host.windowUrl()))
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

describe('runtime.json', () => {
  test('has the address of the runtime, and only its owner can read it', () => {
    const file = runtimeFile()
    expect(Check(RuntimeFileSchema, file)).toBe(true)
    expect({ pid: file.pid, url: file.url }).toEqual({ pid: process.pid, url: here.host.url })
    expect(statSync(join(here.home, 'runtime.json')).mode & 0o777).toBe(0o600)
  })

  test('is removed when the runtime stops, unless another runtime has replaced it', async () => {
    const other = await testHost()
    const file = join(other.home, 'runtime.json')
    expect(existsSync(file)).toBe(true)
    await other.host.stop()
    expect(existsSync(file)).toBe(false)
    other.close()
  })
})

test('a client that is killed leaves no line in the log', async () => {
  const before = here.host.clients()
  const client = await connect(here.port, bearer())
  expect(here.host.clients()).toBe(before + 1)
  const { _socket: connection } = client.socket as unknown as { readonly _socket: Socket }
  connection.resetAndDestroy()
  await expect.poll(() => here.host.clients()).toBe(before)
  expect(here.lines.filter((line) => line.includes('ECONNRESET'))).toEqual([])
})

describe('a one-time code', () => {
  test('is exchanged for a cookie that no script can read, bound to the channel', async () => {
    const reply = await redeem(codeOf(here.host.windowUrl()))
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 204, body: '' })
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^tandem_session_${here.port}=[\\w-]{43}; Path=/rpc; HttpOnly; SameSite=Strict$`)),
    ])
  })

  test('works once', async () => {
    const code = codeOf(here.host.windowUrl())
    expect([(await redeem(code)).status, (await redeem(code)).status, (await redeem('made up')).status]).toEqual([204, 401, 401])
  })

  test('is in the fragment, which no server or log sees', () => {
    const url = new URL(here.host.windowUrl())
    expect({ path: url.pathname, query: url.search }).toEqual({ path: '/', query: '' })
    expect(url.hash).toMatch(/^#code=[\w-]{43}$/)
    expect(here.lines.join()).not.toContain(url.hash.slice(6))
  })

  test.each<[string, Record<string, string>, number]>([
    ['from another page', { origin: 'http://evil.test' }, 403],
    ['from a page that hides its origin', { origin: 'null' }, 403],
    ['from another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['sent by a form', { 'content-type': 'text/plain' }, 415],
    ['sent by a form with another content type for JSON', { 'content-type': 'application/json; charset=utf-8' }, 415],
    ['with a rebound name', { host: 'evil.test:PORT', origin: 'http://evil.test:PORT' }, 421],
    ['with the other name of loopback', { host: 'localhost:PORT', origin: 'http://127.0.0.1:PORT' }, 403],
    ['in a request that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('is not exchanged %s', async (_how, headers, status) => {
    const code = codeOf(here.host.windowUrl())
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(here.port))]))
    const reply = await redeem(code, filled)
    expect({ status: reply.status, cookie: reply.headers['set-cookie'] }).toEqual({ status, cookie: undefined })
    expect((await redeem(code)).status).toBe(204)
  })

  test('is refused without an origin, in a large body, or if it is not JSON', async () => {
    const own = { host: `127.0.0.1:${here.port}`, origin: here.origin, 'content-type': 'application/json' }
    const { origin: _origin, ...hidden } = own
    const statuses = [
      await ask(here.port, '/session', 'POST', hidden, '{"code":"x"}'),
      await ask(here.port, '/session', 'POST', own, '{'),
      await ask(here.port, '/session', 'POST', own, '{"__proto__":{"code":"x"}}'),
      await ask(here.port, '/session', 'POST', own, JSON.stringify({ code: 'x'.repeat(2_000) })),
      await ask(here.port, '/session?code=x', 'POST', own, '{"code":"x"}'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([403, 400, 400, 413, 405])
  })
})

describe('a socket', () => {
  test('opens for a program with the token, and for a window with its cookie and origin', async () => {
    const program = await connect(here.port, bearer())
    const window = await connect(here.port, { cookie: await cookie(), origin: here.origin })
    for (const client of [program, window]) {
      expect(await client.call('runtime_status', {})).toMatchObject({ result: { version: '0.1.0' } })
      client.socket.close()
    }
  })

  test.each<[string, () => Promise<Record<string, string>>, string]>([
    ['nothing', async () => ({}), '403'],
    ['an origin of ours but no cookie', async () => ({ origin: here.origin }), '401'],
    ['a cookie but no origin', async () => ({ cookie: await cookie() }), '403'],
    ['a cookie and a foreign origin', async () => ({ cookie: await cookie(), origin: 'http://evil.test' }), '403'],
    [
      'a cookie and an origin that looks like ours',
      async () => ({ cookie: await cookie(), origin: `http://localhost.evil.test:${here.port}` }),
      '403',
    ],
    ['a cookie and the origin of another port', async () => ({ cookie: await cookie(), origin: 'http://127.0.0.1:1' }), '403'],
    ['a cookie and our origin by https', async () => ({ cookie: await cookie(), origin: here.origin.replace('http', 'https') }), '403'],
    ['a cookie and Origin: null', async () => ({ cookie: await cookie(), origin: 'null' }), '403'],
    ['a made-up cookie', async () => ({ cookie: `tandem_session_${here.port}=${'a'.repeat(43)}`, origin: here.origin }), '401'],
    ['two cookies', async () => ({ cookie: `${await cookie()}; ${await cookie()}`, origin: here.origin }), '401'],
    ['the cookie of another port', async () => ({ cookie: (await cookie()).replace(String(here.port), '1'), origin: here.origin }), '401'],
    ['a wrong token', async () => ({ authorization: `Bearer ${'a'.repeat(43)}` }), '401'],
    ['a token of another kind', async () => ({ authorization: `Basic ${token}` }), '401'],
    ['the token as a cookie', async () => ({ cookie: `tandem_session_${here.port}=${token}`, origin: here.origin }), '401'],
    ['the token and an origin', async () => ({ ...bearer(), origin: here.origin }), '403'],
    ['the token and a rebound host', async () => ({ ...bearer(), host: `evil.test:${here.port}` }), '421'],
    ['the token and a host that ends like ours', async () => ({ ...bearer(), host: `127.0.0.1.nip.io:${here.port}` }), '421'],
    ['the token and no port', async () => ({ ...bearer(), host: '127.0.0.1' }), '421'],
  ])('is refused with %s', async (_what, headers, status) => {
    await expect(connect(here.port, await headers())).rejects.toThrow(status)
  })

  test('is refused with a token in the address, and at any other path', async () => {
    for (const path of [`/rpc?token=${token}`, '/rpc/', '/', '/session', '//rpc', '/%72pc']) {
      await expect(connect(here.port, bearer(), path)).rejects.toThrow('404')
    }
    await expect(connect(here.port, {}, `/rpc?token=${token}`)).rejects.toThrow('404')
  })

  test('two Host headers, two Origin headers and a malformed upgrade, sent as raw bytes, are refused', async () => {
    const head = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`
    const own = `Host: 127.0.0.1:${here.port}\r\n`
    const held = `Cookie: ${await cookie()}\r\n`
    const statuses = [
      `GET /rpc HTTP/1.1\r\n${own}Host: evil.test\r\nAuthorization: Bearer ${token}\r\n${head}\r\n`,
      `GET /rpc HTTP/1.1\r\n${own}Origin: ${here.origin}\r\nOrigin: http://evil.test\r\n${held}${head}\r\n`,
      `GET /rpc HTTP/1.1\r\n${own}Authorization: Bearer ${token}\r\nAuthorization: Bearer x\r\n${head}\r\n`,
      `GET http://evil.test/rpc HTTP/1.1\r\n${own}Authorization: Bearer ${token}\r\n${head}\r\n`,
      `GET /rpc HTTP/1.1\r\n${own}Authorization: Bearer ${token}\r\n${head.replace('13', '1')}\r\n`,
    ]
    const answers = await Promise.all(statuses.map(raw))
    expect(answers.map((answer) => answer.split(' ')[1])).toEqual([expect.stringMatching(/400|421/), '403', '401', '404', '400'])
  })

  test('commands cannot be called with a plain request of a page', async () => {
    const own = { host: `127.0.0.1:${here.port}` }
    for (const method of ['POST', 'PUT', 'OPTIONS']) {
      const reply = await ask(
        here.port,
        '/rpc',
        method,
        { ...own, 'content-type': 'text/plain' },
        '{"jsonrpc":"2.0","id":1,"method":"agent_list"}',
      )
      expect({ status: reply.status, cors: reply.headers['access-control-allow-origin'] }).toEqual({ status: 405, cors: undefined })
    }
  })
})

describe('a message', () => {
  test.each<[string, string, number]>([
    ['invalid JSON', '{', -32_700],
    ['deep JSON', `{"jsonrpc":"2.0","id":1,"method":"agent_list","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, -32_700],
    ['a list of calls', '[{"jsonrpc":"2.0","id":1,"method":"agent_list"}]', -32_600],
    ['a message that is not an object', '"agent_list"', -32_600],
    ['no id', '{"jsonrpc":"2.0","method":"agent_list"}', -32_600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"agent_list"}', -32_600],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"agent_list"}', -32_600],
    ['a method that is not a string', '{"jsonrpc":"2.0","id":1,"method":["agent_list"]}', -32_600],
    ['a method named __proto__', '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', -32_601],
    ['an approval next to the parameters', '{"jsonrpc":"2.0","id":1,"method":"agent_list","approved":true}', -32_600],
    ['the key __proto__', '{"jsonrpc":"2.0","id":1,"method":"agent_list","__proto__":{"params":{}}}', -32_600],
    ['the key __proto__ in the parameters', '{"jsonrpc":"2.0","id":1,"method":"agent_list","params":{"__proto__":{"limit":1}}}', -32_602],
    ['invalid parameters', '{"jsonrpc":"2.0","id":1,"method":"agent_list","params":{"limit":0}}', -32_602],
    ['a feature that is not built', '{"jsonrpc":"2.0","id":1,"method":"memory_search","params":{}}', -32_000],
  ])('%s gets an error, and the socket stays open', async (_what, text, code) => {
    const client = await connect(here.port, bearer())
    client.send(text)
    await client.until((heard) => heard.length === 1)
    expect(client.heard[0]?.error?.code).toBe(code)
    expect(await client.call('agent_list', {})).toMatchObject({ result: { next_cursor: null } })
    client.socket.close()
  })

  test('an oversized or binary frame closes the socket', async () => {
    const [giant, binary] = await Promise.all([connect(here.port, bearer()), connect(here.port, bearer())])
    giant.socket.on('error', () => undefined)
    giant.send('x'.repeat(rpcLimits.frame_bytes + 1))
    binary.send(Buffer.from('{}'))
    expect([await giant.closed, await binary.closed]).toEqual([1_009, 1_003])
  })

  test('refusals have a code and a remedy', async () => {
    const client = await connect(here.port, bearer())
    const { error } = await client.call('agent_get', { agent_id: 'nobody' })
    expect(error).toEqual({
      code: -32_000,
      message: 'there is no agent nobody',
      data: { code: 'not_found', message: 'there is no agent nobody', remedy: commandErrors.not_found.remedy },
    })
    client.socket.close()
  })
})

test('the number of sockets is limited, and a closed one can be replaced', async () => {
  const clients = []
  for (let no = 0; no < rpcLimits.sockets; no += 1) clients.push(await connect(here.port, bearer()))
  await expect(connect(here.port, bearer())).rejects.toThrow('503')
  const [first] = clients
  first?.socket.close()
  await first?.closed
  const next = await connect(here.port, bearer())
  for (const client of [...clients, next]) client.socket.close()
  await Promise.all([...clients, next].map(({ closed }) => closed))
})

test('a runtime that stops closes its sockets', async () => {
  const other = await testHost()
  const { token: own } = JSON.parse(readFileSync(join(other.home, 'runtime.json'), 'utf8'))
  const client = await connect(other.port, { authorization: `Bearer ${own}` })
  await other.stop()
  expect(await client.closed).toBe(1_012)
})

test('neither the token nor a code is ever logged', () => {
  expect(here.lines.join('\n')).not.toContain(token)
})

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = dial(here.port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      answer += part
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}
