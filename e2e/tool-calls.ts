// Calls of every built-in tool, in families, for pictures of their approvals and results. All of them really run; what is on the network
// is a small shop on loopback.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Script } from '../packages/runtime/test/support/model/test-model.ts'

/** The last text in the earlier results of the conversation that matches the group of a pattern. */
type Found = (pattern: RegExp) => string
export type ToolCallOf = (found: Found) => readonly [tool: string, input: object]

const milk = '# Notes\n\nBuy milk.\nCall Ada before noon.\n'
const greeting = 'export function greeting(name) {\n  return "Hello, " + name + "!"\n}\n'
const script = 'import json, sys\n\nnames = json.load(open("people.json"))\nfor name in names:\n    print(f"Hello, {name}!")\n'

export function callsOf(address: string): Readonly<Record<string, readonly ToolCallOf[]>> {
  const todo = /^\[.\] (\S+) /m
  return {
    files: [
      () => ['fs.list', { path: '.', depth: 2 }],
      () => ['fs.read', { path: 'notes.md' }],
      () => ['fs.search', { pattern: 'greeting', context: 1 }],
      () => ['fs.mkdir', { path: 'letters/2026' }],
      () => ['fs.write', { path: 'letters/2026/ada.md', content: '# Dear Ada\n\nThe milk is here.\n' }],
      () => ['fs.write', { path: 'notes.md', content: milk.replace('milk', 'oat milk') }],
      () => ['fs.edit', { path: 'src/greeting.js', edits: [{ old_text: 'Hello, ', new_text: 'Good morning, ' }] }],
      () => ['fs.edit', { path: 'src/greeting.js', edits: [{ old_text: 'Good evening', new_text: 'Good night' }] }],
      () => ['fs.move', { from: 'letters/2026/ada.md', to: 'letters/ada.md' }],
      () => ['fs.delete', { path: 'notes.md' }],
      () => ['fs.delete', { path: 'dist', recursive: true }],
    ],
    commands: [
      () => ['shell.exec', { command: 'grep -rn greeting src | sort > found.txt && wc -l found.txt' }],
      () => ['shell.exec', { command: 'rm -rf dist; node missing.js' }],
      () => ['shell.exec', { command: 'while true; do date; sleep 1; done', background: true }],
      () => ['script.run', { language: 'python3', source: script, args: ['--polite'] }],
      () => ['process.list', {}],
      (found) => ['process.list', { process_id: found(/in the background as (\S+)/) }],
      (found) => ['process.kill', { process_id: found(/in the background as (\S+)/) }],
    ],
    web: [
      () => ['web.search', { query: 'a shop that sells oat milk', count: 3 }],
      () => ['web.fetch', { url: `${address}/prices.json?currency=EUR` }],
      () => ['web.extract', { url: `${address}/` }],
      () => [
        'http.request',
        {
          url: `${address}/orders`,
          method: 'POST',
          headers: { authorization: 'Bearer secret-of-ada', 'x-shop': 'north' },
          json: { item: 'oat milk', litres: 2 },
        },
      ],
    ],
    browser: [
      () => ['browser.open', { url: `${address}/` }],
      () => ['browser.type', { role: 'textbox', name: 'Name', value: 'Ada Lovelace' }],
      () => ['browser.select', { role: 'combobox', name: 'Colour', values: ['blue'] }],
      () => ['browser.screenshot', {}],
      () => ['browser.eval', { expression: '({ title: document.title, links: [...document.links].map((link) => link.href) })' }],
      () => ['browser.console_logs', {}],
      () => ['browser.click', { role: 'button', name: 'Buy' }],
      () => ['browser.wait', { text: 'Thank you' }],
      () => ['browser.network_logs', {}],
    ],
    others: [
      () => ['todo.create', { todos: [{ title: 'Buy oat milk' }, { title: 'Call Ada', note: 'before noon' }] }],
      (found) => ['todo.update', { id: found(todo), state: 'in_progress' }],
      (found) => ['todo.complete', { ids: [found(todo)] }],
      () => ['todo.list', {}],
      () => ['time.now', { zone: 'Europe/Berlin' }],
      () => ['skill.load', { name: 'tidy-notes' }],
      () => ['kb.ingest', { path: '.', name: 'Notes' }],
      () => ['kb.search', { query: 'call Ada' }],
      () => ['kb.reindex', {}],
      () => [
        'ask_user',
        { question: 'Which milk should be on the list?', options: [{ value: 'oat', hint: 'keeps for weeks' }, { value: 'soy' }] },
      ],
    ],
  }
}

/** What the user writes to start the calls of a family. */
export function messageFor(family: string): string {
  return `Try the family ${family}.`
}

/** A model that makes one call per turn. */
export function modelOf(calls: ReturnType<typeof callsOf>): Script {
  return (_index, { messages }) => {
    const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content)
    const family = Object.keys(calls).find((name) => asked.includes(messageFor(name))) ?? ''
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    const found: Found = (pattern) => results.map((result) => pattern.exec(result)?.[1]).findLast((one) => one !== undefined) ?? 'missing'
    const next = calls[family]?.[results.length]?.(found)
    return next ? { calls: [{ name: next[0], arguments: next[1] }] } : { text: 'That is all.' }
  }
}

/** The files that the calls read and change; also after they were changed. */
export function writeWorkspace(workspace: string): void {
  for (const name of ['letters', 'dist', 'found.txt']) rmSync(join(workspace, name), { recursive: true, force: true })
  for (const name of ['src', 'dist', '.tandem/skills/tidy-notes']) mkdirSync(join(workspace, name), { recursive: true })
  writeFileSync(join(workspace, 'notes.md'), milk)
  writeFileSync(join(workspace, 'people.json'), '["Ada", "Grace"]')
  writeFileSync(join(workspace, 'src', 'greeting.js'), greeting)
  writeFileSync(join(workspace, 'src', 'main.js'), "import { greeting } from './greeting.js'\n\nconsole.log(greeting('Ada'))\n")
  for (let number = 10; number < 24; number += 1) writeFileSync(join(workspace, 'dist', `chunk-${number}.js`), 'x'.repeat(1_000))
  writeFileSync(
    join(workspace, '.tandem', 'skills', 'tidy-notes', 'SKILL.md'),
    '---\nname: tidy-notes\ndescription: Keeps notes tidy, in the order of their days.\n---\n# Tidy notes\n\nSort them by day. Leave the oldest at the end.\n',
  )
}

const things = 'Oat milk, bread and paper are sold here every day, and on Fridays there is cake. '
const page = `<!doctype html><html lang="en"><title>The corner shop</title>
  <article><h1>The corner shop</h1><p>${things.repeat(4)}</p><h2>Opening hours</h2><p>${things.repeat(3)}</p></article>
  <form action="/bought"><input aria-label="Name"><select aria-label="Colour"><option>red</option><option>blue</option></select><button>Buy</button></form>
  <a href="/prices.json">Prices</a><script>console.log('The shop is open'); console.error('No stock of soy milk'); fetch('/missing.json')</script>`

export async function openShop(): Promise<{ readonly host: string; close(): void }> {
  const results = [
    {
      title: 'The corner shop',
      url: 'https://shop.example/',
      content: 'Oat milk, bread and paper. Open every day.',
      publishedDate: '2026-01-01',
    },
    {
      title: 'All about oat milk',
      url: 'https://milk.example/oat/how-it-is-made?from=search',
      content: 'How it is made, and how long it keeps.',
    },
  ]
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop.example')
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value, null, 2))
    if (pathname === '/search') return json(200, { results })
    if (pathname === '/prices.json') return json(200, { currency: 'EUR', prices: [{ item: 'oat milk', price: 1.99 }] })
    if (pathname === '/orders') return json(201, { order: 17, state: 'accepted' })
    if (pathname === '/missing.json') return json(404, { error: 'not found' })
    response.setHeader('content-type', 'text/html')
    if (pathname === '/bought') return response.end('<!doctype html><title>Bought</title><h1>Thank you</h1>')
    return response.end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
