import { FsDeleteOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { defineTool } from '../../call/tool.ts'
import { shownPath } from '../../path/inside.ts'

export const deletePath = defineTool({
  name: 'fs.delete',
  summary:
    'Delete a file, a link (never what it points to) or, with recursive, a folder with all it holds. The workspace itself is never deleted.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1, maxLength: 4_096, description: 'What to delete, relative to the workspace or absolute' }),
      recursive: Type.Optional(Type.Boolean({ description: 'Needed for every folder' })),
    },
    { additionalProperties: false },
  ),
  output: FsDeleteOutput,
  effects: ({ path }) => [{ does: 'delete', path }],
  limits: { seconds: 300 },
  async run({ path, recursive = false }, context) {
    const { real, removed } = await context.files.remove(path, { recursive, signal: context.signal })
    return { path: shownPath(real, context), entries: removed }
  },
})
