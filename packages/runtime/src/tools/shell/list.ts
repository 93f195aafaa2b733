import { type ProcessFacts, ProcessListOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool, type Tool } from '../../call/tool.ts'
import { withoutEscapes } from './command-result.ts'
import type { Processes } from './processes.ts'

export function processList(processes: Processes): Tool {
  return defineTool({
    name: 'process.list',
    summary:
      'List the processes that this run started in the background, running and ended. With `process_id`, read the new output of one: pass `next` of the previous result as `since`.',
    input: Type.Object(
      {
        process_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this process, with its output' })),
        since: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Continue from here: `next` of the previous result. Default: the beginning' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: ProcessListOutput,
    effects: () => [],
    limits: { seconds: 10 },
    async run({ process_id, since = 0 }, { ids }) {
      const known = processes.of(ids.run_id)
      if (process_id === undefined) return { processes: known.map(({ facts }) => facts) }
      const found = processes.find(ids.run_id, { process_id })
      if (found) return { ...found.facts, output: found.read(since) }
      throw new ToolFailure('unknown_process', `process ${process_id} was not started by this run`, {
        subject: process_id,
        remedy: 'Call process.list without `process_id` to list the processes of this run.',
      })
    },
    present(listing) {
      if ('processes' in listing)
        return listing.processes.length === 0 ? 'This run has no processes.' : listing.processes.map(line).join('\n')
      const { text, next, missed } = listing.output
      return [
        line(listing),
        ...(missed > 0 ? [`[${missed} earlier bytes are no longer available]`] : []),
        text === '' ? '(no new output)' : withoutEscapes(text),
        `[next: ${next}${next < listing.bytes ? `, ${listing.bytes - next} more bytes` : ''}]`,
      ].join('\n')
    },
  })
}

function line(facts: ProcessFacts): string {
  const end = facts.timed_out ? 'timed out' : facts.exit_code === null ? `ended by ${facts.signal}` : `exit code ${facts.exit_code}`
  const state = facts.state === 'running' ? 'running' : end
  return `${facts.process_id}  pid ${facts.pid}  ${state}  ${(facts.duration_ms / 1_000).toFixed(1)} s  ${facts.command}`
}
