// Skills and configurations of other clients that were written from the public standards alone, without access to the code
// (material/unusual/README.md). Each is loaded by the runtime and compared with what its author expected.
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readImport } from '../src/mcp/import/import.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { listedIn, reasons } from './support/unusual-remarks.ts'

const material = fileURLToPath(new URL('./material/unusual/', import.meta.url))

interface ExpectedSkill {
  readonly folder: string
  readonly loads: boolean
  readonly expect: Readonly<Record<string, unknown>> & {
    readonly error_about?: readonly string[]
    readonly warnings_about?: readonly string[]
  }
  readonly corrected?: Readonly<Record<string, unknown>>
}

interface ExpectedServer {
  readonly name: string
  readonly kind: 'stdio' | 'http' | 'sse' | null
  readonly or_listed: string | null
  readonly enabled?: boolean
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string | null>>
  readonly env_passed_through?: readonly string[]
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly headers_from_env?: Readonly<Record<string, string>>
  readonly timeout_ms?: number
  readonly timeout_seconds?: number
  readonly tool_timeout_seconds?: number
  readonly include_tools?: readonly string[]
  readonly enabled_tools?: readonly string[]
  readonly exclude_tools?: readonly string[]
  readonly disabled_tools?: readonly string[]
}

interface ExpectedFile {
  readonly file: string
  readonly servers: readonly ExpectedServer[]
  readonly must_be_listed: readonly string[]
  readonly must_not_import?: readonly string[]
  readonly secrets?: readonly string[]
}

const expected: { readonly skills: readonly ExpectedSkill[]; readonly imports: readonly ExpectedFile[] } = JSON.parse(
  readFileSync(join(material, 'expected.json'), 'utf8'),
)

/** Part of the material, but not of the repository: programs that read all files would follow the loop. */
const links = [
  ['assets/dangling.txt', 'gone.txt'],
  ['assets/outside.txt', '/etc/hostname'],
  ['references/again', '../references'],
  ['references/current.md', '2026/q3/deep/checks.md'],
] as const

let agent: TestAgent
beforeAll(async () => {
  agent = await startTestAgent([])
  const skills = join(agent.workspace, '.agents', 'skills')
  cpSync(join(material, 'skills'), skills, { recursive: true })
  for (const [path, target] of links) symlinkSync(target, join(skills, 'env-doctor', path))
})
afterAll(() => agent.stop())

test('everything in the folder has an expectation', () => {
  expect([expected.skills.length, expected.imports.length]).toEqual([10, 10])
  const skills = expected.skills.map(({ folder }) => folder.normalize('NFC')).sort()
  expect(skills).toEqual(
    readdirSync(join(material, 'skills'))
      .map((name) => name.normalize('NFC'))
      .sort(),
  )
  expect(expected.imports.map(({ file }) => file.split('/')[0])).toEqual(readdirSync(join(material, 'import')).sort())
})

test.each(expected.skills)('the skill $folder', async ({ folder, expect: written, loads, corrected = {} }) => {
  const wanted: Record<string, unknown> = { loads, ...written, ...corrected }
  const { items } = await agent.call('skill_list', { limit: 200 })
  const found = items.find(({ skill }) => skill.path.normalize('NFC').includes(`/.agents/skills/${folder.normalize('NFC')}/`))
  const { notices } = await agent.call('skill_check', {})
  const told = [
    ...(found?.skill.problems.map(({ name }) => name) ?? []),
    ...(found?.skill.notes ?? []),
    ...notices.filter(({ path }) => path.includes(`/${folder}/`)).map(({ title, path }) => `${title}: ${path}`),
  ].join('\n')
  for (const about of [...(written.error_about ?? []), ...(written.warnings_about ?? [])])
    expect(told).toMatch(reasons[about] ?? /^no such remark$/)
  expect(found !== undefined && found.skill.problems.length === 0).toBe(wanted.loads)
  // Others are not called suspicious: samples of attacks are in fences.
  expect(found?.suspicions ?? []).toEqual([])
  if (!found || !wanted.loads) return
  const { skill } = found
  const { text, files, folder_notes } = await agent.call('skill_get', { name: skill.name })
  const body = text.slice(text.indexOf('\n---', text.indexOf('---') + 3))
  const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value : typeof value === 'string' ? [value] : [])
  if (wanted.name !== undefined) expect(skill.name).toBe(wanted.name)
  if (wanted.name_nfc !== undefined) expect(skill.name).toBe(wanted.name_nfc)
  if (wanted.description_exact !== undefined) expect(skill.description).toBe(wanted.description_exact)
  if (wanted.description_starts !== undefined) expect(skill.description.startsWith(String(wanted.description_starts))).toBe(true)
  for (const part of texts(wanted.description_contains)) expect(skill.description).toContain(part)
  if (wanted.compatibility !== undefined) expect(skill.compatibility).toBe(wanted.compatibility)
  if (wanted.license !== undefined) expect(skill.license).toBe(wanted.license)
  if (wanted.allowed_tools !== undefined) expect(skill.allowed_tools).toEqual(wanted.allowed_tools)
  if (wanted.metadata_if_kept_as_text !== undefined)
    expect(Object.fromEntries(skill.metadata.map(({ name, value }) => [name, value]))).toMatchObject(
      wanted.metadata_if_kept_as_text as object,
    )
  if (wanted.no_carriage_return_in !== undefined)
    expect(JSON.stringify([skill.name, skill.description, skill.compatibility])).not.toContain('\\r')
  for (const part of texts(wanted.body_contains_verbatim)) expect(body).toContain(part)
  if (wanted.body === '') expect(body.replace(/^\n---/, '').trim()).toBe('')
  if (wanted.body_starts !== undefined) expect(body.replace(/^\n---\s*/, '').startsWith(String(wanted.body_starts))).toBe(true)
  expect(files).toEqual(expect.arrayContaining([...texts(wanted.resources), ...texts(wanted.resources_at_least)]))
  for (const about of texts(wanted.mention)) expect(told).toContain(about)
  if (wanted.no_warning_about !== undefined) expect(told).toBe('')
  if (folder === 'env-doctor')
    expect(folder_notes.map((note) => note.split(':')[0])).toEqual(['assets/dangling.txt', 'assets/outside.txt', 'references/again'])
  expect(items.map(({ skill: each }) => each.name)).not.toContain('impostor')
})

const home = '/home/someone'
const workspace = '/work/shop'
const madeUp = (name: string) => `value-of-${name}`
/** Every variable that the files refer to has a value, except those with a default. */
const names = [
  'TRACKER_TOKEN',
  'TZ',
  'PATH',
  'DOCS_TOKEN',
  'EVERYTHING_KEY',
  'DEMO_KEY',
  'WIKI_USER',
  'WIKI_TOKEN',
  'DB_URL',
  'EXTERNAL_KEY',
  'STREAM_TOKEN',
]
const environment = Object.fromEntries([['HOME', home] as const, ...names.map((name) => [name, madeUp(name)] as const)])

/** A reference as the other client would fill it in. Null if it cannot be filled in here. */
function filled(text: string, isGemini: boolean): string | null {
  const known: Record<string, string> = {
    ...environment,
    workspaceFolder: workspace,
    userHome: home,
    pathSeparator: '/',
    'input:region': 'eu',
  }
  let isMissing = false
  const value = text
    .replace(/\$\{CLAUDE_PROJECT_DIR:-\.\}/, workspace)
    .replace(isGemini ? /^\$([A-Z_]+)$/ : /(?!)/, (_, name: string) => known[name] ?? '')
    .replace(/\$\{([^{}]+)\}|\{((?:env|file):[^{}]+)\}/g, (_, dollar: string | undefined, braces: string | undefined) => {
      const [name = '', fallback] = (dollar ?? braces ?? '').replace(/^env:/, '').split(':-')
      isMissing ||= known[name] === undefined && fallback === undefined
      return known[name] ?? fallback ?? ''
    })
  return isMissing ? null : value
}

test.each(expected.imports)('the configuration $file', async ({ file, servers, must_be_listed, must_not_import = [], secrets = [] }) => {
  const text = readFileSync(join(material, 'import', file), 'utf8')
  const isGemini = file.includes('gemini')
  const previewed = await agent.runtime.commands.call('mcp_import_preview', { text })
  const read = await readImport(text, { environment, home, workspace })
  const without = await readImport(text, { environment: { HOME: home }, home, workspace })
  const found = read.ok ? read.value.servers : []
  const listing = [read, without].flatMap((each) =>
    each.ok
      ? [
          ...each.value.problems.map(({ name, message }) => `${name}: ${message}`),
          ...each.value.servers.flatMap(({ preview, notes }) => notes.map((note) => `${preview.server.name}: ${note}`)),
        ]
      : [each.failure.message],
  )
  if (previewed.ok && read.ok) {
    expect(previewed.value.servers.map(({ server }) => server.name)).toEqual(found.map(({ preview }) => preview.server.name))
    expect(previewed.value.problems).toEqual(read.value.problems)
  } else expect([previewed.ok, read.ok, servers]).toEqual([false, false, []])
  for (const server of servers) {
    const imported = found.find(({ preview }) => preview.server.name === server.name)
    const problem = listing.find((line) => line.startsWith(`${server.name || '(no name)'}: `))
    if (server.kind === null || (server.or_listed !== null && !imported)) {
      expect([server.name, imported, problem]).toEqual([
        server.name,
        undefined,
        expect.stringMatching(reasons[server.or_listed ?? ''] ?? /^no such reason$/),
      ])
      continue
    }
    if (!imported) throw new Error(`${server.name} was not imported: ${problem}`)
    expect(compared(imported, isGemini)).toEqual(wanted(server, imported, isGemini))
  }
  for (const entry of must_be_listed) {
    const remark = listedIn[entry]
    if (remark === undefined) throw new Error(`nothing says how “${entry}” is listed`)
    if (remark !== 'taken over' && remark !== 'best effort')
      expect(
        listing.some((line) => remark.test(line)),
        `${entry}\n${listing.join('\n')}`,
      ).toBe(true)
  }
  const all = found.map(({ preview }) => preview.server.name)
  for (const each of must_not_import) expect(all).not.toContain(each.split(' ')[0])
  expect(all.filter((name) => !servers.some((server) => server.name === name))).toEqual([])
  // Values that are made up, and stand for secrets, are never shown.
  expect(secrets.length === 0 || text.includes('not-real')).toBe(true)
  expect(JSON.stringify([previewed, listing])).not.toMatch(/not-real/)
})

type Imported = Extract<Awaited<ReturnType<typeof readImport>>, { ok: true }>['value']['servers'][number]

function compared({ preview: { server }, secrets }: Imported, isGemini: boolean) {
  const valuesOf = (kind: string) =>
    Object.fromEntries(secrets.filter((each) => each.kind === kind).map(({ name, value }) => [name, value]))
  const use = {
    enabled: server.enabled,
    timeout: server.timeout_seconds ?? null,
    include: server.include_tools ?? null,
    exclude: server.exclude_tools ?? null,
  }
  if (server.transport === 'http')
    return { kind: 'http', url: server.url, headers: valuesOf('header'), header_names: server.header_names, ...use }
  const { command, args, env_names, working_directory } = server
  return { kind: 'stdio', command, args, env: valuesOf('env'), env_names, cwd: working_directory, ...use, isGemini }
}

function wanted(server: ExpectedServer, imported: Imported, isGemini: boolean) {
  const given = (values: Readonly<Record<string, string | null>> = {}) =>
    Object.entries(values).flatMap(([name, value]): [string, string | null][] => (value === null ? [] : [[name, filled(value, isGemini)]]))
  const known = (all: readonly [string, string | null][]) => Object.fromEntries(all.filter(([, value]) => value !== null))
  const milliseconds = server.timeout_ms === undefined ? null : server.timeout_ms / 1_000
  const use = {
    enabled: server.enabled ?? true,
    timeout: server.tool_timeout_seconds ?? server.timeout_seconds ?? (isOpencode(imported) ? null : milliseconds),
    include: server.include_tools ?? server.enabled_tools ?? null,
    exclude: server.exclude_tools ?? server.disabled_tools ?? null,
  }
  if (server.kind !== 'stdio') {
    const fromEnv = Object.entries(server.headers_from_env ?? {}).map(([name, value]): [string, string] => [
      name,
      value.startsWith('Bearer + value of ') ? `Bearer ${madeUp(value.slice(18))}` : madeUp(value),
    ])
    const headers = [...given(server.headers), ...fromEnv]
    // “Take over or mention”: it is taken over.
    const extra: [string, string][] = server.name === 'wrong-header-key' ? [['X-Client', 'demo']] : []
    const all = [...headers, ...extra]
    return {
      kind: 'http',
      url: (filled(server.url?.split('?')[0] ?? '', isGemini) ?? '').replace(/^(https?:\/\/[^/]+)$/, '$1/'),
      headers: known(all),
      header_names: all.map(([name]) => name),
      ...use,
    }
  }
  const env = given(server.env)
  return {
    kind: 'stdio',
    command: filled(server.command ?? '', isGemini),
    // A variable that the program fills in itself stays as it is.
    args: (server.args ?? []).map((each) => (each.includes('AUTH_HEADER') ? each : filled(each, isGemini))),
    env: known(env),
    // HOME is passed to every server.
    env_names: [...env.map(([name]) => name), ...(server.env_passed_through ?? []).filter((name) => name !== 'HOME')],
    cwd: server.cwd === undefined ? null : (filled(server.cwd, isGemini) ?? '').replace(/^\.\//, `${workspace}/`),
    ...use,
    isGemini,
  }
}

/** There, the limit is that of the start. */
function isOpencode({ notes }: Imported): boolean {
  return notes.some((note) => note.startsWith('timeout is not taken over'))
}
