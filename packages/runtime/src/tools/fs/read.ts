import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { FsReadOutput, type ReadBinary, type ReadText } from '@tandem/contract/tool/output'
import Type, { type Static } from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { defineTool } from '../../call/tool.ts'
import { displayPath } from '../../path/inside.ts'
import { type Line, lineRange, longestLine } from './line-range.ts'
import { imageSize, mediaType } from './media-type.ts'
import { knownEncoding, type LineEnding, lineEnding, recognizeText, sampleBytes, streamDecoder, type TextForm } from './text-file.ts'

/** Files up to this size are read completely, for the hash and the number of lines. */
const wholeBytes = 64 * 1024 * 1024
const chunkBytes = 1024 * 1024
/** How far from the end of a larger file its last lines are searched. */
const tailBytes = 4 * 1024 * 1024

/** Images that models accept, up to this size. */
const shownBytes = 5 * 1024 * 1024
const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const Input = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 4_096, description: 'The file, relative to the workspace or absolute' }),
    offset: Type.Optional(
      Type.Integer({
        description: 'The first line to read, counted from 1. A negative number reads that many lines from the end',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Maximum number of lines. Default: 2000' })),
    line_numbers: Type.Optional(Type.Boolean({ description: 'Prefix each line with its number and a tab' })),
    encoding: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: 'Only if the text looks wrong: latin1, windows-1252, utf-16le, shift_jis …',
      }),
    ),
  },
  { additionalProperties: false },
)

export const readFile = defineTool({
  name: 'fs.read',
  summary:
    'Read a text file or some of its lines. Returns the lines, their numbers, the total number of lines, and the SHA-256 that fs.write and fs.edit accept as `expect_sha256`. Lines over 2000 characters are cut with a note; long files are returned in parts: continue at `next_offset`. Images (PNG, JPEG, GIF, WebP) are shown if you accept images; other binary files are described (type, size, hash). For folders use fs.list; to find text use fs.search.',
  input: Input,
  output: FsReadOutput,
  effects: ({ path }) => [{ does: 'read', path }],
  limits: { seconds: 60 },
  run: read,
  present: presented,
})

async function read(input: Static<typeof Input>, context: ToolContext): Promise<FsReadOutput> {
  const chosen = input.encoding === undefined ? null : await knownEncoding(input.encoding)
  return context.files.read(input.path, async ({ real, handle, facts }) => {
    const sample = await readAt(handle, 0, Math.min(sampleBytes, facts.size || sampleBytes))
    const path = displayPath(real, context)
    const found = recognizeText(sample)
    const form = chosen ? { encoding: chosen, bom: found?.encoding === chosen && found.bom, certain: true } : found
    return form ? readText({ ...input, path }, form, handle, facts.size, context) : describe(path, sample, handle, facts.size, context)
  })
}

async function readText(
  { path, offset: asked = 1, limit = 2_000, line_numbers = false }: Static<typeof Input>,
  form: TextForm,
  handle: FileHandle,
  size: number,
  { signal }: ToolContext,
): Promise<ReadText> {
  const offset = asked === 0 ? 1 : asked
  const whole = size <= wholeBytes
  const jump = !whole && offset < 0 ? size - tailBytes - ((size - tailBytes) % 4) : 0
  const window = lineRange(offset, limit)
  const decoder = await streamDecoder(form)
  const hash = createHash('sha256')
  let ending: LineEnding = 'none'
  let broken = false
  let carried = ''
  let skipping = jump > 0
  const take = (text: string) => {
    // A chunk may begin between the two characters of a line ending.
    if (ending !== 'mixed') ending = worse(ending, lineEnding(carried + text))
    carried = text.endsWith('\r') ? '\r' : ''
    broken ||= text.includes('\uFFFD')
    const from = skipping ? text.indexOf('\n') + 1 : 0
    skipping &&= from === 0
    if (!skipping) window.feed(from === 0 ? text : text.slice(from))
  }
  let reachedEnd = false
  for await (const chunk of chunks(handle, jump, signal)) {
    hash.update(chunk)
    take(decoder.write(chunk))
    if (!whole && window.full()) break
    reachedEnd = chunk.length < chunkBytes
  }
  if (whole || reachedEnd) take(decoder.end())
  const { lines, seen, stoppedEarly } = window.end()
  const numbered = jump === 0
  const first = lines[0]?.number ?? null
  const last = lines.at(-1)?.number ?? null
  const complete = whole || (reachedEnd && numbered)
  const more = offset > 0 && last !== null && (complete ? last < seen : true)
  const counted = complete ? seen : null
  return {
    kind: 'text',
    path,
    encoding: form.encoding,
    bom: form.bom,
    line_ending: ending,
    size,
    sha256: whole ? hash.digest('hex') : null,
    total_lines: counted,
    start_line: numbered ? first : null,
    end_line: numbered ? last : null,
    content: lines.map((line) => shownLine(line, line_numbers && numbered)).join('\n'),
    next_offset: more && last !== null ? last + 1 : null,
    notes: notes({ form, broken, lines, counted, offset, size, stoppedEarly, more, numbered }),
  }
}

function shownLine({ number, text, cut }: Line, withNumbers: boolean): string {
  const line = cut > 0 ? `${text} [... ${cut} more characters]` : text
  return withNumbers ? `${number}\t${line}` : line
}

function worse(before: LineEnding, now: LineEnding): LineEnding {
  if (before === 'none' || now === 'none' || before === now) return before === 'none' ? now : before
  return 'mixed'
}

interface Known {
  readonly form: TextForm
  readonly broken: boolean
  readonly lines: readonly Line[]
  readonly counted: number | null
  readonly offset: number
  readonly size: number
  readonly stoppedEarly: boolean
  readonly more: boolean
  readonly numbered: boolean
}

function notes({ form, broken, lines, counted, offset, size, stoppedEarly, more, numbered }: Known): string[] {
  const cut = lines.filter((line) => line.cut > 0).length
  return [
    ...(size === 0 ? ['The file is empty.'] : []),
    ...(size > 0 && lines.length === 0 && counted !== null ? [`The file has ${linesText(counted)}; line ${offset} is past the end.`] : []),
    ...(form.certain ? [] : [`The encoding is a guess (${form.encoding}); pass \`encoding\` if the text looks wrong.`]),
    ...(broken ? [`Some bytes are not valid ${form.encoding}; they are shown as U+FFFD.`] : []),
    ...(cut > 0
      ? [`${cut === 1 ? '1 line is' : `${cut} lines are`} longer than ${longestLine} characters and ${cut === 1 ? 'was' : 'were'} cut.`]
      : []),
    ...(stoppedEarly && offset < 0 ? ['Fewer lines than requested, because they are long.'] : []),
    ...(more ? [counted === null ? 'There is more.' : `There is more: the file has ${linesText(counted)}.`] : []),
    ...(numbered ? [] : ['The file is large: its lines were read from the end and have no numbers.']),
  ]
}

function linesText(number: number): string {
  return number === 1 ? '1 line' : `${number} lines`
}

async function describe(path: string, sample: Uint8Array, handle: FileHandle, size: number, context: ToolContext): Promise<ReadBinary> {
  const { signal, keepPicture } = context
  const media_type = mediaType(sample) ?? 'application/octet-stream'
  const image = media_type.startsWith('image/')
  const hash = createHash('sha256')
  const isShown = keepPicture !== undefined && size <= shownBytes && shownTypes.includes(media_type)
  const kept: Uint8Array[] = []
  if (size <= wholeBytes)
    for await (const chunk of chunks(handle, 0, signal)) {
      hash.update(chunk)
      if (isShown) kept.push(chunk)
    }
  const note = isShown ? 'The image is shown to you if you accept images.' : 'The content is not text and is not shown.'
  return {
    kind: image ? 'image' : 'binary',
    path,
    media_type,
    size,
    sha256: size <= wholeBytes ? hash.digest('hex') : null,
    dimensions: image ? imageSize(sample, media_type) : null,
    ...(isShown ? { file_id: keepPicture(Buffer.concat(kept)) } : {}),
    notes: [note, ...(size <= wholeBytes ? [] : ['The file is too large to be hashed.'])],
  }
}

async function* chunks(handle: FileHandle, start: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = start; ; ) {
    signal.throwIfAborted()
    const chunk = await readAt(handle, at, chunkBytes)
    if (chunk.length > 0) yield chunk
    if (chunk.length < chunkBytes) return
    at += chunk.length
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

function presented(output: FsReadOutput): string {
  const aside = output.notes.map((note) => `[${note}]`).join('\n')
  if (output.kind !== 'text') {
    const size = output.dimensions ? `, ${output.dimensions.width} x ${output.dimensions.height} pixels` : ''
    return `${output.path}: ${output.media_type}, ${output.size} bytes${size}, sha256 ${output.sha256 ?? 'not computed'}\n${aside}`
  }
  const lines = output.start_line === null ? '' : `, lines ${output.start_line}-${output.end_line} of ${output.total_lines ?? 'many'}`
  const go = output.next_offset === null ? '' : `\n[Continue with offset ${output.next_offset}.]`
  return `${output.path} (${output.encoding}${lines}, sha256 ${output.sha256 ?? 'not computed'})\n${output.content}\n${aside}${go}`.trimEnd()
}
