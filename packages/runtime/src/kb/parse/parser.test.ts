import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDocx, testPdf } from '../../../test/support/kb/test-documents.ts'
import { hostileDocx, hostilePdfs } from '../../../test/support/kb/test-hostile-documents.ts'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { type CommandSandbox, openCommandSandbox } from '../../sandbox/command/sandbox.ts'
import type { DocumentFile } from './batches.ts'
import { parseLimits } from './parse-limits.ts'
import { openParser, type ParseResult, type Parser } from './parser.ts'

let root: string
let sandbox: CommandSandbox
let parser: Parser
const lines: string[] = []
const never = new AbortController().signal

function parserWith(one: Pick<CommandSandbox, 'runner' | 'enforcement'>, clock: Clock = systemClock): Parser {
  return openParser({
    sandbox: one,
    clock,
    home: join(root, 'home'),
    temp: join(root, 'temp'),
    log: (line) => lines.push(line),
  })
}

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-parser-')))
  mkdirSync(join(root, 'home'))
  sandbox = openCommandSandbox({ clock: systemClock, home: join(root, 'home'), temp: join(root, 'self-test') })
  parser = parserWith(sandbox)
})

afterAll(async () => {
  await sandbox.stop()
  rmSync(root, { recursive: true, force: true })
})

const file = (name: string, content: string | Uint8Array): DocumentFile => ({
  name,
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
})
const brief = (result: ParseResult) => ('problem' in result ? result.problem : result.text.trim().slice(0, 20))

test('files of all formats are read, in their order, and nothing stays in the folder for temporary files', async () => {
  const results = await parser.parse(
    [
      file('a.pdf', await testPdf([[['PDF text']]])),
      file('a.md', '# Markdown'),
      file('a.docx', await testDocx([{ text: 'DOCX text' }])),
      file('a.png', Buffer.from('\x89PNG\r\n', 'latin1')),
      file('a.html', '<html><p>HTML text'),
      file('a.json', '{"json": 1}'),
      file('empty.txt', ''),
      file('a.csv', 'a,b\n1,2'),
      file('large.txt', Buffer.alloc(parseLimits.text_bytes + 1, 'a')),
      file('wide.txt', Buffer.from('\uFEFFüber', 'utf16le')),
    ],
    never,
  )
  expect(results.map(brief)).toEqual([
    'PDF text',
    '# Markdown',
    'DOCX text',
    'not_text',
    'HTML text',
    '{"json": 1}',
    '',
    'a,b\n1,2',
    'too_large',
    'über',
  ])
  expect(results[9]).toEqual({
    format: 'text',
    title: null,
    text: 'über',
    encoding: { name: 'utf-16le', mark_bytes: 2 },
    blocks: [{ kind: 'paragraph', from: 0, to: 4 }],
    notes: [],
  })
  expect(readdirSync(join(root, 'temp'))).toEqual([])
  expect(['pdf', 'markdown'].map((format) => parser.canParse(format as 'pdf'))).toEqual([true, true])
})

describe('hostile files', () => {
  test('that are too much for one process do not affect the others', { timeout: 600_000 }, async () => {
    const results = await parser.parse(
      [
        file('before.docx', await testDocx([{ text: 'before' }])),
        file('bomb.docx', hostileDocx()),
        file('after.docx', await testDocx([{ text: 'after' }])),
        file('deep.json', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`),
        file('line.csv', Buffer.alloc(parseLimits.text_bytes, 'a,b ')),
        file('deep.html', `<html>${'<div>'.repeat(100_000)}inside`),
        file('notes.md', 'read'),
      ],
      never,
    )
    expect(results.map(brief)).toEqual(['before', 'too_much_memory', 'after', '['.repeat(20), 'a,b a,b a,b a,b a,b ', 'inside', 'read'])
    expect(lines.some((line) => line.includes('ended early'))).toBe(true)
  })

  test('PDF with loops, deep nesting and millions of objects', { timeout: 600_000 }, async () => {
    const hostile = hostilePdfs()
    const results = await parser.parse(
      [...hostile.map(([name, bytes]) => file(name, bytes)), file('intact.pdf', await testPdf([[['intact']]]))],
      never,
    )
    expect(
      Object.fromEntries(hostile.map(([name], index) => [name, brief(results[index] ?? { problem: 'failed', detail: null })])),
    ).toEqual(Object.fromEntries(hostile.map(([name]) => [name, expect.stringMatching(/^(?:damaged|no_text|too_long|too_much_memory)$/)])))
    expect(results.map(brief).at(-1)).toBe('intact')
  })

  test('random bytes after the first bytes of each format', { timeout: 600_000 }, async () => {
    let seed = 7
    const random = Buffer.from(
      Array.from({ length: 20_000 }, () => {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
        return seed >>> 24
      }),
    )
    const begins = [
      '%PDF-1.7\n',
      'PK\x03\x04',
      'PK\x03\x04word/document.xml',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      '\xff\xfe',
      '\xef\xbb\xbf',
      '<html>',
      '{\\rtf',
      '{"a":',
      '',
    ]
    const results = await parser.parse(
      begins.map((begin, index) => file(`${index}`, Buffer.concat([Buffer.from(begin, 'latin1'), random]))),
      never,
    )
    expect(results.map(brief)).toEqual(begins.map(() => expect.stringMatching(/^(?:damaged|not_text|unknown_format|no_text|failed)$/)))
  })
})

describe('the process', () => {
  /** A parser whose process runs this program instead. */
  function parserRunning(program: string): Parser {
    const entry = join(root, 'home', '..', 'program.mjs')
    writeFileSync(entry, program)
    return parserWith({
      enforcement: sandbox.enforcement,
      runner(scope) {
        const runner = sandbox.runner(scope)
        return { ...runner, start: (spec, signal) => runner.start({ ...spec, argv: [...spec.argv.slice(0, -1), entry] }, signal) }
      },
    })
  }
  const answer = (text: string) => `process.stdout.write(JSON.stringify({ index: 0, problem: 'failed', detail: ${text} }) + '\\n')`

  test('cannot read files of the user, and has no network', async () => {
    const secret = join(root, 'secret.txt')
    writeFileSync(secret, 'secret')
    const server = createServer((_, reply) => reply.end('reached'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const program = `
      import { readFileSync, readdirSync } from 'node:fs'
      const attempt = async (call) => { try { return await call() } catch (error) { return error.code ?? error.name } }
      const read = await attempt(() => readFileSync(${JSON.stringify(secret)}, 'utf8'))
      const home = await attempt(() => readdirSync(${JSON.stringify(join(root, 'home'))}).length)
      const net = await attempt(async () => (await fetch('http://127.0.0.1:${port}')).text())
      ${answer("read + ' ' + home + ' ' + net")}`
    try {
      const [result] = await parserRunning(program).parse([file('a.txt', 'a')], never)
      expect(result).toEqual({ problem: 'failed', detail: expect.stringMatching(/^ENOENT (?:0|ENOENT) TypeError$/) })
    } finally {
      server.close()
    }
  })

  test('ends when the signal is aborted', async () => {
    const stop = new AbortController()
    const parsing = parserRunning('setInterval(() => undefined, 1_000)').parse([file('a.txt', 'a')], stop.signal)
    setImmediate(() => stop.abort(new Error('canceled')))
    await expect(parsing).rejects.toThrow('canceled')
    expect(readdirSync(join(root, 'temp'))).toEqual([])
  })

  test.each([
    ['something that is not an answer', `process.stdout.write('hello\\n'); setInterval(() => undefined, 1_000)`],
    ['an answer about another file', `process.stdout.write(JSON.stringify({ index: 1, problem: 'damaged', detail: null }) + '\\n')`],
    ['a range outside the text', documentAnswer({ blocks: [{ kind: 'paragraph', from: 0, to: 9 }] })],
    [
      'a range that is not in order',
      documentAnswer({
        blocks: [
          { kind: 'paragraph', from: 2, to: 5 },
          { kind: 'paragraph', from: 0, to: 2 },
        ],
      }),
    ],
    ['text that is in no block', documentAnswer({ blocks: [{ kind: 'paragraph', from: 0, to: 2 }] })],
    ['another text than that of the file', documentAnswer({ text: 'other', blocks: [{ kind: 'paragraph', from: 0, to: 5 }] })],
    [
      'text that is not well-formed',
      documentAnswer({ format: 'html', encoding: null, text: '\ud800', blocks: [{ kind: 'paragraph', from: 0, to: 1 }] }),
    ],
    ['an unknown field', documentAnswer({ more: 1, blocks: [{ kind: 'paragraph', from: 0, to: 5 }] })],
  ])('is not believed if it writes %s', async (_what, program) => {
    expect(await parserRunning(program).parse([file('a.txt', 'words')], never)).toEqual([{ problem: 'failed', detail: null }])
  })

  test('that uses too much processor time is ended, and the file is named', { timeout: 600_000 }, async () => {
    const program = `process.kill(process.pid, 'SIGXCPU'); setInterval(() => undefined, 1_000)`
    expect(await parserRunning(program).parse([file('a.txt', 'words')], never)).toEqual([{ problem: 'too_long', detail: null }])
  })

  function documentAnswer(change: object): string {
    const document = { format: 'text', title: null, encoding: { name: 'utf-8', mark_bytes: 0 }, notes: [], ...change }
    return `process.stdout.write(${JSON.stringify(JSON.stringify({ index: 0, document }))} + '\\n')`
  }
})

const withoutSandbox = () =>
  openCommandSandbox({
    clock: systemClock,
    home: join(root, 'other-home'),
    temp: join(root, 'self-test'),
    choose: async () => ({ backend: null, missing: 'bubblewrap is missing' }),
  })

test('without a sandbox, texts are read and other formats are not', async () => {
  const absent = withoutSandbox()
  const texts = parserWith(absent)
  try {
    const files = [
      file('a.md', '# Title'),
      file('a.pdf', await testPdf([[['PDF']]])),
      file('a.html', '<html><p>x'),
      file('a.json', '{"a":1}'),
    ]
    expect((await texts.parse(files, never)).map(brief)).toEqual(['# Title', 'no_sandbox', 'no_sandbox', '{"a":1}'])
    expect([texts.canParse('pdf'), texts.canParse('markdown')]).toEqual([false, true])
  } finally {
    await texts.stop()
    await absent.stop()
  }
})

test('without a sandbox, a text that takes too long is given up, and the next one is read', async () => {
  const absent = withoutSandbox()
  let limits = 0
  // The first limit is over before the thread can have started.
  const after: Clock['after'] = (ms, call) => {
    if (ms === parseLimits.text_ms) limits += 1
    if (ms === parseLimits.text_ms && limits === 1) call()
    return () => undefined
  }
  const texts = parserWith(absent, { ...systemClock, after })
  try {
    expect((await texts.parse([file('a.md', '# Title')], never)).map(brief)).toEqual(['too_long'])
    expect((await texts.parse([file('b.md', '# Next')], never)).map(brief)).toEqual(['# Next'])
    expect(limits).toBe(2)
  } finally {
    await texts.stop()
    await absent.stop()
  }
})
