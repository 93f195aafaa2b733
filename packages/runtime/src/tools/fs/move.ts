import { FsMoveOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool } from '../../call/tool.ts'
import { displayPath } from '../../path/inside.ts'
import { exists, plannedPath } from './planned-path.ts'

const Path = (description: string) => Type.String({ minLength: 1, maxLength: 4_096, description })

export const movePath = defineTool({
  name: 'fs.move',
  summary:
    'Move or rename a file, a link (not its target) or a folder with its contents. `to` is the full new path, not the target folder. Does not replace an existing file unless `overwrite` is true; a folder can only replace an empty folder.',
  input: Type.Object(
    {
      from: Path('The path to move'),
      to: Path('The new path, including the name'),
      overwrite: Type.Optional(Type.Boolean({ description: 'Replace an existing file' })),
      create_parents: Type.Optional(Type.Boolean({ description: 'Create the missing parent folders of the new path' })),
    },
    { additionalProperties: false },
  ),
  output: FsMoveOutput,
  effects: ({ from, to }) => [
    { does: 'write', path: from },
    { does: 'write', path: to },
  ],
  async preview({ from, to, overwrite = false, create_parents = false }, context) {
    const source = await context.files.lstat(from)
    const { real } = await plannedPath(to, context.files, create_parents ? 'create_parents' : 'parents_exist', 'as_itself')
    const isThere = await exists(to, context.files)
    if (isThere && !overwrite && real !== source.real) {
      throw new ToolFailure('exists', `${to} already exists, and \`overwrite\` is not true.`, { subject: to })
    }
    return {
      kind: 'move',
      from: displayPath(source.real, context),
      to: displayPath(real, context),
      replaces: isThere && real !== source.real,
    }
  },
  limits: { seconds: 300 },
  async run({ from, to, overwrite = false, create_parents = false }, context) {
    const moved = await context.files.move(from, to, { overwrite, createParents: create_parents, signal: context.signal })
    return { from: displayPath(moved.from, context), to: displayPath(moved.to, context), replaced: moved.replaced }
  },
})
