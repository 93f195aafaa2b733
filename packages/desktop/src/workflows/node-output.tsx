import { useCommand } from '../client/use-request.ts'
import { RequestResult } from '../part/request-result.tsx'
import { JsonTree } from '../result/json-tree.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { parsedJson } from './parsed-json.ts'

interface Props {
  readonly workflow_run_id: string
  readonly node_id: string
  readonly iteration: readonly number[]
}

/** What a node returned, read when it is opened. */
export function NodeOutput({ workflow_run_id, node_id, iteration }: Props) {
  const reading = useCommand('workflow_query', { workflow_run_id, node_id, iteration: [...iteration] })
  return (
    <RequestResult reading={reading}>
      {({ output }) =>
        output === null || output === 'null' ? (
          <p className="text-faint text-sm">{workflowWords.run.noOutput}</p>
        ) : (
          <JsonTree value={parsedJson(output)} />
        )
      }
    </RequestResult>
  )
}
