import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { outcomeLines, patternLines, recommendationLines, stateOf } from './text.ts'

export const runUsage = explainedUsage(
  'tandem learning run RUN [--json]',
  'Shows what a run taught: how it went and why, the root cause, the failures that recur, and what was proposed.',
)

/** One run. */
export async function ofRun(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, runUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (run_id === undefined || more.length > 0) return printUsage('specify one run', runUsage)
  const problem = idProblem('RUN', run_id)
  if (problem) return printUsage(problem, runUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('learning_of_run', { run_id })
    if (!answer.ok) return refused(answer.error, 'List the runs and their ids with tandem runs.')
    if (given.values.json) {
      console.log(JSON.stringify(answer.value))
      return 0
    }
    const { evaluation, second_opinion, dropped_opinion, reflection, patterns, writeback_candidates, policy_candidates, enabled } =
      answer.value
    if (evaluation === null) {
      console.log(
        enabled
          ? 'Nothing was learned from it yet: a run is evaluated when it ends or is restored.'
          : 'Nothing was learned from it: learning is off for its agent or its conversation. Turn it on with tandem learning on.',
      )
      return 0
    }
    const lines = [
      ...outcomeLines(evaluation),
      ...(second_opinion ? outcomeLines(second_opinion) : []),
      ...(dropped_opinion && !second_opinion
        ? [`the second opinion of ${escapeControls(dropped_opinion.model)} is not used: ${escapeControls(dropped_opinion.reason)}`]
        : []),
      ...(reflection ? [`root cause: ${escapeControls(reflection.root_cause)}`, ...recommendationLines(reflection)] : []),
      ...patterns.flatMap(patternLines),
      ...writeback_candidates.map(({ id, state, content }) => `memory candidate ${id} (${state}): ${singleLine(content, 120)}`),
      ...policy_candidates.map((one) => `policy candidate ${one.id} (${stateOf(one)}): ${singleLine(one.title, 160)}`),
    ]
    console.log(lines.join('\n'))
    return 0
  })
}
