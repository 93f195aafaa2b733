import { createSocket } from 'node:dgram'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { openSite, type TestSite } from '../../../test/support/sandbox/network/test-scope.ts'
import { type TestBrowser, testBrowser } from '../../../test/support/tools/browser/test-browser.ts'
import { reason } from '../../../test/support/tools/web/test-context.ts'
import type { Resolve } from '../../sandbox/network/scoped-network.ts'

/** In no scope: any request that arrives here has escaped. */
let forbidden: TestSite
let site: TestSite
let sockets: WebSocketServer
let escapedSockets: WebSocketServer
const udp = createSocket('udp4')
let packets = 0

const page = (body: string) => `<!doctype html><html><head><title>Page</title></head><body>${body}</body></html>`

beforeAll(async () => {
  forbidden = await openSite((_, response) => response.setHeader('access-control-allow-origin', '*').end('escaped'))
  site = await openSite((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site')
    if (pathname === '/redirect') response.writeHead(302, { location: searchParams.get('to') ?? '' }).end()
    else if (pathname === '/worker.js')
      response
        .setHeader('content-type', 'text/javascript')
        .end(`self.onfetch = () => {}; self.onmessage = ({ data }) => fetch(data).then(() => postMessage('in'), () => postMessage('out'))`)
    else response.setHeader('content-type', 'text/html').end(page(searchParams.get('body') ?? '<p>fine</p>'))
  })
  sockets = new WebSocketServer({ server: site.server })
  sockets.on('connection', (socket) => socket.send('allowed'))
  escapedSockets = new WebSocketServer({ server: forbidden.server })
  escapedSockets.on('connection', () => forbidden.seen.push('WEBSOCKET'))
  udp.on('message', () => packets++)
  await new Promise<void>((ready) => udp.bind(0, '127.0.0.1', ready))
})

afterAll(async () => {
  udp.close()
  sockets.close()
  escapedSockets.close()
  await site.close()
  await forbidden.close()
})

async function withBrowser(hosts: readonly string[], work: (browser: TestBrowser) => Promise<void>): Promise<void> {
  const browser = testBrowser(hosts)
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}

const showing = (body: string) => `${site.origin}/?body=${encodeURIComponent(body)}`

test('addresses outside the scope are not opened, in any spelling', async () => {
  await withBrowser([site.host, '*'], async (browser) => {
    const codes: Record<string, unknown> = {}
    const urls = [
      'http://169.254.169.254/latest/meta-data/',
      `http://[::ffff:127.0.0.1]:${forbidden.port}/`,
      `http://0:${forbidden.port}/`,
      `http://0x7f.1:${forbidden.port}/`,
      `http://2130706433:${forbidden.port}/`,
      `http://localhost:${forbidden.port}/`,
      `${site.origin}/redirect?to=http://169.254.169.254/`,
      `${site.origin}/redirect?to=https://169.254.169.254/`,
      `${site.origin}/redirect?to=${forbidden.origin}`,
      'file:///etc/passwd',
      'chrome://version',
      'view-source:http://example.org',
      'javascript:alert(1)',
      'data:text/html,hi',
      `http://user:pw@${site.host}/`,
    ]
    for (const url of urls) codes[url] = await reason(browser.run('open', { url }))
    expect(Object.values(codes)).toEqual([
      ...Array(9).fill('address_forbidden'),
      ...Array(5).fill('scheme_forbidden'),
      'userinfo_forbidden',
    ])
    expect(forbidden.seen).toEqual([])
  })
})

test('a hostile page reaches nothing outside the scope', async () => {
  await withBrowser([site.host], async (browser) => {
    const attack = `
      <link rel="dns-prefetch" href="//leak.test"><link rel="preconnect" href="${forbidden.origin}"><link rel="prefetch" href="${forbidden.origin}/prefetch">
      <link rel="stylesheet" href="${forbidden.origin}/css"><img src="${forbidden.origin}/img"><iframe src="${forbidden.origin}/iframe"></iframe>
      <iframe src="/redirect?to=${forbidden.origin}/frame-redirect"></iframe><object data="${forbidden.origin}/object"></object>
      <video src="${forbidden.origin}/video"></video><form id="f" action="${forbidden.origin}/form" target="x"></form><iframe name="x"></iframe>
      <script>document.getElementById('f').submit(); navigator.sendBeacon('${forbidden.origin}/beacon'); new EventSource('${forbidden.origin}/events')</script>`
    await browser.run('open', { url: showing(attack) })
    const tried = await browser.run('eval', {
      timeout_seconds: 20,
      expression: `async () => {
        const outcome = (work) => Promise.race([work.then(() => 'in', () => 'out'), new Promise((done) => setTimeout(done, 3000, 'out'))])
        const socket = (url) => new Promise((done, fail) => { const s = new WebSocket(url); s.onopen = () => done(); s.onerror = () => fail() })
        const worker = new Worker('/worker.js')
        const fromWorker = new Promise((done) => { worker.onmessage = ({ data }) => done(data) })
        worker.postMessage('${forbidden.origin}/worker')
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp.address().port}' }] })
        peer.createDataChannel('x')
        await peer.setLocalDescription(await peer.createOffer())
        return {
          fetch: await outcome(fetch('${forbidden.origin}/fetch')),
          noCors: await outcome(fetch('${forbidden.origin}/no-cors', { mode: 'no-cors' }).then(async (r) => { if (r.type !== 'opaque') throw 0 })),
          redirected: await outcome(fetch('/redirect?to=${forbidden.origin}/fetch-redirect')),
          socket: await outcome(socket('ws://${forbidden.host}/')),
          own_socket: await outcome(socket('ws://${site.host}/')),
          mapped: await outcome(fetch('http://[::ffff:127.0.0.1]:${forbidden.port}/', { mode: 'cors' })),
          worker: await fromWorker,
        }
      }`,
    })
    await browser.run('wait', { timeout_seconds: 10 })
    expect(tried.value).toMatchObject({ fetch: 'out', redirected: 'out', socket: 'out', own_socket: 'in', mapped: 'out', worker: 'out' })
    expect([forbidden.seen, packets]).toEqual([[], 0])
    const { refused } = await browser.run('network_logs', {})
    expect(refused).toContainEqual({ host: '127.0.0.1', port: forbidden.port, reason_code: 'host_out_of_scope' })
  })
})

test('Chromium itself does not contact hosts outside the scope either', async () => {
  await withBrowser([site.host], async (browser) => {
    const shown = await browser.run('open', { url: showing('<form><input name="email"><input type="password"></form>') })
    await browser.run('type', { selector: 'input[name=email]', value: 'x' })
    const { refused } = await browser.run('network_logs', {})
    expect([shown.refused, refused]).toEqual([[], []])
  })
})

test('a name that is rebound to another service can reach only the listed address', async () => {
  const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const browser = testBrowser(['rebind.test', site.host])
  try {
    const opened = await browser.run('open', { url: `http://rebind.test:${site.port}/` }, { resolve })
    expect([opened.status, opened.title]).toEqual([200, 'Page'])
    const { value } = await browser.run(
      'eval',
      { expression: `fetch('http://rebind.test:${forbidden.port}/').then((r) => r.status, () => 'out')` },
      { resolve },
    )
    // The refusal of the proxy is not readable across origins.
    expect([value, forbidden.seen]).toEqual(['out', []])
  } finally {
    await browser.close()
  }
})

test('two concurrent runs have separate scopes and profiles', async () => {
  const other = await openSite((_, response) => response.setHeader('content-type', 'text/html').end(page('other')))
  const one = testBrowser([site.host])
  const two = testBrowser([other.host], one.browsers)
  try {
    await Promise.all([one.run('open', { url: site.origin }), two.run('open', { url: other.origin })])
    expect(await Promise.all([reason(one.run('open', { url: other.origin })), reason(two.run('open', { url: site.origin }))])).toEqual([
      'host_out_of_scope',
      'host_out_of_scope',
    ])
    await one.run('open', { url: site.origin })
    await one.run('eval', { expression: `document.cookie = 'mine=1'` })
    expect((await one.run('open', { url: site.origin })).status).toBe(200)
    expect((await two.run('open', { url: other.origin })).status).toBe(200)
    expect((await two.run('eval', { expression: 'document.cookie' })).value).toBe('')
  } finally {
    await one.close()
    await two.close()
    await other.close()
  }
})

test('the scope of the calling tool applies', async () => {
  await withBrowser([site.host], async (browser) => {
    const link = `<a href="${forbidden.origin}/linked">Leave</a><button onclick="fetch('/api').then((r) => document.body.append('status ' + r.status))">Ask</button>`
    await browser.run('open', { url: showing(link) }, { hosts: [site.host, forbidden.host] })
    const asked = await browser.run('click', { text: 'Ask' }, { hosts: [] })
    const waited = await browser.run('wait', { text: 'status 403' }, { hosts: [] })
    expect([...asked.refused, ...waited.refused]).toEqual([`127.0.0.1:${site.port} (host_out_of_scope)`])
    await browser.run('click', { text: 'Ask' })
    await browser.run('wait', { text: 'status 200' })
    const left = await browser.run('click', { text: 'Leave' })
    expect([left.refused, forbidden.seen]).toEqual([[`127.0.0.1:${forbidden.port} (host_out_of_scope)`], []])
  })
})

test('a page cannot read files, and secrets of this process are not in its environment', async () => {
  process.env.TANDEM_TEST_CANARY = 'canary-s3cret'
  try {
    await withBrowser([site.host], async (browser) => {
      await browser.run('open', { url: showing('<iframe src="file:///etc/passwd"></iframe>') })
      await browser.run('eval', { expression: `location.href = 'file:///etc/passwd'` }).catch(() => undefined)
      const { url, snapshot } = await browser.run('wait', {})
      expect([url.startsWith(site.origin), String(snapshot).includes('root:')]).toEqual([true, false])
      const { readFileSync } = await import('node:fs')
      const ours = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .filter((pid) => {
          try {
            return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(browser.temp)
          } catch {
            return false // it has exited
          }
        })
      expect(ours.length).toBeGreaterThan(0)
      expect(ours.filter((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes('canary-s3cret'))).toEqual([])
    })
  } finally {
    delete process.env.TANDEM_TEST_CANARY
  }
})

test('the browser leaves nothing behind', async () => {
  const temp = mkdtempSync(join(tmpdir(), 'tandem-left-'))
  // In a folder of its own: other tests run browsers as well.
  const own = mkdtempSync(join(tmpdir(), 'tandem-own-'))
  vi.stubEnv('TMPDIR', own)
  onTestFinished(() => void vi.unstubAllEnvs())
  await withBrowser([site.host], async (browser) => {
    await browser.run('open', { url: site.origin }, { temp })
  })
  expect(readdirSync(temp).filter((name) => name.startsWith('browser-'))).toEqual([])
  rmSync(temp, { recursive: true })
  expect(readdirSync(own).filter((name) => name.startsWith('playwright'))).toEqual([])
})
