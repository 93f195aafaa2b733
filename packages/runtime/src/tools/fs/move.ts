import { FsMoveOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { defineTool } from '../../call/tool.ts'
import { shownPath } from '../../path/inside.ts'

const Path = (description: string) => Type.String({ minLength: 1, maxLength: 4_096, description })

export const movePath = defineTool({
  name: 'fs.move',
  summary:
    'Move or rename a file, a link (as itself) or a folder with all it holds. «to» is the full new path, not the folder to put it in. Refuses to replace what is there unless overwrite is true; a folder only ever replaces an empty folder.',
  input: Type.Object(
    {
      from: Path('What to move'),
      to: Path('Its new path, name included'),
      overwrite: Type.Optional(Type.Boolean({ description: 'Replace a file that is there' })),
      create_parents: Type.Optional(Type.Boolean({ description: 'Make the missing folders above the new path' })),
    },
    { additionalProperties: false },
  ),
  output: FsMoveOutput,
  effects: ({ from, to }) => [
    { does: 'write', path: from },
    { does: 'write', path: to },
  ],
  limits: { seconds: 300 },
  async run({ from, to, overwrite = false, create_parents = false }, context) {
    const moved = await context.files.move(from, to, { overwrite, createParents: create_parents, signal: context.signal })
    return { from: shownPath(moved.from, context), to: shownPath(moved.to, context), replaced: moved.replaced }
  },
})
