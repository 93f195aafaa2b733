import { type CallPreview, previewLimits } from '@tandem/contract/run'
import { grouped, visibleText } from '@tandem/contract/text'
import { FsWriteOutput } from '@tandem/contract/tool/output'
import Type, { type Static } from 'typebox'
import type { PreviewContext, ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool } from '../../call/tool.ts'
import { displayPath } from '../../path/inside.ts'
import { lineDiff } from './line-diff.ts'
import { plannedPath } from './planned-path.ts'
import {
  decodeExactly,
  encodeText,
  expectHash,
  type FileReader,
  type FoundFile,
  knownEncoding,
  lineEnding,
  loadFileIfAny,
  maxTextBytes,
  recognizeText,
  sampleBytes,
  sha256,
  type TextForm,
  tooLarge,
} from './text-file.ts'

const Input = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 4_096, description: 'The file, relative to the workspace or absolute' }),
    content: Type.String({ description: 'The complete new text' }),
    create_parents: Type.Optional(Type.Boolean({ description: 'Create the missing parent folders' })),
    keep_encoding: Type.Optional(
      Type.Boolean({ description: 'When replacing a file, keep its byte order mark, encoding and line endings' }),
    ),
    encoding: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: 'The encoding to write. Default: utf-8' })),
    expect_sha256: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'Replace only if the file still has this hash (from fs.read)' }),
    ),
  },
  { additionalProperties: false },
)

export const writeFile = defineTool({
  name: 'fs.write',
  summary:
    'Create a text file or replace it completely. The file is written atomically; its mode is kept. To change a part of a file use fs.edit. Parent folders must exist unless `create_parents` is true. Returns a diff against the old text.',
  input: Input,
  output: FsWriteOutput,
  effects: ({ path }) => [{ does: 'write', path }],
  preview,
  limits: { seconds: 60 },
  run: write,
  present: presented,
})

async function write(input: Static<typeof Input>, context: ToolContext): Promise<FsWriteOutput> {
  const { path, content } = input
  const { stored, form, bytes } = await planned(input, context)
  const unchanged = stored?.bytes?.equals(bytes) === true
  const { real, created } = unchanged
    ? { real: stored.real, created: false }
    : await context.files.replace(path, bytes, { expect: stored?.version ?? null, createParents: input.create_parents ?? false })
  const shown = displayPath(real, context)
  const { diff, truncated, lines_added, lines_removed } = await diffOf(shown, stored, content)
  return {
    path: shown,
    outcome: unchanged ? 'unchanged' : created ? 'created' : 'replaced',
    bytes: bytes.length,
    sha256: sha256(bytes),
    encoding: form.encoding,
    diff,
    diff_truncated: truncated,
    lines_added,
    lines_removed,
  }
}

/** Everything except replacing the file. */
async function planned(input: Static<typeof Input>, reader: FileReader) {
  const { path, content } = input
  const stored = await loadFileIfAny(path, reader)
  expectHash(path, stored, input.expect_sha256)
  const form = await formFor(input, stored)
  const bytes = await encodeText(form.crlf ? content.replace(/\r?\n/g, '\r\n') : content, form)
  if (bytes.length > maxTextBytes) throw tooLarge(path, bytes.length)
  return { stored, form, bytes }
}

async function preview(input: Static<typeof Input>, context: PreviewContext): Promise<CallPreview> {
  const { stored, form, bytes } = await planned(input, context)
  const { real, missing } = await plannedPath(input.path, context.files, input.create_parents ? 'create_parents' : 'parents_exist')
  const path = displayPath(real, context)
  const { diff, truncated, lines_added, lines_removed } = await diffOf(path, stored, input.content, previewLimits.text_characters)
  const notes = [
    ...missing.map((folder) => `Creates the folder ${visibleText(displayPath(folder, context))}.`),
    ...(stored ? await changesOfForm(stored, form, bytes) : []),
  ].slice(0, 10)
  return { kind: 'change', path, creates: stored === null, diff, diff_truncated: truncated, lines_added, lines_removed, notes }
}

/** What the lines of a diff do not show. */
async function changesOfForm(stored: FoundFile, form: TextForm, bytes: Buffer): Promise<string[]> {
  if (!stored.bytes) return [`Replaces a file of ${grouped(stored.size)} bytes, which is too large to compare.`]
  if (stored.bytes.equals(bytes)) return ['The file already has exactly this content.']
  const before = recognizeText(stored.bytes.subarray(0, sampleBytes))
  const old = before && (await decodeExactly(stored.bytes, before))
  if (!before || old === null) return stored.bytes.length === 0 ? [] : ['Replaces a file that is not text.']
  const [from, to] = [lineEnding(old), lineEnding(bytes.toString('latin1').replaceAll('\0', ''))]
  return [
    ...(before.encoding === form.encoding ? [] : [`Changes the encoding from ${before.encoding} to ${form.encoding}.`]),
    ...(before.bom && !form.bom ? ['Removes the byte order mark.'] : []),
    ...(from === to || from === 'none' || to === 'none' ? [] : [`Changes the line endings from ${endings[from]} to ${endings[to]}.`]),
  ]
}

const endings = { lf: 'LF', crlf: 'CRLF', mixed: 'mixed line endings' } as const

function presented({ path, outcome, bytes, sha256: hash, diff, diff_truncated }: FsWriteOutput): string {
  return `${path}: ${outcome}, ${bytes} bytes, sha256 ${hash}\n${diff}${diff_truncated ? '\n[The diff was cut.]' : ''}`
}

async function formFor(
  { path, keep_encoding = false, encoding }: Static<typeof Input>,
  stored: FoundFile | null,
): Promise<TextForm & { crlf: boolean }> {
  const chosen = encoding === undefined ? undefined : await knownEncoding(encoding)
  const plain = { encoding: chosen ?? 'utf-8', bom: false, certain: true, crlf: false }
  if (!keep_encoding || !stored || stored.bytes?.length === 0) return plain
  if (!stored.bytes) {
    throw new ToolFailure('too_large', `"${path}" is too large to keep its encoding.`, {
      subject: path,
      remedy: 'Leave out `keep_encoding`.',
    })
  }
  const found = recognizeText(stored.bytes.subarray(0, sampleBytes))
  if (!found) return plain
  const form = chosen ? { encoding: chosen, bom: found.bom && found.encoding === chosen, certain: true } : found
  const text = form.certain ? await decodeExactly(stored.bytes, form) : null
  if (text === null) {
    throw new ToolFailure('unknown_encoding', `The encoding of "${path}" cannot be determined, so it cannot be kept.`, {
      subject: path,
      remedy: `Set \`encoding\` (it may be ${found.encoding}), or leave out \`keep_encoding\` to write utf-8.`,
    })
  }
  return { ...form, crlf: lineEnding(text) === 'crlf' }
}

/** Line endings are ignored: otherwise every line would be changed. */
async function diffOf(path: string, stored: FoundFile | null, content: string, most?: number) {
  const before = stored ? await textOf(stored) : ''
  if (before === null) return { diff: '', truncated: true, lines_added: null, lines_removed: null }
  return lineDiff(path, before.replaceAll('\r\n', '\n'), content.replaceAll('\r\n', '\n'), most)
}

async function textOf({ bytes }: FoundFile): Promise<string | null> {
  const form = bytes && recognizeText(bytes.subarray(0, sampleBytes))
  return form ? decodeExactly(bytes, form) : null
}
