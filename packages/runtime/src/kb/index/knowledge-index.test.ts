import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runWithMounts } from '../../../test/support/checkpoint/test-mounts.ts'
import { folderSource, newFolder, TestKnowledge } from '../../../test/support/kb/test-knowledge.ts'
import { type AccessScope, accessRule } from '../../sandbox/files/access-rule.ts'
import { fingerprintOf } from '../rule/fingerprint.ts'
import { KnowledgeIndex } from './knowledge-index.ts'

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

const boats = '# Boats\n\nThe boat is called Merle.\n\n## Motor\n\nThe motor needs oil every spring.\n'

describe('a folder', () => {
  test('is found by its words, with the place in the file', async () => {
    const root = newFolder('docs')
    write(root, { 'a/boats.md': boats, 'b.txt': 'Nothing about ships.\n' })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    const [hit] = kb.find('which oil for the motor')
    expect(hit).toMatchObject({
      name: 'a/boats.md',
      path: join(root, 'a/boats.md'),
      position: { headings: expect.arrayContaining(['Boats']) },
    })
    const { bytes, first_line, text } = hit?.position ?? {}
    const file = readFileSync(join(root, 'a/boats.md'))
    expect(file.subarray(bytes?.from, bytes?.to).toString()).toBe(hit?.text)
    expect(boats.slice(text?.from, text?.to)).toBe(hit?.text)
    expect(boats.slice(0, text?.from).split('\n').length).toBe(first_line)
  })

  test('is read once: unchanged files are not read again, touched ones are not parsed again', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': boats, 'b.md': 'Two.\n', 'c.md': 'Three.\n' })
    const kb = new TestKnowledge()
    expect(await kb.read(folderSource(root))).toMatchObject({ total: 3, waiting: 3 })
    expect(await kb.read(folderSource(root))).toMatchObject({ total: 3, waiting: 0, removed: 0 })
    utimesSync(join(root, 'b.md'), 1_000, 1_000)
    expect(await kb.read(folderSource(root))).toMatchObject({ waiting: 1 })
    expect(kb.parsed).toBe(3)
    write(root, { 'c.md': 'Four.\n' })
    await kb.read(folderSource(root))
    expect(kb.parsed).toBe(4)
  })

  test('a file that was read right after its last change is read again', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': 'One.\n' })
    const kb = new TestKnowledge()
    kb.now = Date.now()
    await kb.read(folderSource(root))
    expect(await kb.read(folderSource(root))).toMatchObject({ waiting: 1 })
  })

  const long = (words: string) => `${`${words} `.repeat(120)}\n`

  test('a paragraph above a passage moves it, and its id stays', async () => {
    const root = newFolder('docs')
    const text = `# Sails\n\n${long('A sail is white.')}\n# Motor\n\n${long('The motor needs oil every spring.')}`
    write(root, { 'a.md': text })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    const before = kb.find('oil motor spring')[0]
    write(root, { 'a.md': `# Preface\n\n${long('A new beginning.')}\n${text}` })
    await kb.read(folderSource(root))
    const after = kb.index.passage(before?.id ?? '', null)
    expect([after?.id, after?.text]).toEqual([before?.id, before?.text])
    expect(after?.position.first_line).toBe((before?.position.first_line ?? 0) + 4)
  })

  test('a passage that is part of a larger one now is recognized by its lines', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': boats })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    const before = kb.find('oil motor spring')[0]
    write(root, { 'a.md': `# Preface\n\nA new beginning with a whole paragraph.\n\n${boats}` })
    await kb.read(folderSource(root))
    const after = kb.index.passage(before?.id ?? '', fingerprintOf(before?.text ?? ''))
    expect(after?.text).toBe(before?.text.trimEnd())
    expect(after?.position.first_line).toBe((before?.position.first_line ?? 0) + 4)
    expect(kb.index.passage(before?.id ?? '', null)).toBe(null)
  })

  test('neighbors that contain words of the query are one passage, and others are not part of it', async () => {
    const root = newFolder('docs')
    const section = (name: string, words: string) => `# ${name}\n\n${long(words)}\n`
    const text = `${section('One', 'Sails are white.')}${section('Two', 'The motor needs oil.')}${section('Three', 'A motor is loud.')}${section('Four', 'Ropes are long.')}`
    write(root, { 'a.md': text })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    const [hit] = kb.find('motor oil')
    expect([hit?.text.includes('motor needs oil'), hit?.text.includes('Sails'), hit?.text.includes('Ropes')]).toEqual([true, false, false])
    expect(hit?.text.slice(hit.best.from, hit.best.to)).toContain('motor needs oil')
    expect(hit?.best.position.headings.at(-1)).toBe('Two')
  })

  test('a renamed file is found by an old citation', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': boats })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    const before = kb.find('oil motor')[0]
    renameSync(join(root, 'a.md'), join(root, 'b.md'))
    await kb.read(folderSource(root))
    expect(kb.index.passage(before?.id ?? '', null)).toMatchObject({ name: 'b.md', text: before?.text })
    expect(kb.index.passage('nothing.such.0', null)).toBe(null)
  })

  test('leaves out secrets, ignored files, links and version control, and says so of secrets', async () => {
    const root = newFolder('docs')
    const outside = newFolder('outside')
    write(outside, { 'hidden.md': 'The treasure is here.\n' })
    write(root, {
      '.env': 'KEY=treasure\n',
      'keys/id_rsa': 'treasure\n',
      '.git/config': 'treasure\n',
      'node_modules/x/readme.md': 'treasure\n',
      '.gitignore': '*.log\n/build/\n',
      'a.log': 'treasure\n',
      'build/x.md': 'treasure\n',
      'sub/build/x.md': 'Kept.\n',
      'a.md': 'Kept, too.\n',
    })
    symlinkSync(join(outside, 'hidden.md'), join(root, 'link.md'))
    symlinkSync(outside, join(root, 'linked'))
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    expect(kb.content().map(({ name, problem }) => [name, problem])).toEqual([
      ['.env', 'secret'],
      ['.gitignore', null],
      ['a.md', null],
      ['keys/id_rsa', 'secret'],
      ['sub/build/x.md', null],
    ])
    expect(kb.find('treasure')).toEqual([])
  })

  test('include and exclude choose files', async () => {
    const root = newFolder('docs')
    write(root, { 'docs/a.md': 'One.\n', 'docs/b.txt': 'Two.\n', 'src/c.md': 'Three.\n', 'docs/old/d.md': 'Four.\n' })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root, 'source', { include: ['docs/**/*.md', 'docs/*.md'], exclude: ['**/old/**'] }))
    expect(kb.content().map(({ name }) => name)).toEqual(['docs/a.md'])
  })

  test('a folder that was replaced by a link while it is read leads nowhere', async () => {
    const root = newFolder('docs')
    const outside = newFolder('outside')
    write(outside, { 'a.md': 'The treasure is here.\n' })
    write(root, { 'sub/a.md': 'Harmless.\n' })
    const kb = new TestKnowledge()
    kb.index.compare(folderSource(root), { asked: true })
    rmSync(join(root, 'sub'), { recursive: true })
    symlinkSync(outside, join(root, 'sub'))
    expect(kb.index.next('source', { files: 10, bytes: 1_000 }, kb.now)).toEqual([])
  })

  test('an ignore file that is a link or a pipe is not read', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': 'One.\n', 'sub/b.md': 'Two.\n' })
    symlinkSync('/dev/zero', join(root, '.gitignore'))
    execFileSync('mkfifo', [join(root, 'sub', '.ignore')])
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    expect(kb.content().map(({ name }) => name)).toEqual(['a.md', 'sub/b.md'])
  })

  test('a folder that is gone, or empty without being asked about, loses nothing', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': boats, 'b.md': 'Two.\n' })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    write(root, { 'a.md': `${boats}More.\n`, 'b.md': 'Three.\n' })
    kb.index.compare(folderSource(root), { asked: false })
    rmSync(root, { recursive: true })
    expect(() => kb.index.next('source', { files: 10, bytes: 1_000 }, kb.now)).toThrow('does not exist')
    expect(() => kb.index.compare(folderSource(root), { asked: true })).toThrow('does not exist')
    mkdirSync(root)
    expect(() => kb.index.compare(folderSource(root), { asked: false })).toThrow('empty')
    expect(kb.find('motor oil')).toHaveLength(1)
    await kb.read(folderSource(root), true)
    expect(kb.content()).toEqual([])
  })

  test('what failed is tried again when somebody asks, and not by itself', async () => {
    const root = newFolder('docs')
    write(root, { 'a.html': '<!doctype html><p>Boat</p>' })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    expect(kb.content()[0]?.problem).toBe('no_sandbox')
    expect(kb.index.compare(folderSource(root), { asked: false })).toMatchObject({ waiting: 0 })
    expect(kb.index.compare(folderSource(root), { asked: true })).toMatchObject({ waiting: 1 })
    expect(kb.index.next('source', { files: 10, bytes: 1_000 }, kb.now)).toHaveLength(1)
  })

  test('removal leaves no byte of a large text', async () => {
    const root = newFolder('large')
    const other = newFolder('other')
    const word = (at: number) => `q${(at * 7_919).toString(36)}zx${at.toString(36)}`
    for (let file = 0; file < 40; file += 1)
      write(root, { [`${file}.md`]: Array.from({ length: 400 }, (_, at) => word(file * 400 + at)).join(' ') })
    write(other, { 'b.md': 'The other one stays.\n' })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root, 'first'))
    await kb.read(folderSource(other, 'second'))
    kb.index.removeSource('first')
    const bytes = readdirSync(kb.folder)
      .map((name) => readFileSync(join(kb.folder, name)).toString('latin1'))
      .join('')
    expect(Array.from({ length: 16_000 }, (_, at) => word(at)).filter((one) => bytes.includes(one.slice(0, 6)))).toEqual([])
  })

  test('removal leaves no byte of the text, and other sources alone', async () => {
    const [one, two] = [newFolder('one'), newFolder('two')]
    write(one, { 'a.md': '# Treasure\n\nThe quincunx lies under the zephyranthes.\n' })
    write(two, { 'b.md': 'The other one stays.\n' })
    const kb = new TestKnowledge()
    await kb.read(folderSource(one, 'first'))
    await kb.read(folderSource(two, 'second'))
    kb.index.removeSource('first')
    expect(kb.find('quincunx', ['first', 'second'])).toEqual([])
    expect(kb.find('other', ['second'])).toHaveLength(1)
    for (const name of readdirSync(kb.folder)) {
      const bytes = readFileSync(join(kb.folder, name)).toString('latin1')
      for (const word of ['quincunx', 'zephyranthes', 'Treasure', one]) expect(bytes).not.toContain(word)
    }
  })

  test('a damaged file is replaced by an empty one', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': boats })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    kb.index.close()
    writeFileSync(kb.file, 'not a database, but longer than a header of one hundred bytes'.repeat(100))
    kb.reopen()
    expect(kb.content()).toEqual([])
    await kb.read(folderSource(root))
    expect(kb.find('motor oil')).toHaveLength(1)
  })
})

describe('a second one, which only searches,', () => {
  test('finds while the first one writes, and what it has written', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': boats })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    const searching = new KnowledgeIndex(kb.file, { isOwner: false })
    const found = (query: string) => searching.find({ query, sources: ['source'], k: 10 }, null).hits.map(({ name }) => name)
    const other = new DatabaseSync(kb.file)
    other.exec('BEGIN IMMEDIATE')
    expect(found('motor oil')).toEqual(['a.md'])
    other.exec('ROLLBACK')
    other.close()
    write(root, { 'a.md': 'Nothing.\n', 'b.md': 'An anchor.\n' })
    await kb.read(folderSource(root))
    expect([found('motor oil'), found('anchor')]).toEqual([[], ['b.md']])
    searching.close()
  })

  test('does not replace a damaged file, and opens the one that takes its place', async () => {
    const root = newFolder('docs')
    write(root, { 'a.md': boats })
    const kb = new TestKnowledge()
    await kb.read(folderSource(root))
    const searching = new KnowledgeIndex(kb.file, { isOwner: false })
    const find = () => searching.find({ query: 'motor', sources: ['source'], k: 10 }, null).hits.length
    expect(find()).toBe(1)
    kb.index.close()
    const bytes = readFileSync(kb.file)
    writeFileSync(kb.file, Buffer.alloc(bytes.length, 7))
    const late = new KnowledgeIndex(`${kb.file}.none`, { isOwner: false })
    late.close()
    expect(() => new KnowledgeIndex(kb.file, { isOwner: false })).toThrow('damaged')
    expect(readFileSync(kb.file)).toHaveLength(bytes.length)
    kb.reopen()
    expect(find()).toBe(0)
    await kb.read(folderSource(root))
    expect(find()).toBe(1)
    searching.close()
  })
})

test('a comparison that is canceled removes nothing', async () => {
  const root = newFolder('docs')
  write(root, { 'a.md': boats, 'b.md': 'Two.\n' })
  const kb = new TestKnowledge()
  await kb.read(folderSource(root))
  const before = kb.content()
  kb.index.close()
  rmSync(join(root, 'b.md'))
  let isCanceled = true
  const index = new KnowledgeIndex(kb.file, { isCanceled: () => isCanceled })
  expect(() => index.compare(folderSource(root), { asked: true })).toThrow('canceled')
  kb.index = index
  expect(kb.content()).toEqual(before)
  isCanceled = false
  expect(index.compare(folderSource(root), { asked: true })).toMatchObject({ removed: 1 })
})

test('a huge file is left out without being read', async () => {
  const root = newFolder('docs')
  write(root, { 'a.md': boats, 'huge.txt': '', 'huge.pdf': '%PDF-1.7\n' })
  for (const name of ['huge.txt', 'huge.pdf']) truncateSync(join(root, name), 10 * 1_024 ** 3)
  const kb = new TestKnowledge()
  await kb.read(folderSource(root))
  expect(kb.parsed).toBe(1)
  expect(kb.content().map(({ name, problem }) => [name, problem])).toEqual([
    ['a.md', null],
    ['huge.pdf', 'too_large'],
    ['huge.txt', 'too_large'],
  ])
})

describe('what may be read', () => {
  const parts = fc.constantFrom('a', 'b', 'secret', 'notes')
  const name = fc
    .tuple(fc.array(parts, { maxLength: 3 }), parts, fc.constantFrom('.md', '.txt'))
    .map(([way, last, end]) => [...way, `${last}${end}`].join('/'))
  const glob = fc.constantFrom('**', '**/*.md', '!**/secret/**', 'a/**', 'notes/*', '!b/**', '*.txt', '**/notes.md')
  const scopes = fc.record({
    roots: fc.array(fc.constantFrom('.', 'a', 'a/b', 'secret', 'notes'), { maxLength: 2 }),
    globs: fc.array(glob, { minLength: 1, maxLength: 3 }),
  })

  test('is found, and nothing else, whatever the scope is', async () => {
    const root = newFolder('docs')
    const kb = new TestKnowledge()
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { minLength: 1, maxLength: 12 }),
        fc.array(scopes, { minLength: 1, maxLength: 6 }),
        async (names, list) => {
          for (const old of readdirSync(root)) rmSync(join(root, old), { recursive: true })
          // A name may be a folder in another one.
          const files = names.filter((one) => !names.some((other) => other.startsWith(`${one}/`)))
          write(root, Object.fromEntries(files.map((one) => [one, `The boat is in ${one}.\n`])))
          await kb.read(folderSource(root))
          for (const { roots, globs } of list) {
            const access: AccessScope = {
              ...{ workspace: root, temp: join(root, '.none'), home: join(root, '.none'), sandbox_mode: 'workspace', platform: 'linux' },
              roots: roots.map((one) => join(root, one)),
              globs,
            }
            const rule = accessRule(access)
            const allowed = files.filter((one) => rule.judge(join(root, one), 'read', 'file').is !== 'closed')
            const query = { query: 'boat', sources: ['source'], k: 50, access }
            // Twice: the second answer comes from what was kept of the first.
            for (const _again of [1, 2]) {
              const hits = kb.index.find(query, null).hits.map((hit) => hit.name)
              expect(hits.toSorted()).toEqual(allowed.toSorted())
            }
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})

test('on a full disk it still finds what it has, and reads the rest when there is room', () => {
  const program = fileURLToPath(new URL('../../../test/support/kb/full-disk-child.ts', import.meta.url))
  expect(runWithMounts(program, newFolder('mount'))).toEqual({
    ...{ before: ['a.md'], full: 'failed', during: ['a.md'], again: 'read' },
    after: ['0.md', '1.md', '2.md', '3.md', '4.md', '5.md', 'a.md'],
  })
})
