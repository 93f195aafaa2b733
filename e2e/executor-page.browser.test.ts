// A page of another site, in a real browser, knows the address and even the token of an executor on this machine: it gets nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReferenceExecutor } from '../packages/runtime/src/runtime.ts'
import { launchChromium } from './chromium.ts'

/** In the page: what each way to send a request returns. */
const attack = (target: string, token: string) => `(async () => {
  const read = async (options) => {
    try {
      const response = await fetch('${target}/capabilities', options)
      return response.type + ' ' + response.status + ' ' + (await response.text())
    } catch {
      return 'nothing'
    }
  }
  const image = await new Promise((resolve) => {
    const element = new Image()
    element.onload = () => resolve('loaded')
    element.onerror = () => resolve('nothing')
    element.src = '${target}/capabilities'
  })
  const headers = { authorization: 'Bearer ${token}' }
  return [await read({ headers }), await read({ mode: 'no-cors' }), await read({ method: 'POST', body: '{}' }), image]
})()`

test('fetch, an image, and a name that leads to this machine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-page-'))
  const start = await startReferenceExecutor({
    ...{ folder, listen: '127.0.0.1', port: 0, hosts: [], plain: true, capabilities: ['secret.capability'], renew_token: false },
    ...{ allow_root: true, environment: {}, uid: null },
  })
  if (!start.ok) throw new Error(start.problem)
  const { url, new_token, stop } = start.executor
  const token = new_token ?? ''
  const site = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Site</title>'))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    // An opaque response shows neither its status nor its text.
    expect(await page.evaluate(attack(url, token))).toEqual(['nothing', 'opaque 0 ', 'nothing', 'nothing'])

    // A name of the page leads to this machine, so that its requests have the same origin: the Host gives them away.
    const rebound = `http://rebound.localhost:${new URL(url).port}`
    await page.route(`${rebound}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Loaded before</title>' }))
    await page.goto(`${rebound}/`)
    expect(await page.evaluate(attack(rebound, token))).toEqual(['basic 421 ', 'basic 421 ', 'basic 421 ', 'nothing'])

    // None of this blocked the real client, which has the same address.
    const answer = await fetch(`${url}/capabilities`, { headers: { authorization: `Bearer ${token}` } })
    expect(await answer.text()).toContain('secret.capability')
  } finally {
    await browser.close()
    await stop()
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  }
})
