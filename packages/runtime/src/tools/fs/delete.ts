import { type CallPreview, previewLimits } from '@tandem/contract/run'
import { FsDeleteOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import type { PreviewContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool } from '../../call/tool.ts'
import { displayPath } from '../../path/inside.ts'
import { topItems } from './top-items.ts'

export const deletePath = defineTool({
  name: 'fs.delete',
  summary:
    'Delete a file, a link (never its target) or, with `recursive`, a folder and its contents. The workspace itself cannot be deleted.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1, maxLength: 4_096, description: 'The path to delete, relative to the workspace or absolute' }),
      recursive: Type.Optional(Type.Boolean({ description: 'Required for folders' })),
    },
    { additionalProperties: false },
  ),
  output: FsDeleteOutput,
  effects: ({ path }) => [{ does: 'delete', path }],
  preview: ({ path, recursive = false }, context) => preview(path, recursive, context),
  limits: { seconds: 300 },
  async run({ path, recursive = false }, context) {
    const { real, removed } = await context.files.remove(path, { recursive, signal: context.signal })
    return { path: displayPath(real, context), entries: removed }
  },
})

/** Larger numbers are only reported as "more". */
const mostCounted = 100_000
const longest_ms = 1_200

async function preview(path: string, recursive: boolean, context: PreviewContext): Promise<CallPreview> {
  const { files, clock, workspace } = context
  const found = await files.lstat(path)
  const shown = displayPath(found.real, context)
  const one = { kind: 'delete' as const, path: shown, paths: [], more: 0, at_least: false }
  if (found.type !== 'directory') return { ...one, folders: 0, files: 1, bytes: found.size }
  if (!recursive) {
    throw new ToolFailure('needs_recursive', `${path} is a folder, and folders are deleted only if recursive is true.`, { subject: path })
  }
  if (found.real === workspace) throw new ToolFailure('workspace_root', 'The workspace itself cannot be deleted.', { subject: path })
  const first = topItems<string>(previewLimits.paths, (left, right) => (left < right ? -1 : left > right ? 1 : 0))
  const until = clock.elapsed() + longest_ms
  let [folders, bytes, at_least] = [1, 0, false]
  for await (const entry of files.walk(path, () => true)) {
    if (entry.type === 'directory') folders += 1
    else {
      first.add(`${shown === '.' ? '' : `${shown}/`}${entry.path}`)
      bytes += (await entry.facts()).size
    }
    at_least = first.count() + folders >= mostCounted || clock.elapsed() > until
    if (at_least) break
  }
  const paths = first.items()
  return { ...one, folders, files: first.count(), bytes, paths, more: first.count() - paths.length, at_least }
}
