// A new workflow that begins with the calls of a run, and what of the run it does not contain.
import { useState } from 'react'
import { useCommand } from '../../client/use-request.ts'
import { PageLayout } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { workflowWords } from '../../strings/workflows.ts'
import { visibleSentence } from '../../text/sentence.ts'
import { BackLink } from '../back-link.tsx'
import { WorkflowEditor } from './workflow-editor.tsx'

const told = workflowWords.fromRun

export function WorkflowFromRun({ run_id }: { run_id: string }) {
  const reading = useCommand('workflow_draft', { run_id, format: 'yaml' })
  const { state: asked } = reading
  // What is read again later, after a reconnect, must not replace the text that the user is editing.
  const [draft, setDraft] = useState<{ readonly text: string; readonly notes: readonly string[] } | null>(null)
  if (draft === null && asked.state === 'ready') setDraft(asked.value)
  return (
    <PageLayout title={told.title} lead={told.lead}>
      <BackLink href="/workflows" text={workflowWords.back} />
      {draft === null ? (
        <RequestResult reading={reading}>{() => null}</RequestResult>
      ) : (
        <>
          <DraftNotes notes={draft.notes} />
          <WorkflowEditor text={draft.text} stored={null} keptAs={`run.${run_id}`} />
        </>
      )}
    </PageLayout>
  )
}

function DraftNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <section aria-label={told.notes} className="mb-4 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">
      <h2 className="font-medium">{told.notes}</h2>
      <ul className="mt-1 list-disc space-y-0.5 pl-5">
        {notes.map((note) => (
          <li key={note} className="break-words">
            {visibleSentence(note)}
          </li>
        ))}
      </ul>
    </section>
  )
}
