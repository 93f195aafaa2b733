import { type CallPreview, previewLimits } from '@tandem/contract/run'
import { FsEditOutput } from '@tandem/contract/tool/output'
import Type, { type Static } from 'typebox'
import type { PreviewContext, ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool } from '../../call/tool.ts'
import { displayPath } from '../../path/inside.ts'
import { applyEdits, type EditResult, mostCountedMatches, withLf } from './edit-rule.ts'
import { lineDiff } from './line-diff.ts'
import { similarLines } from './similar-lines.ts'
import {
  decodeExactly,
  encodeText,
  expectHash,
  type FileReader,
  knownEncoding,
  loadFile,
  maxTextBytes,
  recognizeText,
  type StoredFile,
  sampleBytes,
  sha256,
  type TextForm,
  tooLarge,
} from './text-file.ts'

const Input = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 4_096, description: 'The file, relative to the workspace or absolute' }),
    edits: Type.Array(
      Type.Object(
        {
          old_text: Type.String({
            minLength: 1,
            description: 'The exact text in the file, including white space, without line numbers',
          }),
          new_text: Type.String({ description: 'The replacement; empty to delete' }),
          occurrence: Type.Optional(
            Type.Union([Type.Literal('only'), Type.Literal('all'), Type.Integer({ minimum: 1 })], {
              description:
                '`only` (default): the text must occur exactly once. `all`: every occurrence. A number: that occurrence, counted from 1',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 100, description: 'Applied in order, each to the result of the previous one; all of them or none' },
    ),
    encoding: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: 'Only if the file is neither UTF-8 nor UTF-16' })),
    expect_sha256: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'Edit only if the file still has this hash (from fs.read)' }),
    ),
  },
  { additionalProperties: false },
)

export const editFile = defineTool({
  name: 'fs.edit',
  summary:
    'Change parts of a text file: each edit replaces an exact match of `old_text` with `new_text`. Include enough surrounding lines to make `old_text` unique. All edits are applied or none; line endings, byte order mark, encoding and mode are kept. Returns a diff. If `old_text` is not found, the most similar lines are shown; if it occurs more than once, its line numbers.',
  input: Input,
  output: FsEditOutput,
  effects: ({ path }) => [{ does: 'write', path }],
  preview,
  limits: { seconds: 60 },
  run: edit,
  present: presented,
})

async function edit(input: Static<typeof Input>, context: ToolContext): Promise<FsEditOutput> {
  const { stored, before, result, bytes } = await planned(input, context)
  await context.files.replace(input.path, bytes, { expect: stored.version })
  const shown = displayPath(stored.real, context)
  const { diff, truncated, lines_added, lines_removed } = await lineDiff(shown, withLf(before), withLf(result.text))
  return {
    path: shown,
    replaced: result.replaced,
    bytes: bytes.length,
    sha256: sha256(bytes),
    diff,
    diff_truncated: truncated,
    lines_added,
    lines_removed,
  }
}

/** Everything except replacing the file: an edit that is not possible fails here. */
async function planned({ path, edits, encoding, expect_sha256 }: Static<typeof Input>, reader: FileReader) {
  const stored = await loadFile(path, reader)
  expectHash(path, stored, expect_sha256)
  const { text: before, form } = await decoded(path, stored, encoding)
  const result = applyEdits(before, edits)
  if (result.is !== 'done') throw failed(path, result, edits[result.edit - 1]?.old_text ?? '')
  const bytes = await encodeText(result.text, form)
  if (bytes.length > maxTextBytes) throw tooLarge(path, bytes.length)
  return { stored, before, result, bytes }
}

async function preview(input: Static<typeof Input>, context: PreviewContext): Promise<CallPreview> {
  const { before, result } = await planned(input, context)
  const path = displayPath(await context.files.locate(input.path, 'write'), context)
  const { diff, truncated, lines_added, lines_removed } = await lineDiff(
    path,
    withLf(before),
    withLf(result.text),
    previewLimits.text_characters,
  )
  return { kind: 'change', path, creates: false, diff, diff_truncated: truncated, lines_added, lines_removed, notes: [] }
}

function presented({ path, replaced, bytes, sha256: hash, diff, diff_truncated }: FsEditOutput): string {
  const changes = replaced.join(' + ')
  return `${path}: ${changes} ${changes === '1' ? 'change' : 'changes'}, ${bytes} bytes, sha256 ${hash}\n${diff}${diff_truncated ? '\n[The diff was cut.]' : ''}`
}

async function decoded(path: string, { bytes }: StoredFile, encoding: string | undefined): Promise<{ text: string; form: TextForm }> {
  const found = recognizeText(bytes.subarray(0, sampleBytes))
  const chosen = encoding === undefined ? undefined : await knownEncoding(encoding)
  if (!found && !chosen) {
    throw new ToolFailure('binary_file', `"${path}" is not a text file.`, {
      subject: path,
      remedy: 'Change it with a program for its file type.',
    })
  }
  const form = chosen ? { encoding: chosen, bom: found?.encoding === chosen && found.bom, certain: true } : found
  const text = form?.certain ? await decodeExactly(bytes, form) : null
  if (form && text !== null) return { text, form }
  throw new ToolFailure('unknown_encoding', `"${path}" cannot be read as ${chosen ?? 'UTF-8 or UTF-16'} without losing bytes.`, {
    subject: path,
    remedy: `Set \`encoding\`${found && !chosen ? ` (it may be ${found.encoding})` : ''}.`,
  })
}

function failed(path: string, result: Exclude<EditResult, { is: 'done' }>, old: string): ToolFailure {
  const which = `Edit ${result.edit} of "${path}"`
  const nothing = 'Nothing was changed.'
  switch (result.is) {
    case 'empty_old_text':
      return new ToolFailure('empty_old_text', `${which} has no text to replace. ${nothing}`, {
        subject: path,
        remedy: 'Set `old_text` to the text to replace; to write a whole file use fs.write.',
      })
    case 'no_change':
      return new ToolFailure('no_change', `${which} would change nothing: \`old_text\` and \`new_text\` are the same. ${nothing}`, {
        subject: path,
        remedy: 'Leave out the edit, or change `new_text`.',
      })
    case 'no_such_occurrence':
      return new ToolFailure(
        'no_match',
        `${which}: the text occurs only ${result.count === 1 ? 'once' : `${result.count} times`}. ${nothing}`,
        {
          subject: path,
          remedy: result.count === 1 ? 'Leave out `occurrence`.' : `Set \`occurrence\` to a number from 1 to ${result.count}.`,
        },
      )
    case 'ambiguous_match': {
      const lines = `${result.lines.join(', ')}${result.count > result.lines.length ? ', ...' : ''}`
      return new ToolFailure(
        'ambiguous_match',
        `${which}: the text occurs ${result.count === mostCountedMatches ? 'at least ' : ''}${result.count} times, at lines ${lines}. ${nothing}`,
        {
          subject: path,
          remedy: 'Add surrounding lines to `old_text`, or set `occurrence`.',
          output: { lines: result.lines, count: result.count },
        },
      )
    }
    case 'no_match': {
      const near = similarLines(withLf(result.text), withLf(old))
      const space = near.differs_in_space_at === null ? '' : ` At line ${near.differs_in_space_at} it differs only in white space.`
      const list = near.lines.map(({ line, text }) => `\n${line}\t${text}`).join('')
      return new ToolFailure(
        'no_match',
        `${which}: the text was not found.${space} ${nothing}${list ? ` Most similar lines:${list}` : ''}`,
        {
          subject: path,
          remedy: 'Read the file again and copy the text exactly.',
          output: near,
        },
      )
    }
  }
}
