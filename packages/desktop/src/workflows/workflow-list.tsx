import type { ListedWorkflow } from '@tandem/contract/command'
import type { ReadRequest } from '../client/use-request.ts'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { ExampleOffer } from './example-offer.tsx'
import { WorkflowRow } from './workflow-row.tsx'

export function WorkflowList({ workflows }: { workflows: ReadRequest<readonly ListedWorkflow[]> }) {
  return (
    <RequestResult reading={workflows}>
      {(list) =>
        list.length === 0 ? (
          <ExampleOffer />
        ) : (
          <Panel className="overflow-hidden">
            <ul className="divide-y divide-line">
              {list.map((workflow) => (
                <li key={workflow.workflow_id} className="px-4 py-3">
                  <WorkflowRow workflow={workflow} />
                </li>
              ))}
            </ul>
          </Panel>
        )
      }
    </RequestResult>
  )
}
