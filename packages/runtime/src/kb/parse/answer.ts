// What the parsing process answered about a file. It read an untrusted file, so nothing of its answer counts before it was checked.
import { documentFormats, documentProblems, isTextFormat } from '@tandem/contract/knowledge'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { mostBlocks } from './blocks.ts'
import { decodedAs } from './decode.ts'
import type { Block, ParsedDocument, Unreadable } from './parsed.ts'
import { nextVisible } from './white-space.ts'

const closed = { additionalProperties: false } as const
const Place = Type.Integer({ minimum: 0 })
const Line = Type.String({ maxLength: 10_000 })

const AnsweredBlock = Type.Object(
  {
    kind: Type.Union((['heading', 'paragraph', 'list', 'table', 'code'] as const).map((kind) => Type.Literal(kind))),
    from: Place,
    to: Place,
    level: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
    name: Type.Optional(Line),
    header_to: Type.Optional(Place),
    page: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
)

const AnsweredDocument = Type.Object(
  {
    format: Type.Union(documentFormats.map((format) => Type.Literal(format))),
    title: Type.Union([Line, Type.Null()]),
    text: Type.Optional(Type.String()),
    encoding: Type.Union([
      Type.Object(
        {
          name: Type.Union((['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const).map((name) => Type.Literal(name))),
          mark_bytes: Type.Integer({ minimum: 0, maximum: 3 }),
        },
        closed,
      ),
      Type.Null(),
    ]),
    blocks: Type.Array(AnsweredBlock, { maxItems: mostBlocks }),
    notes: Type.Array(Line, { maxItems: 100 }),
  },
  closed,
)

const Answer = Type.Union([
  Type.Object({ index: Place, document: AnsweredDocument }, closed),
  Type.Object(
    {
      index: Place,
      problem: Type.Union(documentProblems.map((problem) => Type.Literal(problem))),
      detail: Type.Union([Type.String(), Type.Null()]),
    },
    closed,
  ),
])

const validator = Compile(Answer)

/** The result for the file with these bytes; null if the answer is not valid. */
export function checkedAnswer(line: string, index: number, bytes: Uint8Array): ParsedDocument | Unreadable | null {
  const answer = parsedJson(line)
  if (!validator.Check(answer) || answer.index !== index) return null
  if ('problem' in answer) return { problem: answer.problem, detail: answer.detail === null ? null : singleLine(answer.detail) }
  const { document } = answer
  const text = textOf(document, bytes)
  if (text === null || !text.isWellFormed() || !areSound(text, document.blocks)) return null
  return {
    ...document,
    text,
    title: document.title === null ? null : singleLine(document.title),
    blocks: document.blocks.map((block) => (block.name === undefined ? block : { ...block, name: singleLine(block.name) })),
    notes: document.notes.map(singleLine),
  }
}

/** The text of a text format is what its bytes say, not what the process says. */
function textOf({ format, text, encoding }: Static<typeof AnsweredDocument>, bytes: Uint8Array): string | null {
  if (!isTextFormat(format)) return encoding === null ? (text ?? null) : null
  if (text !== undefined || encoding === null) return null
  return decodedAs(encoding.name, bytes, encoding.mark_bytes)?.text ?? null
}

/** In order, not overlapping, with everything except white space, and not beginning or ending within a code point. */
function areSound(text: string, blocks: readonly Block[]): boolean {
  let end = 0
  for (const { from, to, header_to = to } of blocks) {
    if (from < end || to <= from || to > text.length || header_to <= from || header_to > to) return false
    if (nextVisible(text, end) < from || isWithinPair(text, from) || isWithinPair(text, to) || isWithinPair(text, header_to)) return false
    end = to
  }
  return nextVisible(text, end) >= text.length
}

function isWithinPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Not JSON, hence not an answer.
    return null
  }
}

const longestLine = 500

function singleLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longestLine)
    .toWellFormed()
}
