// How a model gets the body of a bound skill, or a file next to it. Reads only skills that are bound to its agent.

import { SkillLoadOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { ToolFailure } from '../call/failure.ts'
import { defineTool, type Tool } from '../call/tool.ts'
import type { RunBinding } from '../feature/feature.ts'
import type { SkillService } from './service.ts'
import { loadedText } from './skill-text.ts'

export interface RunSkillReader {
  /** Called with what a run reads, before it reads it: from then on the skill's tool list applies. */
  loaded(run_id: string, allowed_tools: readonly string[]): void
  /** What features bind to the run. */
  bound(run_id: string): Promise<readonly RunBinding[]>
  /** The skills that the user started by their names in this run. */
  invoked(run_id: string): readonly string[]
}

export function skillTools(
  service: SkillService,
  runs: RunSkillReader = { loaded: () => undefined, bound: async () => [], invoked: () => [] },
): readonly Tool[] {
  return [
    defineTool({
      name: 'skill.load',
      summary:
        'Read the instructions of a skill that is assigned to you, or one of the files next to them. Use it when the description of a skill fits the task. It reads nothing else and runs nothing.',
      input: Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 64, description: 'The name of the skill' }),
          file: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'A file of the skill, as listed by the skill' })),
        },
        { additionalProperties: false },
      ),
      output: SkillLoadOutput,
      effects: () => [],
      limits: { seconds: 10 },
      async run({ name, file }, { ids, workspace, sandbox_mode }) {
        const run_bindings = await runs.bound(ids.run_id)
        const read = await service.load(
          { agent_id: ids.agent_id, workspace, sandbox_mode, run_bindings, invoked: runs.invoked(ids.run_id) },
          name,
          file,
        )
        if (read.ok) {
          runs.loaded(ids.run_id, read.value.allowed_tools)
          return read.value
        }
        const { code, message, remedy } = read.failure
        throw new ToolFailure(code, message, { subject: file ?? name, remedy, recoverability: 'user_action' })
      },
      present: (output) => loadedText(output, { folder: output.folder ?? null, files: output.files }),
    }),
  ]
}
