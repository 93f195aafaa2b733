import { FsMkdirOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { defineTool } from '../../call/tool.ts'
import { displayPath } from '../../path/inside.ts'
import { plannedPath } from './planned-path.ts'

export const makeFolder = defineTool({
  name: 'fs.mkdir',
  summary: 'Create a folder and its missing parent folders. If it already exists, nothing is changed.',
  input: Type.Object(
    { path: Type.String({ minLength: 1, maxLength: 4_096, description: 'The folder, relative to the workspace or absolute' }) },
    { additionalProperties: false },
  ),
  output: FsMkdirOutput,
  effects: ({ path }) => [{ does: 'write', path }],
  async preview({ path }, context) {
    const { real } = await plannedPath(path, context.files, 'create_parents')
    return { kind: 'folder', path: displayPath(real, context) }
  },
  limits: { seconds: 30 },
  async run({ path }, context) {
    const { real, made } = await context.files.makeDirectory(path)
    return { path: displayPath(real, context), created: made.map((folder) => displayPath(folder, context)) }
  },
})
