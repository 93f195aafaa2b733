// `tandem kb` as users and scripts see it, with a real runtime. What depends on the process has its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { KnowledgeHit } from '@tandem/contract/knowledge'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killAndWait } from './support/process-end.ts'
import { type ProcessResult, parseJsonLines, useTandem } from './support/test-tandem.ts'
import { inTerminal } from './support/test-terminal.ts'

const timeout = 300_000

/** If set, the next request is not answered. */
let asked: (() => void) | null = null
let server: Server
let address: string

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/missing.md') response.writeHead(404).end()
    else if (asked === null) response.end('# Tides\n\nHigh tide is at noon.\n')
    else asked()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Resolves when a page is requested, and leaves this request without an answer. */
function unansweredRequest(): Promise<void> {
  return new Promise((resolve) => {
    asked = () => {
      asked = null
      resolve()
    }
  })
}

const here = useTandem(() => ({ ENV: 'production' }))
const kb = async (...args: string[]) => withoutProgress(await here.command('kb', ...args))
/** On a busy machine, reading takes so long that progress is shown. */
const progressLine = /^.*: (?:waiting to be read|looking for changes|loading the page|[\d,]+ of [\d,]+ files? checked, .* read)\n/gm

const ended = async (started: ReturnType<typeof here.start>) => withoutProgress(await started.ended)

function withoutProgress({ stderr, ...others }: ProcessResult): ProcessResult {
  return { ...others, stderr: stderr.replaceAll(progressLine, '') }
}

const minute = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/g

/** What is printed, with the times, the folder and the given ids replaced. */
async function text(args: readonly string[], ids: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, stdout, stderr } = await kb(...args)
  expect([args, status, stderr]).toEqual([args, 0, ''])
  const shown = stdout.replaceAll(minute, 'TIME').replaceAll(here.workspace, 'FOLDER')
  return Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(id, name), shown)
}

async function result(...args: string[]) {
  const { status, stdout, stderr } = await kb(...args, '--json')
  expect([args, status, stderr]).toEqual([args, 0, ''])
  return JSON.parse(stdout)
}

function files(all: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(all)) {
    const path = join(here.workspace, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

const guide = '# Guide\n\nThe tea is in the kitchen.\u001b[2J\n'

test('a folder is added, listed, searched, shown, kept current and removed', { timeout }, async () => {
  expect(await text([])).toBe('The knowledge base is empty. Add a file, a folder or a web page with tandem kb add PATH|URL.\n')
  files({ 'docs/guide.md': guide, 'docs/table.csv': 'name,age\nAnn,30\n', 'docs/.env': 'KEY=1\n', 'docs/.env.local': 'KEY=2\n' })
  expect(await text(['add', 'docs'])).toBe(
    'docs: 2 files, 2 passages, 56 B.\n' +
      '2 files were left out:\n' +
      '  .env and 1 other: It may contain secrets, so it was left out. To include it, add it by itself.\n' +
      'To list these files: tandem kb files docs --problems\n',
  )
  const [source] = parseJsonLines((await kb('list', '--json')).stdout)
  const ids = { SOURCE: String(source?.source_id) }
  expect(source).toEqual({
    source_id: expect.any(String),
    name: 'docs',
    origin: { kind: 'folder', path: join(here.workspace, 'docs') },
    owner: { kind: 'everyone' },
    added_by: null,
    watch: true,
    state: 'ready',
    progress: null,
    problem: null,
    files: 2,
    left_out: 2,
    passages: 2,
    bytes: 56,
    added_at: expect.any(String),
    checked_at: expect.any(String),
  })
  expect(await text(['list'], ids)).toBe(
    'SOURCE  docs  ready  2 files, 2 passages, 56 B, 2 left out  all agents  FOLDER/docs  checked TIME\n',
  )
  expect(await text(['files', 'docs'])).toBe(
    '.env                  6 B   left out   It may contain secrets, so it was left out. To include it, add it by itself.\n' +
      '.env.local            6 B   left out   It may contain secrets, so it was left out. To include it, add it by itself.\n' +
      'guide.md    Markdown  40 B  1 passage\n' +
      'table.csv   CSV       16 B  1 passage\n',
  )
  expect(parseJsonLines((await kb('files', ids.SOURCE, '--problems', '--json')).stdout)).toMatchObject([
    { name: '.env', problem: 'secret' },
    { name: '.env.local', problem: 'secret' },
  ])

  const { hits } = (await result('search', 'tea', 'kitchen', '--source', 'docs')) as { hits: KnowledgeHit[] }
  expect(hits.map(({ citation }) => citation)).toEqual(['[docs/guide.md:3]'])
  const passage = { PASSAGE: hits[0]?.passage_id ?? '' }
  expect(await text(['search', 'tea'], passage)).toMatch(
    /^\[docs\/guide\.md:3\]\n {2}Guide\n {2}# Guide The tea is in the kitchen\.\\u\{1b\}\[2J\n {2}score 100%: its words \d+%.*\n {2}passage PASSAGE\n/,
  )
  expect(await text(['show', passage.PASSAGE])).toBe(
    '[docs/guide.md:1]\n' +
      'source  docs\n' +
      'file    FOLDER/docs/guide.md\n' +
      'format  Markdown\n' +
      'place   lines 1 to 3, Guide\n' +
      '\n' +
      '> 1  # Guide\n' +
      '> 2\n' +
      '> 3  The tea is in the kitchen.\\u{1b}[2J\n',
  )

  files({ 'docs/new.txt': 'The coffee is in the cellar.\n' })
  expect(await text(['reindex', 'docs'])).toMatch(/^docs: 3 files, 3 passages, 85 B\.\n2 files were left out:\n/)
  expect(await text(['rename', 'docs', 'my docs'])).toBe('docs is now named my docs.\n')
  expect(await text(['search', 'coffee'])).toContain('[my docs/new.txt:1]\n')

  expect(await ended(here.start(['kb', 'remove', 'my docs']))).toEqual({
    status: 2,
    stdout: '',
    stderr:
      `my docs: 3 files, 3 passages, 85 B, from ${here.workspace}/docs\n` +
      'The files themselves are not touched.\n' +
      'tandem: without a terminal, remove needs --yes. Nothing was removed.\n',
  })
  const asked = await inTerminal(['kb', 'remove', 'my docs'], here.workspace, join(here.folder, 'home'), 'Remove my docs from', 'n')
  expect(asked).toEqual({ status: 1, text: expect.stringContaining('tandem: nothing was removed') })
  expect(await text(['remove', ids.SOURCE, '--yes'])).toBe('Removed my docs.\n')
  expect(await text(['search', 'coffee'])).toContain('The knowledge base is empty.')
})

test('who can find a source is chosen when it is added, and later', { timeout }, async () => {
  await here.command('agents', 'create', 'Mara')
  await here.command('agents', 'create', 'Otto')
  const notes = here.start(['kb', 'add', '-', '--name', 'notes', '--agent', 'Mara'], 'The\ufeff ferry leaves at nine.\n')
  expect(await ended(notes)).toEqual({ status: 0, stdout: 'notes: 1 file, 1 passage, 29 B.\n', stderr: '' })
  const foundBy = async (agent: string) => (await result('search', 'ferry', '--as-agent', agent)).hits.length
  expect([await foundBy('Mara'), await foundBy('Otto')]).toEqual([1, 0])
  expect(await text(['share', 'notes', '--everyone'])).toBe('notes can now be found by all agents.\n')
  expect([await foundBy('Mara'), await foundBy('Otto')]).toEqual([1, 1])
  expect(await text(['share', 'notes', '--workspace', '.'])).toBe('notes can now be found by agents in FOLDER.\n')
  expect([await foundBy('Mara'), await foundBy('Otto')]).toEqual([0, 0])
  expect(await kb('share', 'notes', '--agent', 'Nina')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'tandem: no agent is named Nina\n        List the agents and their ids with tandem agents.\n',
  })
  expect(await kb('share', 'notes')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^tandem: specify one of --agent, --workspace and --everyone\n/),
  })
})

test('errors name the item and the remedy', { timeout }, async () => {
  files({ 'docs/guide.md': guide })
  expect(await kb('add', 'no-such-file')).toEqual({
    status: 1,
    stdout: '',
    stderr: `tandem: there is no file or folder ${here.workspace}/no-such-file\n        Check the path.\n`,
  })
  expect(await kb('add', `${address}/missing.md`)).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^tandem: .*missing\.md could not be read\. .*returned status 404\n {8}Check the URL\.\n$/),
  })
  for (const command of [['files'], ['reindex'], ['remove'], ['search', 'tea', '--source']]) {
    expect(await kb(...command, 'nothing')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'tandem: no source is named nothing\n        List the sources with tandem kb list.\n',
    })
  }
  for (const [args, why] of [
    [['add', '-'], 'standard input is empty'],
    [['add', 'ftp://example.org/a'], 'the URL must begin with https:// or http://'],
    [['add', 'docs/guide.md', '--include', '*.md'], '--include and --exclude are only valid for folders'],
    [['add', 'docs', '--agent', 'Mara', '--workspace', '.'], '--agent and --workspace contradict each other'],
    [['search', 'tea', '--conversation', '01a00000-0000-7000-8000-000000000001'], '--conversation needs --as-agent'],
    [['search', 'tea', '--limit', '51'], '--limit must be a number from 1 to 50'],
    [['rename', 'docs'], 'specify a source and its new name; put a name with spaces in quotation marks'],
  ] as const) {
    expect(await kb(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(`tandem: ${why}\n`) })
  }
})

test('adding the same place again checks it for changes', { timeout }, async () => {
  files({ 'docs/guide.md': guide, 'docs/log.txt': 'Nothing happened.\n' })
  await result('add', 'docs')
  expect(await kb('add', '../workspace/docs', '--exclude', '*.txt', '--name', 'other', '--no-watch', '--json')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/"watch":false.*"files":1/),
    stderr: 'other is already in the knowledge base. It is checked for changes.\n',
  })
  expect(await text(['add', 'docs/log.txt', '--no-wait'])).toBe(
    'Added log.txt. Tandem is not running: it reads log.txt when you run tandem start.\n',
  )
  expect(await text(['cancel', 'log.txt'])).toBe('Stopped reading log.txt. What was read until now can be found.\n')
  expect(await text(['cancel', 'log.txt'])).toBe('log.txt is not being read.\n')
})

test('Ctrl-C stops reading if Tandem is not running, and leaves it to Tandem otherwise', { timeout }, async () => {
  const name = `${address.slice('http://'.length)}/tides.md`
  const loading = unansweredRequest()
  const own = here.start(['kb', 'add', `${address}/tides.md`])
  await loading
  own.child.kill('SIGINT')
  expect(await ended(own)).toEqual({
    status: 130,
    stdout: expect.stringMatching(
      new RegExp(`^${name}: 0 files, 0 passages, 0 B\\.\n {2}Reading was canceled\\. To continue: tandem kb reindex [0-9a-f-]{36}\n$`),
    ),
    stderr: '\nStopping. Press Ctrl-C again to exit immediately.\n',
  })

  await here.start(['start']).said('Press Ctrl-C to stop Tandem.')
  const again = unansweredRequest()
  const attached = here.start(['kb', 'reindex', name])
  await again
  attached.child.kill('SIGINT')
  expect(await ended(attached)).toEqual({
    status: 130,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(
        `^Tandem continues to read ${name}\\. To see its progress: tandem kb list\\. To stop it: tandem kb cancel [0-9a-f-]{36}\\.\n$`,
      ),
    ),
  })
  expect(await text(['list'])).toContain(`${name}  loading the page  0 files`)
  expect(await text(['cancel', name])).toBe(`Stopped reading ${name}. What was read until now can be found.\n`)
  expect(await text(['reindex'])).toBe(`${name}: 1 file, 1 passage, 31 B.\n`)
  expect(await text(['search', 'tide'])).toContain(`[${name}:1]\n`)
})

test('a source that was being read when the command was killed is read by the next one', { timeout }, async () => {
  const loading = unansweredRequest()
  const killed = here.start(['kb', 'add', `${address}/tides.md`, '--name', 'tides'])
  await loading
  await killAndWait(killed.child)
  expect(await text(['list'])).toContain('  tides  waiting to be read  0 files')
  expect(await text(['reindex', 'tides'])).toBe('tides: 1 file, 1 passage, 31 B.\n')
})
