import { FsWriteOutput } from '@tandem/contract/tool/output'
import Type, { type Static } from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool } from '../../call/tool.ts'
import { shownPath } from '../../path/inside.ts'
import { lineDiff } from './line-diff.ts'
import {
  decodeExactly,
  encodeText,
  expectHash,
  type FoundFile,
  knownEncoding,
  lineEnding,
  loadFileIfAny,
  mostBytes,
  recognizeText,
  sampleBytes,
  sha256,
  type TextForm,
  tooLarge,
} from './text-file.ts'

const Input = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 4_096, description: 'The file, relative to the workspace or absolute' }),
    content: Type.String({ description: 'The whole new text' }),
    create_parents: Type.Optional(Type.Boolean({ description: 'Make the missing folders above it' })),
    keep_encoding: Type.Optional(
      Type.Boolean({ description: 'When replacing: keep the byte order mark, the encoding and the line endings of the old file' }),
    ),
    encoding: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: 'Write in this encoding; utf-8 when left out' })),
    expect_sha256: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'Replace only if the file is still the one with this hash (from fs.read)' }),
    ),
  },
  { additionalProperties: false },
)

export const writeFile = defineTool({
  name: 'fs.write',
  summary:
    'Create a text file or replace all of it. The file appears whole or not at all; its mode is kept. To change a part of a file use fs.edit. Folders above it must exist unless create_parents is true. Answers with a diff against the old text.',
  input: Input,
  output: FsWriteOutput,
  effects: ({ path }) => [{ does: 'write', path }],
  limits: { seconds: 60 },
  run: write,
  present: presented,
})

async function write(input: Static<typeof Input>, context: ToolContext): Promise<FsWriteOutput> {
  const { path, content } = input
  const stored = await loadFileIfAny(path, context)
  expectHash(path, stored, input.expect_sha256)
  const form = await formFor(input, stored)
  const bytes = await encodeText(form.crlf ? content.replace(/\r?\n/g, '\r\n') : content, form)
  if (bytes.length > mostBytes) throw tooLarge(path, bytes.length)
  const unchanged = stored?.bytes?.equals(bytes) === true
  const { real, created } = unchanged
    ? { real: stored.real, created: false }
    : await context.files.replace(path, bytes, { expect: stored?.version ?? null, createParents: input.create_parents ?? false })
  const shown = shownPath(real, context)
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

function presented({ path, outcome, bytes, sha256: hash, diff, diff_truncated }: FsWriteOutput): string {
  return `${path}: ${outcome}, ${bytes} bytes, sha256 ${hash}\n${diff}${diff_truncated ? '\n[The diff is cut.]' : ''}`
}

async function formFor(
  { path, keep_encoding = false, encoding }: Static<typeof Input>,
  stored: FoundFile | null,
): Promise<TextForm & { crlf: boolean }> {
  const chosen = encoding === undefined ? undefined : await knownEncoding(encoding)
  const plain = { encoding: chosen ?? 'utf-8', bom: false, certain: true, crlf: false }
  if (!keep_encoding || !stored || stored.bytes?.length === 0) return plain
  if (!stored.bytes) {
    throw new ToolFailure('too_large', `«${path}» is too large for its encoding to be kept.`, {
      subject: path,
      remedy: 'Leave keep_encoding out.',
    })
  }
  const found = recognizeText(stored.bytes.subarray(0, sampleBytes))
  if (!found) return plain
  const form = chosen ? { encoding: chosen, bom: found.bom && found.encoding === chosen, certain: true } : found
  const text = form.certain ? await decodeExactly(stored.bytes, form) : null
  if (text === null) {
    throw new ToolFailure('unknown_encoding', `The encoding of «${path}» is not certain, so it can't be kept.`, {
      subject: path,
      remedy: `Name it with encoding (it may be ${found.encoding}), or leave keep_encoding out to write utf-8.`,
    })
  }
  return { ...form, crlf: lineEnding(text) === 'crlf' }
}

/** Line endings are left out of it: they would mark every line. */
async function diffOf(path: string, stored: FoundFile | null, content: string) {
  const before = stored ? await textOf(stored) : ''
  if (before === null) return { diff: '', truncated: true, lines_added: null, lines_removed: null }
  return lineDiff(path, before.replaceAll('\r\n', '\n'), content.replaceAll('\r\n', '\n'))
}

async function textOf({ bytes }: FoundFile): Promise<string | null> {
  const form = bytes && recognizeText(bytes.subarray(0, sampleBytes))
  return form ? decodeExactly(bytes, form) : null
}
