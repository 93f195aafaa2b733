// The previews of commands, requests, pages and processes. Files are in fs/preview.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CallPreview } from '@tandem/contract/run/schema'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { noExecutors } from '../../test/support/executor/no-executors.ts'
import { testContext } from '../../test/support/tools/fs/test-context.ts'
import type { Tool } from '../call/tool.ts'
import { systemClock } from '../clock/clock.ts'
import { idMaker } from '../clock/id.ts'
import type { Browsers } from './browser/browsers.ts'
import { browserTools } from './browser/tools.ts'
import { shellTools } from './shell/index.ts'
import { openProcesses, type Processes } from './shell/processes.ts'
import { httpRequest } from './system/http.ts'
import { webExtract } from './web/extract.ts'
import { webFetch } from './web/fetch.ts'
import { webSearch } from './web/search.ts'

async function preview(tool: Tool | undefined, input: object, context = testContext()): Promise<unknown> {
  const shown = await tool?.preview?.(input as never, context).catch((error: unknown) => {
    if (error instanceof Error && 'reason_code' in error) return String(error.reason_code)
    throw error
  })
  if (typeof shown === 'object' && shown !== null) expect(Check(CallPreview, shown)).toBe(true)
  return shown
}

const named = (tools: readonly Tool[], name: string) => tools.find((one) => one.name === name)

test('a command: where it runs, and its parts', async () => {
  const context = testContext()
  mkdirSync(join(context.workspace, 'sub'))
  const exec = named(
    shellTools(openProcesses({ clock: systemClock, newId: idMaker(systemClock) }), () => noExecutors),
    'shell.exec',
  )
  const shown = { kind: 'command', command_truncated: false, language: null, source: true, background: false }
  expect(await preview(exec, { command: 'ls | wc', cwd: 'sub' }, context)).toEqual({
    ...shown,
    command: 'ls | wc',
    cwd: 'sub',
    parts: [
      { text: 'ls', explains: 'Lists files.' },
      { text: 'wc', explains: 'With that output as its input: Counts lines, words or characters.' },
    ],
  })
  expect(await preview(exec, { command: 'npm start', background: true }, context)).toMatchObject({ cwd: '.', background: true })
  expect(await preview(exec, { command: 'ls', cwd: 'missing' }, context)).toBe('not_found')
  expect(await preview(exec, { command: 'ls', cwd: context.outside }, context)).toBe('path_out_of_scope')
  expect(await preview(exec, { command: `echo ${'x'.repeat(29_000)}` }, context)).toMatchObject({
    command: `echo ${'x'.repeat(29_000)}`,
    parts: [{ text: `echo ${'x'.repeat(395)}…`, explains: expect.stringContaining('longer than 20,000 characters') }],
  })
})

test('a script: its source, or the file that runs', async () => {
  const context = testContext()
  writeFileSync(join(context.workspace, 'a.py'), 'print(1)')
  const script = named(
    shellTools(openProcesses({ clock: systemClock, newId: idMaker(systemClock) }), () => noExecutors),
    'script.run',
  )
  const shown = { kind: 'command', command_truncated: false, cwd: '.', background: false }
  expect(await preview(script, { language: 'python3', source: 'print(2)', args: ['--x', 'y'] }, context)).toEqual({
    ...shown,
    command: 'print(2)',
    language: 'python3',
    source: true,
    parts: [{ text: '--x y', explains: 'The arguments of the script.' }],
  })
  expect(await preview(script, { language: 'bash', source: 'ls' }, context)).toMatchObject({
    parts: [{ text: 'ls', explains: 'Lists files.' }],
  })
  expect(await preview(script, { language: 'python3', path: 'a.py', args: ['y'] }, context)).toEqual({
    ...shown,
    command: 'python3 a.py y',
    language: 'python3',
    source: false,
    parts: [{ text: 'python3 a.py y', explains: 'Runs the code in this file. It is not shown here.' }],
  })
  expect(await preview(script, { language: 'python3', path: 'missing.py' }, context)).toBe('not_found')
  expect(await preview(script, { language: 'python3' }, context)).toBe('invalid_input')
  expect(await preview(script, { language: 'node', source: 'x'.repeat(70_000) }, context)).toMatchObject({
    command: 'x'.repeat(65_536),
    command_truncated: true,
  })
})

test('ending a process shows its command', async () => {
  const facts = { pid: 4711, command: 'npm start' }
  const processes = { find: (_: string, { pid }: { pid?: number }) => (pid === 1 ? null : { facts }) } as never as Processes
  const kill = named(
    shellTools(processes, () => noExecutors),
    'process.kill',
  )
  expect(await preview(kill, { process_id: 'p' })).toEqual({ kind: 'process', ...facts })
  expect(await preview(kill, { pid: 4712 })).toEqual({ kind: 'process', pid: 4712, command: 'npm start' })
  expect(await preview(kill, { pid: 1 })).toBe(null)
})

test('a request, with secrets masked and a long body cut', async () => {
  const url = 'https://api.example.org/v1'
  const headers = { Authorization: 'Bearer canary', 'X-Trace': 't' }
  expect(await preview(httpRequest, { url, method: 'POST', headers, json: { a: 1 } })).toEqual({
    kind: 'request',
    method: 'POST',
    url,
    headers: [
      { name: 'Authorization', value: '(hidden, 13 characters)' },
      { name: 'X-Trace', value: 't' },
      { name: 'content-type', value: 'application/json' },
    ],
    body: '{"a":1}',
    body_truncated: false,
  })
  const long = await preview(httpRequest, { url, method: 'PUT', body: 'x'.repeat(20_000) })
  expect(long).toMatchObject({ body: 'x'.repeat(16_384), body_truncated: true })
  expect(await preview(httpRequest, { url, body: 'a', json: 1 })).toBe('body_ambiguous')
  const plain = { kind: 'request', method: 'GET', url, headers: [], body: null, body_truncated: false }
  expect(await preview(httpRequest, { url })).toEqual(plain)
  expect(await preview(webFetch, { url })).toEqual(plain)
  expect(await preview(webFetch, { url: 'https://аpple.com' })).toEqual({ ...plain, url: 'https://xn--pple-43d.com/' })
  expect(await preview(webExtract, { url })).toEqual({
    ...plain,
    headers: [{ name: 'accept', value: expect.stringContaining('text/html') }],
  })
})

test('a search shows the request to the provider, without its key', async () => {
  const search = webSearch({ search: () => ({ provider: 'tavily', key_name: 'k' }), secret: () => 'tvly-canary' })
  const shown = await preview(search, { query: 'oat milk' })
  expect(shown).toMatchObject({
    kind: 'request',
    method: 'POST',
    url: 'https://api.tavily.com/search',
    body: expect.stringContaining('oat milk'),
  })
  expect(JSON.stringify(shown)).not.toContain('canary')
  const authorization = { name: 'authorization', value: `(hidden, ${'Bearer tvly-canary'.length} characters)` }
  expect(shown).toMatchObject({ headers: expect.arrayContaining([authorization]) })
  const keyless = webSearch({ search: () => ({ provider: 'searxng', key_name: 'k' }), secret: () => null })
  expect(await preview(keyless, { query: 'x' })).toMatchObject({ headers: [{ name: 'accept', value: 'application/json' }] })
  expect(await preview(webSearch({ search: () => null, secret: () => null }), { query: 'x' })).toBe('search_not_configured')
})

test('an action on a page shows the action and the page', async () => {
  const browsers = { addressOf: (_: string, tab?: string) => (tab === 't2' ? null : 'https://example.org/a') } as never as Browsers
  const tools = browserTools(browsers)
  const page = { kind: 'page', target: null, value: null, value_truncated: false, address: 'https://example.org/a' }
  const shown = (name: string, input: object) => preview(named(tools, `browser.${name}`), input)
  expect(await shown('open', { url: 'https://b.example/' })).toEqual({ ...page, action: 'open', address: 'https://b.example/' })
  expect(await shown('click', { role: 'button', name: 'Send' })).toEqual({ ...page, action: 'click', target: 'button “Send”' })
  expect(await shown('click', { ref: 'e1', count: 2, tab: 't2' })).toEqual({
    ...page,
    action: 'click',
    target: 'e1',
    value: '2 times, with the left button',
    address: null,
  })
  expect(await shown('type', { ref: 'e1', value: 'hello', submit: true })).toEqual({
    ...page,
    action: 'type_and_submit',
    target: 'e1',
    value: 'hello',
  })
  expect(await shown('select', { ref: 'e1', values: ['a', 'b'] })).toEqual({ ...page, action: 'select', target: 'e1', value: 'a\nb' })
  expect(await shown('eval', { expression: 'document.title' })).toEqual({ ...page, action: 'run', value: 'document.title' })
})
