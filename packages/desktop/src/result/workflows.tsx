// Results about workflow runs.
import type { WorkflowHistoryOutput, WorkflowQueryOutput, WorkflowRunOutput, WorkflowSnapshotOutput } from '@tandem/contract/tool/output'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { JsonTree } from './json-tree.tsx'

export function WorkflowEnd({ state, reason, waiting, failed, result }: WorkflowRunOutput) {
  return (
    <div className="space-y-2">
      <p>{visibleText(reason === null ? state : `${state}: ${reason}`)}</p>
      {waiting.map(({ node, round, reason: why }) => (
        <NodeLine key={`${node} ${round.join('.')}`} node={node} round={round} text={why} />
      ))}
      {failed.map(({ node, round, message }) => (
        <NodeLine key={`${node} ${round.join('.')}`} node={node} round={round} text={message} />
      ))}
      {result !== null && <JsonTree value={parsed(result)} />}
    </div>
  )
}

export function WorkflowNodes({ nodes, more }: WorkflowSnapshotOutput) {
  return (
    <div className="space-y-1">
      {nodes.map(({ node, round, state, note }) => (
        <NodeLine key={`${node} ${round.join('.')}`} node={node} round={round} text={note === null ? state : `${state}: ${note}`} />
      ))}
      {more > 0 && <p className="text-faint text-sm">{words.result.moreRounds(more)}</p>}
    </div>
  )
}

export function WorkflowNodeOutput({ node, round, node_state, waits_for, output, error }: WorkflowQueryOutput) {
  return (
    <div className="space-y-2">
      <NodeLine node={node} round={round} text={error ?? waits_for ?? node_state} />
      {output !== null && <JsonTree value={parsed(output)} />}
    </div>
  )
}

export function WorkflowEvents({ events, next_after }: WorkflowHistoryOutput) {
  if (events.length === 0) return <p className="text-faint">{words.result.noEvents}</p>
  return (
    <div className="space-y-1">
      <ol className="space-y-0.5">
        {events.map(({ seq, time, text }) => (
          <li key={seq} className="break-words text-sm">
            <span className="text-faint">{visibleText(time)}</span> {visibleText(text)}
          </li>
        ))}
      </ol>
      {next_after !== null && <p className="text-faint text-sm">{words.result.moreEvents}</p>}
    </div>
  )
}

function NodeLine({ node, round, text }: { node: string; round: readonly number[]; text: string }) {
  return (
    <p className="break-words text-sm">
      <span className="font-mono">{visibleName(node)}</span>
      {round.length > 0 && <span className="text-faint"> {words.result.round(round.join('.'))}</span>} {visibleText(text)}
    </p>
  )
}

/** A newer version may return something else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
