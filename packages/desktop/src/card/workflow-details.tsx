// What a workflow run does, how long it takes, and its controls. In a file of its own, so that it is loaded only with such a card.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import { followLink, workflowRunAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useCompleteList } from '../client/use-request.ts'
import { Elapsed } from '../part/elapsed.tsx'
import { SmallFold } from '../part/fold.tsx'
import { NodeWait } from '../part/workflow/node-wait.tsx'
import { OtherDevice } from '../part/workflow/other-device.tsx'
import { RunControls } from '../part/workflow/run-controls.tsx'
import { currentNode } from '../store/current-node.ts'
import { isOnOtherDevice } from '../store/open-run.ts'
import { workflowProgress } from '../store/workflow-progress.ts'
import { words } from '../strings/window.ts'
import { workflowGraphWords } from '../strings/workflow-graph.ts'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'

interface Props {
  readonly run: WorkflowSnapshot
  again(): Promise<void>
}

export function WorkflowDetails({ run, again }: Props) {
  const isAway = useWindowState((state) => isOnOtherDevice(state, run))
  const isOver = isTerminalWorkflowState(run.state)
  return (
    <>
      {!isOver && <Current run={run} />}
      {isOver && run.reason !== null && (
        <p className={`break-words ${run.state === 'failed' ? 'text-bad' : 'text-soft'}`}>{visibleSentence(run.reason)}</p>
      )}
      <p className="text-faint text-sm">
        <Elapsed since={run.started_at} until={run.ended_at} />
        {run.tokens > 0 && ` · ${words.cards.used(run.tokens)}`}
      </p>
      {isAway && <OtherDevice device_id={run.device_id} />}
      {isAway || isOver ? (
        <p className="text-sm">
          <OpenRun run={run} />
        </p>
      ) : (
        <RunControls run={run} again={again}>
          <OpenRun run={run} />
        </RunControls>
      )}
      <SmallFold summary={words.cards.workflowEvents}>{() => <Events run={run} />}</SmallFold>
    </>
  )
}

/** The node that runs, or what the run waits for. */
function Current({ run }: { run: WorkflowSnapshot }) {
  const current = currentNode(run)
  if (current === null) return null
  const { node, record } = current
  const name = visibleName(node?.title ?? record.node_id)
  return (
    <div>
      <p className="break-words">
        <span className="text-faint text-sm">{workflowGraphWords.run.current}</span> {name}
      </p>
      {record.state === 'waiting' && <NodeWait name={name} node={node} record={record} run={run} />}
    </div>
  )
}

function OpenRun({ run }: { run: WorkflowSnapshot }) {
  return (
    <a href={workflowRunAddress(run.workflow_run_id)} onClick={followLink} className="text-cloud text-sm underline underline-offset-4">
      {workflowGraphWords.run.open}
    </a>
  )
}

/** Only the latest lines: the page of the workflow run has all of them. */
const mostLines = 20

function Events({ run }: { run: WorkflowSnapshot }) {
  const { workflow_run_id, state } = run
  // Not after each round of a loop: all events are read again.
  const version = `${state} ${workflowProgress(run).done}`
  const { state: asked } = useCompleteList('workflow_run_list_events', { workflow_run_id }, { version })
  const events = asked.state === 'ready' ? asked.value.slice(-mostLines) : []
  return (
    <ol aria-label={words.cards.workflowEvents} className="space-y-1 text-sm text-soft">
      {events.map((event) => (
        <li key={event.event_id} className="break-words">
          {visibleText(workflowWords.eventLine(event))}
        </li>
      ))}
    </ol>
  )
}
