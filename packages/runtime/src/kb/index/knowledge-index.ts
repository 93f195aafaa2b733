// The knowledge base as its thread offers it: every method is one call. Documents, passages and their index are in one file, so that each
// change of a document is one transaction. Everything in it can be read again from the sources.
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { DocumentProblem, DocumentRow } from '@tandem/contract/knowledge'
import { RecallIndex } from '../../recall/index/recall-index.ts'
import type { QueryVector } from '../../recall/index/search.ts'
import type { Statements } from '../../recall/index/statements.ts'
import { accessRule } from '../../sandbox/files/access-rule.ts'
import { crashPoint } from '../crashpoint.ts'
import { notDocument } from '../parse/detect.ts'
import type { Fingerprint } from '../rule/fingerprint.ts'
import { fileRules } from '../walk/file-rules.ts'
import { type FileTimes, type FoundFile, findFiles } from '../walk/find-files.ts'
import { readFile } from '../walk/read-file.ts'
import { AllowedDocuments } from './allowed-documents.ts'
import { type DocumentPassages, passagesOf } from './document-passages.ts'
import type { ParsedFile, UnparsedFile } from './parsed-file.ts'
import { type FoundPassage, type PassageQuery, searchPassages } from './search-passages.ts'
import { type ShownPassage, showPassage } from './show-passage.ts'
import type { SourceFiles } from './source-files.ts'
import { documentId, packText } from './stored-text.ts'
import { knowledgeTables } from './tables.ts'

/** The first part of the scopes of all passages. */
const space = 'kb'

export interface Compared {
  /** All files, and those that are to be read. */
  readonly total: number
  readonly waiting: number
  readonly removed: number
  /** Whether all of it is as it was. */
  readonly isSame: boolean
  /** False if the source has more files than it may have. */
  readonly isWhole: boolean
}

export interface SourceFigures {
  readonly files: number
  readonly left_out: number
  readonly passages: number
  readonly bytes: number
}

interface KnownDocument extends FileTimes {
  readonly seen_at: number
  readonly problem: DocumentProblem | null
}

type KnownRow = readonly [
  name: string,
  size: number,
  mtime: number,
  ctime: number,
  ino: number,
  seen_at: number,
  problem: DocumentProblem | null,
]

/** A file that was read so soon after its last change may have changed again within the precision of its times. */
const racy_ms = 2_000

/** Its folder or file is not there. What was read before stays. */
class SourceGone extends Error {
  override readonly name = 'SourceGone'
}

const removedAtOnce = 100
/** Of a file that could not be looked at: it is read again next time. */
const noTimes: FileTimes = { size: 0, mtime: 0, ctime: 0, ino: 0 }

export interface KnowledgeIndexOptions {
  /** False for one that only searches. */
  readonly isOwner?: boolean
  /** Whether the call that is being made was canceled. */
  isCanceled?(): boolean
}

export class KnowledgeIndex extends RecallIndex {
  /** What is still to be read, by source. */
  readonly #waiting = new Map<string, FoundFile[]>()
  /** Of folders. */
  readonly #roots = new Map<string, string>()

  readonly #isCanceled: () => boolean
  readonly #allowed = new AllowedDocuments()

  constructor(path: string, { isOwner = true, isCanceled = () => false }: KnowledgeIndexOptions = {}) {
    super(path, knowledgeTables, isOwner)
    this.#isCanceled = isCanceled
  }

  /** Finds what was added, changed and removed since the source was last read. Documents that are gone are removed. */
  compare(source: SourceFiles, { asked }: { readonly asked: boolean }): Compared {
    const { source_id } = source
    const known = this.#known(source_id)
    if (source.kind === 'folder') this.#roots.set(source_id, source.root)
    const { files, closed, isWhole } = found(source, this.#isCanceled)
    this.#assertNotCanceled()
    this.#assertThere(source_id)
    // A disk that is not mounted looks like an empty folder: only who asks for it loses what was read.
    if (files.length === 0 && known.size > 0 && !asked) throw new SourceGone('the folder is empty')
    let noted = 0
    const waiting: FoundFile[] = []
    for (const file of files) {
      const before = known.get(file.name)
      known.delete(file.name)
      if (file.isSecret) {
        if (before?.problem === 'secret' && before.size === file.stats.size) continue
        noted += 1
        this.#putProblem(source_id, file, file.stats, 'secret')
      } else if (!before || !isUnchanged(before, file.stats) || (asked && isWorthRetrying(before.problem))) waiting.push(file)
    }
    for (const name of closed) {
      const before = known.get(`${name}/`)
      known.delete(`${name}/`)
      if (before?.problem === 'unreadable') continue
      noted += 1
      this.#putProblem(source_id, { name: `${name}/`, path: null }, noTimes, 'unreadable')
    }
    // What was not found again.
    const gone = isWhole ? [...known.keys()] : []
    this.#removeDocuments(source_id, gone)
    this.#waiting.set(source_id, waiting.reverse())
    crashPoint('files_compared')
    const isSame = waiting.length + gone.length + noted === 0
    return { total: files.length, waiting: waiting.length, removed: gone.length, isSame, isWhole }
  }

  /** The next files to be parsed, with their bytes; none when all are read. Files whose bytes are the same are only noted. */
  next(source_id: string, most: { readonly files: number; readonly bytes: number }, now: number): readonly UnparsedFile[] {
    const waiting = this.#waiting.get(source_id) ?? []
    const files: UnparsedFile[] = []
    const same: (Pick<ParsedFile, 'sha256' | 'stats'> & { readonly name: string })[] = []
    let bytes = 0
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      this.#assertNotCanceled()
      const read = readFile(file.path, { refuses: notDocument })
      if ('problem' in read) {
        if (read.problem === 'gone') {
          this.#assertThere(source_id)
          this.#removeDocuments(source_id, [file.name])
        } else this.#putProblem(source_id, { ...file, path: placeOf(file) }, read.stats ?? noTimes, read.problem, read.detail ?? null)
        continue
      }
      const sha256 = createHash('sha256').update(read.bytes).digest('hex')
      if (this.#isSame(source_id, file.name, sha256)) {
        same.push({ name: file.name, sha256, stats: read.stats })
        continue
      }
      files.push({ name: file.name, path: placeOf(file), bytes: read.bytes, stats: read.stats, seen_at: now, sha256 })
      bytes += read.bytes.length
      if (files.length >= most.files || bytes >= most.bytes) break
    }
    this.#noteSame(source_id, same, now)
    crashPoint('files_read')
    return files
  }

  /** In one transaction: what was parsed replaces what was known of these files; only passages that changed are indexed again. */
  put(source_id: string, files: readonly ParsedFile[]): void {
    const made = files.map((file) => ({ file, passages: this.#passages(source_id, file) }))
    const kept = new Set(made.flatMap(({ passages }) => passages.texts.map(({ id }) => id)))
    const removed = made.flatMap(({ passages }) => this.#passageIds(passages.document_id)).filter((id) => !kept.has(id))
    const texts = made.flatMap(({ passages }) => passages.texts)
    this.applyWith({ space, texts, removed }, (sql) => {
      for (const { file, passages } of made) putDocument(sql, source_id, file, passages)
      crashPoint('documents_writing')
    })
    this.#allowed.forget()
    crashPoint('documents_written')
  }

  figuresOf(source_id: string): SourceFigures {
    return this.read((sql) => {
      const row = sql.get<SourceFigures>(
        `SELECT count(*) FILTER (WHERE problem IS NULL) AS files, count(*) FILTER (WHERE problem IS NOT NULL) AS left_out,
           coalesce(sum(size) FILTER (WHERE problem IS NULL), 0) AS bytes,
           (SELECT count(*) FROM passages p JOIN documents d ON d.no = p.document WHERE d.source = ?1) AS passages
         FROM documents WHERE source = ?1`,
        source_id,
      )
      return row ? { ...row } : { files: 0, left_out: 0, passages: 0, bytes: 0 }
    })
  }

  problemCounts(source_id: string): Partial<Record<DocumentProblem, number>> {
    const rows = this.read((sql) =>
      sql.all<{ problem: DocumentProblem; count: number }>(
        'SELECT problem, count(*) AS count FROM documents WHERE source = ? AND problem IS NOT NULL GROUP BY problem',
        source_id,
      ),
    )
    return Object.fromEntries(rows.map(({ problem, count }) => [problem, count]))
  }

  /** In the order of their names. */
  files(source_id: string, after: string | null, limit: number, onlyProblems: boolean): readonly DocumentRow[] {
    return this.read((sql) =>
      sql
        .all<DocumentRow & { readonly size: number }>(
          `SELECT id AS document_id, name, path, format, size AS bytes, problem, detail,
             (SELECT count(*) FROM passages p WHERE p.document = d.no) AS passages
           FROM documents d WHERE source = ? AND name > ? AND (problem IS NOT NULL OR detail IS NOT NULL OR NOT ?) ORDER BY name LIMIT ?`,
          ...[source_id, after ?? '', onlyProblems ? 1 : 0, limit],
        )
        .map((row) => ({ ...row })),
    )
  }

  find(query: PassageQuery, meant: QueryVector | null): { readonly hits: readonly FoundPassage[]; readonly isCompared: boolean } {
    const groups = this.read((sql) => this.#allowed.documents(sql, query))
    if (groups?.length === 0) return { hits: [], isCompared: true }
    const { sources, access: _access, formats: _formats, changed_after: _after, ...words } = query
    const scope = sources.map((id) => `${space}/${id}`)
    const { hits, isCompared } = this.search({ ...words, scope, ...(groups === null ? {} : { filters: { groups } }) }, meant)
    return { hits: this.read((sql) => searchPassages(sql, hits)), isCompared }
  }

  /** `fingerprint`: by which it is recognized when its text was divided otherwise since. */
  passage(id: string, fingerprint: Fingerprint | null): ShownPassage | null {
    return this.read((sql) => showPassage(sql, id, fingerprint))
  }

  /** Everything of it, and nothing stays in the file. */
  removeSource(source_id: string): void {
    this.#waiting.delete(source_id)
    this.#roots.delete(source_id)
    this.#removeDocuments(source_id, [...this.#known(source_id).keys()])
    crashPoint('documents_removed')
    // Beginnings of words stay between the parts of the index until these are merged.
    this.tidy(Number.MAX_SAFE_INTEGER)
    try {
      this.vacuum()
    } catch {
      // There is not enough space for it. The texts are overwritten nevertheless.
    }
  }

  /** Removes what belongs to no source: one that was removed when the runtime was killed. */
  keepSources(source_ids: readonly string[]): void {
    const known = this.read((sql) => sql.all<{ source: string }>('SELECT DISTINCT source FROM documents'))
    for (const { source } of known) if (!source_ids.includes(source)) this.removeSource(source)
  }

  #known(source_id: string): Map<string, KnownDocument> {
    const rows = this.read((sql) =>
      sql.lists<KnownRow>('SELECT name, size, mtime, ctime, ino, seen_at, problem FROM documents WHERE source = ?', source_id),
    )
    return new Map(rows.map(([name, size, mtime, ctime, ino, seen_at, problem]) => [name, { size, mtime, ctime, ino, seen_at, problem }]))
  }

  /** Everything goes, and what was about to be read is not read. */
  override clear(): void {
    this.#waiting.clear()
    this.#roots.clear()
    this.#allowed.forget()
    super.clear()
  }

  #assertNotCanceled(): void {
    if (this.#isCanceled()) throw new Error('canceled')
  }

  /** A folder that is gone says nothing about its files. */
  #assertThere(source_id: string): void {
    const root = this.#roots.get(source_id)
    if (root !== undefined && !lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) throw new SourceGone('the folder does not exist')
  }

  /** Whether its bytes are those that were parsed: a file that was copied or touched is not parsed again. */
  #isSame(source_id: string, name: string, sha256: string): boolean {
    const known = this.read((sql) =>
      sql.get<{ problem: DocumentProblem | null }>(
        'SELECT problem FROM documents WHERE source = ? AND name = ? AND sha256 = ?',
        ...[source_id, name, sha256],
      ),
    )
    return known !== undefined && !isWorthRetrying(known.problem)
  }

  #noteSame(source_id: string, files: readonly (Pick<ParsedFile, 'stats'> & { readonly name: string })[], seen_at: number): void {
    if (files.length === 0) return
    this.write((sql) => {
      for (const { name, stats } of files) {
        sql.run(
          'UPDATE documents SET mtime = ?, ctime = ?, ino = ?, seen_at = ? WHERE source = ? AND name = ?',
          ...[stats.mtime, stats.ctime, stats.ino, seen_at, source_id, name],
        )
      }
    })
  }

  #passages(source_id: string, { name, result }: ParsedFile): DocumentPassages {
    const id = documentId(source_id, name)
    return 'problem' in result ? { document_id: id, texts: [], rows: [] } : passagesOf(id, `${space}/${source_id}`, result)
  }

  #passageIds(document_id: string): readonly string[] {
    return this.read((sql) =>
      sql
        .all<{ id: string }>('SELECT p.id FROM passages p JOIN documents d ON d.no = p.document WHERE d.id = ?', document_id)
        .map(({ id }) => id),
    )
  }

  #putProblem(
    source_id: string,
    { name, path }: { name: string; path: string | null },
    stats: FileTimes,
    problem: DocumentProblem,
    detail: string | null = null,
  ): void {
    this.put(source_id, [{ name, path, stats, seen_at: Number.MAX_SAFE_INTEGER, sha256: '', result: { problem, detail } }])
  }

  #removeDocuments(source_id: string, names: readonly string[]): void {
    for (let at = 0; at < names.length; at += removedAtOnce) {
      const ids = names.slice(at, at + removedAtOnce).map((name) => documentId(source_id, name))
      const removed = ids.flatMap((id) => this.#passageIds(id))
      this.applyWith({ space, texts: [], removed }, (sql) => {
        for (const id of ids) {
          sql.run('DELETE FROM passages WHERE document = (SELECT no FROM documents WHERE id = ?)', id)
          sql.run('DELETE FROM documents WHERE id = ?', id)
        }
        crashPoint('documents_removing')
      })
    }
    this.#allowed.forget()
  }
}

function found(source: SourceFiles, canceled: () => boolean) {
  if (source.kind !== 'folder') return { files: source.files.map((file) => ({ ...file, isSecret: false })), closed: [], isWhole: true }
  const { root, home, include, exclude, secret_paths, access } = source
  const rules = fileRules({ root, include, exclude, secret_paths, access: access && accessRule(access) })
  return findFiles({ root, home, rules, elapsed: () => performance.now(), canceled })
}

/** The path that permissions are about; a copy of a page or a text has none. */
function placeOf({ path, isCopy }: FoundFile): string | null {
  return isCopy ? null : path
}

/** What may work next time although the file is the same. */
function isWorthRetrying(problem: DocumentProblem | null): boolean {
  return problem !== null && ['no_sandbox', 'failed', 'too_long', 'too_much_memory', 'changed_meanwhile'].includes(problem)
}

function isUnchanged(known: KnownDocument, now: FileTimes): boolean {
  const isSame = known.size === now.size && known.mtime === now.mtime && known.ctime === now.ctime && known.ino === now.ino
  return isSame && known.problem !== 'secret' && now.ctime < known.seen_at - racy_ms
}

function putDocument(
  sql: Statements,
  source_id: string,
  { name, path, stats, seen_at, sha256, result }: ParsedFile,
  made: DocumentPassages,
): void {
  const document = 'problem' in result ? null : result
  const { problem = null, detail = null } = 'problem' in result ? result : { detail: result.notes.join(' ').slice(0, 500) || null }
  const values = [name, path, document?.format ?? null, stats.size, stats.mtime, stats.ctime, stats.ino, seen_at, sha256]
  const { no } = sql.get<{ no: number }>(
    `INSERT INTO documents (id, source, name, path, format, size, mtime, ctime, ino, seen_at, sha256, text, text_sha256, problem, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET path = excluded.path, format = excluded.format, size = excluded.size, mtime = excluded.mtime,
       ctime = excluded.ctime, ino = excluded.ino, seen_at = excluded.seen_at, sha256 = excluded.sha256, text = excluded.text,
       text_sha256 = excluded.text_sha256, problem = excluded.problem, detail = excluded.detail
     RETURNING no`,
    ...[made.document_id, source_id, ...values],
    ...(document ? packText(document.text) : [null, null]),
    ...[problem, detail],
  ) ?? { no: 0 }
  sql.run('DELETE FROM passages WHERE document = ?', no)
  for (const row of made.rows) {
    sql.run(
      `INSERT INTO passages (id, document, ord, text_from, text_to, byte_from, byte_to, first_line, last_line, page, paragraph, headings)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[row.id, no, row.ord, row.position.text.from, row.position.text.to],
      ...[row.position.bytes?.from ?? null, row.position.bytes?.to ?? null, row.position.first_line, row.position.last_line],
      ...[row.position.page, row.position.paragraph, JSON.stringify(row.position.headings)],
    )
  }
}
