// A call with its arguments, its output while it runs, and its result.
import type { Card, Disclosure, ToolCallCardState } from '@tandem/contract/card'
import type { RunState } from '@tandem/contract/run'
import { readOutput } from '@tandem/contract/tool/output'
import type { Tone } from '../part/badge.tsx'
import { SmallFold } from '../part/fold.tsx'
import { Failure } from '../result/failure.tsx'
import { Result } from '../result/result.tsx'
import type { ToolResultCard } from '../store/thread.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { CardFrame } from './card-frame.tsx'
import { messageLine } from './summary.ts'
import { Arguments, argumentLine, CallStatus, Denial, isCommand, Progress } from './tool-call.tsx'
import { UndoLink } from './undo-link.tsx'

interface Props {
  readonly call: Extract<Card, { kind: 'ToolCall' }>
  readonly result: ToolResultCard | undefined
  readonly state: RunState
  readonly disclosure: Disclosure
}

export function CallCard({ call, result, state, disclosure }: Props) {
  const line = result && resultLine(result)
  return (
    <CardFrame
      card={call}
      outcome={result?.outcome}
      state={state}
      disclosure={disclosure}
      title={<code>{visibleText(call.tool)}</code>}
      line={visibleText(line || argumentLine(call.arguments))}
      whileOpen={() => (result && !isCommand(call.arguments) ? visibleText(argumentLine(call.arguments)) : '')}
      badge={{ tone: callTones[call.state], text: words.cards.call[call.state] }}
    >
      {() => (
        <div className="space-y-2">
          {(!result || isCommand(call.arguments)) && <Arguments text={call.arguments} />}
          {call.state === 'denied' && <Denial reason={call.denial_reason} />}
          {call.state === 'running' && <Progress call_id={call.call_id} />}
          {!result && <CallStatus call_id={call.call_id} />}
          {result && (
            <div data-card={result.kind}>
              <ResultBody result={result} />
            </div>
          )}
          {call.checkpoint_id !== null && <UndoLink run_id={call.run_id} checkpoint_id={call.checkpoint_id} />}
          {result && !isCommand(call.arguments) && (
            <SmallFold summary={words.cards.arguments}>{() => <Arguments text={call.arguments} />}</SmallFold>
          )}
        </div>
      )}
    </CardFrame>
  )
}

/** Why the call failed, or what it returned. */
export function resultLine({ tool, failure_contract, output }: ToolResultCard): string {
  return failure_contract ? messageLine(failure_contract.details.message) : words.result.line(tool, output)
}

export function ResultBody({ result: { tool, outcome, failure_contract, output, truncated, run_id } }: { result: ToolResultCard }) {
  // The failure is the description for users; other data of it is for the model.
  const isForModel = failure_contract !== null && readOutput(tool, output).tool === null
  const shown = () => <Result tool={tool} output={output} run_id={run_id} />
  return (
    <div className="space-y-2">
      {outcome !== 'succeeded' && !failure_contract && <p>{words.result.outcomes[outcome]}.</p>}
      {failure_contract && <Failure contract={failure_contract} />}
      {output !== null && (isForModel ? <SmallFold summary={words.cards.kinds.ToolResult}>{shown}</SmallFold> : shown())}
      {truncated && <p className="text-faint text-sm">{words.result.truncated}</p>}
    </div>
  )
}

export const callTones: Record<ToolCallCardState, Tone> = {
  requested: 'plain',
  awaiting_approval: 'warn',
  approved: 'cloud',
  running: 'cloud',
  succeeded: 'good',
  failed: 'bad',
  denied: 'warn',
  timed_out: 'bad',
  canceled: 'plain',
  interrupted: 'warn',
}
