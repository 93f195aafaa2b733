import { cutText, previewLimits } from '@tandem/contract/run'
import { ProcessKillOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool, type Tool } from '../../call/tool.ts'
import type { Processes } from './processes.ts'

export function processKill(processes: Processes): Tool {
  return defineTool({
    name: 'process.kill',
    summary:
      'End a process that this run started, with everything it started in turn: first it is asked, two seconds later it is made to. Processes of others, also of other runs, are never touched.',
    input: Type.Object(
      {
        process_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'As shell.exec or process.list named it' })),
        pid: Type.Optional(
          Type.Integer({ minimum: 1, description: 'The pid of it, or of a process it started; leave process_id out then' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: ProcessKillOutput,
    effects: ({ process_id, pid }) => [{ does: 'signal', pid: pid ?? (process_id === undefined ? 0 : processes.pidOf(process_id)) }],
    async preview({ process_id, pid }, { ids }) {
      const found = processes.find(ids.run_id, { process_id, pid })
      if (!found) return null
      const { text } = cutText(found.facts.command, previewLimits.text_characters)
      return { kind: 'process', pid: pid ?? found.facts.pid, command: text }
    },
    limits: { seconds: 15 },
    async run({ process_id, pid }, { ids }) {
      if ((process_id === undefined) === (pid === undefined)) {
        throw new ToolFailure('invalid_input', 'process.kill takes either process_id or pid', { remedy: 'Leave one of the two out.' })
      }
      const found = processes.find(ids.run_id, { process_id, pid })
      if (!found) {
        const subject = process_id ?? `pid ${pid}`
        throw new ToolFailure('not_ours', `${subject} was not started by this run`, {
          subject,
          remedy: 'Only processes that process.list shows can be ended here; ask the person at this machine to end others.',
          recoverability: 'user_action',
        })
      }
      await found.kill()
      return (await found.ended).facts
    },
  })
}
