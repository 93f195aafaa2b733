// Without workflows: what a workflow is, and two small ones to begin with.
import { followLink } from '../address.ts'
import { Panel } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { type WorkflowExampleName, workflowExamples } from './workflow-examples.ts'

const names = Object.keys(workflowExamples) as WorkflowExampleName[]

export function ExampleOffer() {
  return (
    <Panel className="p-5 sm:p-6">
      <p className="max-w-2xl text-pretty text-soft">{workflowWords.empty}</p>
      <p className="mt-4 mb-2">{workflowWords.emptyLead}</p>
      <ul className="grid gap-3 lg:grid-cols-2">
        {names.map((name) => (
          <li key={name}>
            <a
              href={`/workflows/new/${name}`}
              onClick={followLink}
              className="block h-full rounded-lg border border-line px-4 py-3 hover:border-line-strong hover:bg-sunken"
            >
              <span className="block font-medium">{workflowExamples[name].title}</span>
              <span className="block text-soft text-sm">{workflowExamples[name].lead}</span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
