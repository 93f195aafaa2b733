// Adding, changing and removing sources, for users and agents.
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, isAbsolute, resolve } from 'node:path'
import type { KnowledgeOrigin, KnowledgeOwner } from '@tandem/contract/knowledge'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import { isInside } from '../path/inside.ts'
import { secretPaths } from '../sandbox/command/secret-paths.ts'
import type { AccessScope } from '../sandbox/files/access-rule.ts'
import { compileGlob } from '../sandbox/files/glob.ts'
import type { Store } from '../store/store.ts'
import type { WorkerCalls } from '../thread/worker-calls.ts'
import type { Copies } from './copies.ts'
import { crashPoint } from './crashpoint.ts'
import type { FoundPassages } from './found-passages.ts'
import type { KnowledgeIndex } from './index/knowledge-index.ts'
import type { SourceFiles } from './index/source-files.ts'
import type { Ingest } from './ingest.ts'
import { isInSecretFolder, mayHoldSecrets } from './rule/secret-file.ts'
import type { SourceProblem, SourceRecord, SourceRecords } from './source-records.ts'

export interface AddRequest {
  readonly path?: string
  readonly url?: string
  readonly text?: string
  readonly name?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly watch?: boolean
  readonly owner: KnowledgeOwner
  /** Null if a person adds it. */
  readonly added_by: string | null
  readonly access: AccessScope | null
  /** A page that was requested already. */
  readonly page?: Uint8Array
}

export interface UpdateRequest {
  readonly name?: string
  readonly owner?: KnowledgeOwner
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly watch?: boolean
}

export interface KnowledgeSources {
  /** The same origin of the same owner is not added twice: it is read again. */
  add(request: AddRequest): Outcome<SourceRecord>
  update(source_id: string, change: UpdateRequest): Outcome<SourceRecord>
  remove(source_id: string): Promise<Outcome<SourceRecord>>
  /** What an earlier process could not finish. */
  finishRemovals(): Promise<void>
  /** Where the files of a source are. */
  locate(source: SourceRecord): SourceFiles | { readonly problem: NonNullable<SourceProblem> }
}

export interface SourcesPorts {
  readonly home: string
  readonly user_home: string
  readonly store: Pick<Store, 'transaction'>
  readonly records: SourceRecords
  readonly copies: Copies
  readonly found: FoundPassages
  readonly calls: Pick<WorkerCalls<KnowledgeIndex>, 'call'>
  ingest(): Ingest
  /** The folders to be watched may be others now. */
  changed(): void
}

export function openKnowledgeSources({
  home,
  user_home,
  store,
  records,
  copies,
  found,
  calls,
  ingest,
  changed,
}: SourcesPorts): KnowledgeSources {
  function originOf({ path, url, text, include = [], exclude = [] }: AddRequest): Outcome<{ origin: KnowledgeOrigin; name: string }> {
    const given = [path, url, text].filter((one) => one !== undefined)
    if (given.length !== 1) return invalidField('path', 'or `url` or `text` is needed, and only one of them')
    const needless = include.length > 0 ? 'include' : exclude.length > 0 ? 'exclude' : null
    if (needless !== null && path === undefined) return invalidField(needless, 'is for folders only')
    if (url !== undefined) return pageOrigin(url)
    if (text !== undefined) return { ok: true, value: { origin: { kind: 'text', characters: text.length }, name: firstWords(text) } }
    for (const [field, patterns] of [
      ['include', include],
      ['exclude', exclude],
    ] as const) {
      const wrong = patterns.find((pattern) => compileGlob(pattern) === null)
      if (wrong !== undefined) return invalidField(field, `contains the pattern ${wrong}, which is too complex`)
    }
    return pathOrigin(path ?? '', include, exclude)
  }

  function pathOrigin(
    path: string,
    include: readonly string[],
    exclude: readonly string[],
  ): Outcome<{ origin: KnowledgeOrigin; name: string }> {
    const expanded = path === '~' || path.startsWith('~/') ? resolve(user_home, `.${path.slice(1)}`) : path
    if (!isAbsolute(expanded)) return invalidField('path', 'must be a full path, such as /home/ann/Documents')
    let real: string
    try {
      real = realpathSync(expanded)
    } catch {
      return { ok: false, code: 'not_found', message: `there is no file or folder ${path}`, remedy: 'Check the path.' }
    }
    const stats = statSync(real)
    if (isInside(real, home)) return invalidField('path', 'is in the folder where Tandem keeps its own data')
    if (real === '/') return invalidField('path', 'is the whole disk; choose a folder')
    const name = basename(real)
    if (stats.isFile()) {
      const needless = include.length > 0 ? 'include' : exclude.length > 0 ? 'exclude' : null
      if (needless !== null) return invalidField(needless, 'is for folders only; this is a file')
      return { ok: true, value: { origin: { kind: 'file', path: real }, name } }
    }
    if (!stats.isDirectory()) return invalidField('path', 'is neither a file nor a folder')
    const patterns = { ...(include.length > 0 ? { include: [...include] } : {}), ...(exclude.length > 0 ? { exclude: [...exclude] } : {}) }
    return { ok: true, value: { origin: { kind: 'folder', path: real, ...patterns }, name } }
  }

  function sameSource(origin: KnowledgeOrigin, owner: KnowledgeOwner, added_by: string | null): SourceRecord | undefined {
    if (origin.kind === 'text') return undefined
    const key = (one: { origin: KnowledgeOrigin; owner: KnowledgeOwner }) => JSON.stringify([placeOf(one.origin), one.owner])
    return records.list().find((source) => source.added_by === added_by && key(source) === key({ origin, owner }))
  }

  async function finishRemoval(source_id: string): Promise<void> {
    copies.remove(source_id)
    crashPoint('copy_removed')
    await calls.call('removeSource', [source_id])
    store.transaction(() => records.forget(source_id))
  }

  return {
    add(request) {
      const described = originOf(request)
      if (!described.ok) return described
      const { origin, name } = described.value
      const { owner, added_by, access, watch = origin.kind === 'folder', text, page } = request
      if (added_by !== null && origin.kind === 'file' && isSecretFile(origin.path, user_home)) {
        return {
          ok: false,
          code: 'not_available',
          message: `${origin.path} may contain secrets, so only the user can add it`,
          remedy: 'Ask the user to add it.',
        }
      }
      const known = sameSource(origin, owner, added_by)
      const record = store.transaction(() => {
        if (known) {
          const { name: named, watch: watched } = request
          records.update(known.source_id, {
            ...(origin.kind === 'folder' ? { origin } : {}),
            ...(named === undefined ? {} : { name: cleanName(named) }),
            ...(watched === undefined ? {} : { watch: watched }),
            access,
          })
          return records.get(known.source_id) ?? known
        }
        const made = records.add({ name: cleanName(request.name ?? name), origin, owner, added_by, access, watch })
        // Before the record is on disk: a source without its copy would have to be added again.
        if (text !== undefined) copies.write(made.source_id, text)
        return made
      })
      if (page !== undefined) copies.write(record.source_id, page)
      crashPoint('source_added')
      ingest().ask(record.source_id, page === undefined)
      changed()
      return { ok: true, value: records.get(record.source_id) ?? record }
    },
    update(source_id, { name, owner, include, exclude, watch }) {
      const source = records.get(source_id)
      if (!source) return sourceNotFound(source_id)
      if ((include ?? exclude) !== undefined && source.origin.kind !== 'folder')
        return invalidField(include === undefined ? 'exclude' : 'include', 'is for folders; this source is not one')
      for (const [field, patterns = []] of [
        ['include', include],
        ['exclude', exclude],
      ] as const) {
        const wrong = patterns.find((pattern) => compileGlob(pattern) === null)
        if (wrong !== undefined) return invalidField(field, `contains the pattern ${wrong}, which is too complex`)
      }
      const origin =
        source.origin.kind === 'folder' && (include ?? exclude) !== undefined
          ? { ...source.origin, ...(include ? { include: [...include] } : {}), ...(exclude ? { exclude: [...exclude] } : {}) }
          : undefined
      store.transaction(() =>
        records.update(source_id, {
          ...(name === undefined ? {} : { name: cleanName(name) }),
          ...(owner === undefined ? {} : { owner }),
          ...(origin === undefined ? {} : { origin }),
          ...(watch === undefined ? {} : { watch }),
        }),
      )
      if (origin !== undefined) ingest().ask(source_id, false)
      changed()
      return { ok: true, value: records.get(source_id) ?? source }
    },
    async remove(source_id) {
      const source = records.get(source_id)
      if (!source) return sourceNotFound(source_id)
      // From here on nobody finds it. If this process ends before the rest is done, the next one does it.
      store.transaction(() => {
        records.remove(source_id)
        found.forget(source_id)
      })
      crashPoint('source_forgotten')
      changed()
      await ingest().released(source_id)
      await finishRemoval(source_id)
      return { ok: true, value: source }
    },
    async finishRemovals() {
      for (const source_id of records.removed()) await finishRemoval(source_id)
    },
    locate(source) {
      const { source_id, origin, access, name } = source
      if (origin.kind === 'folder') {
        const root = lstatSync(origin.path, { throwIfNoEntry: false })
        if (!root?.isDirectory()) return { problem: goneProblem(source) }
        const { include = [], exclude = [] } = origin
        const secret_paths = secretPaths(realHome(user_home), [])
        return { source_id, kind: 'folder', root: origin.path, home, include, exclude, secret_paths, access }
      }
      if (origin.kind === 'file') {
        const stats = lstatSync(origin.path, { throwIfNoEntry: false })
        if (!stats?.isFile()) return { problem: goneProblem(source) }
        const { size, mtimeMs: mtime, ctimeMs: ctime, ino } = stats
        return {
          source_id,
          kind: 'single',
          files: [{ name: basename(origin.path), path: origin.path, stats: { size, mtime, ctime, ino } }],
        }
      }
      const stats = copies.stats(source_id)
      if (!stats) return { problem: lostCopy(origin) }
      return {
        source_id,
        kind: 'single',
        files: [{ name: copyName(origin, name), path: realpathSync(copies.path(source_id)), isCopy: true, stats }],
      }
    },
  }
}

export function sourceNotFound(source_id: string): Outcome<never> {
  return { ok: false, code: 'not_found', message: `there is no source ${source_id} in the knowledge base` }
}

function pageOrigin(url: string): Outcome<{ origin: KnowledgeOrigin; name: string }> {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return invalidField('url', 'must be an address that begins with https:// or http://')
  const last = parsed.pathname.split('/').findLast((part) => part !== '')
  return { ok: true, value: { origin: { kind: 'url', url: parsed.href }, name: last ? `${parsed.host}/${last}` : parsed.host } }
}

function placeOf(origin: KnowledgeOrigin): string {
  if (origin.kind === 'url') return origin.url
  return origin.kind === 'text' ? '' : origin.path
}

/** The name decides between text formats: pasted text is read as Markdown. */
function copyName(origin: KnowledgeOrigin, name: string): string {
  if (origin.kind === 'url') return basename(URL.parse(origin.url)?.pathname ?? '') || 'index.html'
  return /\.[a-z0-9]{1,5}$/i.test(name) ? name : `${name}.md`
}

/** Without what would end a citation early. */
function cleanName(name: string): string {
  return (
    name
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .replaceAll('[', '(')
      .replaceAll(']', ')')
      .trim()
      .slice(0, 120) || 'Source'
  )
}

function firstWords(text: string): string {
  const line = text
    .split('\n')
    .map((one) => one.replace(/^[#>\s*-]+/, '').trim())
    .find((one) => one !== '')
  return (line ?? 'Text').slice(0, 60)
}

function isSecretFile(path: string, user_home = homedir()): boolean {
  return (
    mayHoldSecrets(basename(path)) || isInSecretFolder(path) || secretPaths(realHome(user_home), []).some((place) => isInside(path, place))
  )
}

function realHome(user_home: string): string {
  try {
    return realpathSync(user_home)
  } catch {
    // Without a home folder there are no secrets in it.
    return user_home
  }
}

export function goneProblem({ origin, passages }: Pick<SourceRecord, 'origin' | 'passages'>): NonNullable<SourceProblem> {
  const kind = origin.kind === 'file' ? 'file' : 'folder'
  const path = 'path' in origin ? origin.path : ''
  const kept = passages === 0 ? '' : ' What was read before can still be found.'
  return {
    message: `The ${kind} ${path.slice(0, 400)} does not exist.${kept}`,
    remedy: `Restore the ${kind} or reconnect its disk, then reindex the source. If you no longer need it, remove the source.`,
  }
}

function lostCopy(origin: KnowledgeOrigin): NonNullable<SourceProblem> {
  return origin.kind === 'url'
    ? { message: 'The page has not been loaded yet.', remedy: 'Reindex the source to load it.' }
    : { message: 'The stored text is missing.', remedy: 'Remove the source and add the text again.' }
}
