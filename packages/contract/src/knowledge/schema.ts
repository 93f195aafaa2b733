import Type, { type Static } from 'typebox'
import { Count, Flag, Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Sha256, Timestamp } from '../shape.ts'
import { documentFormats } from './format.ts'
import { documentProblems, knowledgeSourceStates } from './state.ts'

const Path = Type.String({ minLength: 1, maxLength: 4_096 })
const Pattern = Type.String({ minLength: 1, maxLength: 500 })
/** Patterns of a folder, relative to it. */
const patterns = {
  include: Type.Optional(listOf(Pattern, { maxItems: 100, description: 'Only files that match one of these, such as `docs/**`' })),
  exclude: Type.Optional(listOf(Pattern, { maxItems: 100, description: 'Leave out files that match one of these, such as `**/*.log`' })),
}

export const KnowledgeOrigin = Type.Union([
  object({ kind: oneOf(['file']), path: Path }),
  object({ kind: oneOf(['folder']), path: Path, ...patterns }),
  object({ kind: oneOf(['url']), url: Type.String({ minLength: 1, maxLength: 8_000 }) }),
  object({ kind: oneOf(['text']), characters: Count }),
])
export type KnowledgeOrigin = Static<typeof KnowledgeOrigin>

/** Whose agents can find it. */
export const KnowledgeOwner = Type.Union([
  object({ kind: oneOf(['agent']), agent_id: Key }),
  object({ kind: oneOf(['workspace']), path: Path }),
  object({ kind: oneOf(['everyone']) }),
])
export type KnowledgeOwner = Static<typeof KnowledgeOwner>

/** While it is read. `total` is null until all files are known. */
export const KnowledgeProgress = object({ done: Count, total: nullable(Count), bytes: Count })
export type KnowledgeProgress = Static<typeof KnowledgeProgress>

export const KnowledgeSource = object({
  source_id: Id,
  name: Line,
  origin: KnowledgeOrigin,
  owner: KnowledgeOwner,
  /** Who added it: the user, or an agent, whose sources belong to it alone until the user shares them. */
  added_by: nullable(Key),
  watch: Type.Boolean({ description: 'Changes of the folder are noticed immediately' }),
  state: oneOf(knowledgeSourceStates),
  progress: nullable(KnowledgeProgress),
  /** Why nothing of it could be read, or what users should know about it. */
  problem: nullable(object({ message: Line, remedy: Line })),
  /** Files that can be found, and files that were left out. */
  files: Count,
  left_out: Count,
  passages: Count,
  /** Of the files that can be found. */
  bytes: Count,
  added_at: Timestamp,
  /** When all of its files were last compared with the knowledge base. */
  checked_at: nullable(Timestamp),
})
export type KnowledgeSource = Static<typeof KnowledgeSource>

/** A file of a source. */
export const DocumentRow = object({
  document_id: Key,
  /** Relative to its source. */
  name: Type.String(),
  path: nullable(Type.String()),
  format: nullable(oneOf(documentFormats)),
  bytes: Count,
  passages: Count,
  problem: nullable(oneOf(documentProblems)),
  /** What exactly was wrong, or what of it could not be read. */
  detail: nullable(Line),
})
export type DocumentRow = Static<typeof DocumentRow>

const range = object({ from: Count, to: Count })

/** Where a passage is. What a format does not have is null. */
export const DocumentPosition = object({
  /** In the extracted text, in UTF-16 units, with its hash. */
  text: range,
  text_sha256: Sha256,
  /** Of text formats: in the file. Lines count from 1. */
  bytes: nullable(range),
  first_line: nullable(Count),
  last_line: nullable(Count),
  /** Of PDF, from 1. */
  page: nullable(Count),
  /** The headings it is below, outermost first. */
  headings: listOf(Type.String()),
  /** Of DOCX and HTML: which paragraph below its heading, from 1. */
  paragraph: nullable(Count),
})
export type DocumentPosition = Static<typeof DocumentPosition>

/** A part of an excerpt that the query matched. */
const mark = object({ from: Count, to: Count })

export const KnowledgeHit = object({
  passage_id: Key,
  source_id: Id,
  document_id: Key,
  /** As in its citation. */
  name: Type.String(),
  citation: Type.String(),
  position: DocumentPosition,
  excerpt: Type.String(),
  marks: listOf(mark),
  text: Type.String({ description: 'The whole passage' }),
  score: Fraction,
  /** What each signal added to the score, and how close the meaning is (from -1 to 1; null if it was not compared). */
  signals: listOf(object({ signal: Key, share: Fraction })),
  similarity: nullable(Type.Number({ minimum: -1, maximum: 1 })),
})
export type KnowledgeHit = Static<typeof KnowledgeHit>

/** A passage as it is now, with the text around it. */
export const KnowledgePassage = object({
  passage_id: Key,
  source_id: Id,
  document_id: Key,
  name: Type.String(),
  source_name: Line,
  path: nullable(Type.String()),
  url: nullable(Type.String()),
  format: oneOf(documentFormats),
  citation: Type.String(),
  position: DocumentPosition,
  before: Type.String(),
  text: Type.String(),
  after: Type.String(),
  /** The line of the file at which `before` begins; null for formats without lines. */
  from_line: nullable(Count),
  /** The line that the citation of the run is about, where it is now; null without a run, and for formats without lines. */
  cited_line: nullable(Count),
  /** Whether the file has changed since it was last read. */
  outdated: Flag,
})
export type KnowledgePassage = Static<typeof KnowledgePassage>
