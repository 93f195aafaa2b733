// Edits a workflow as text: it is checked while the user types, and saved as the next version.
import { useRef, useState } from 'react'
import { goTo, workflowAddress } from '../../address.ts'
import { useRuntimeClient } from '../../client/use-client.ts'
import { Button } from '../../part/form/button.tsx'
import { Form } from '../../part/form/form.tsx'
import { SubmitActions } from '../../part/form/submit-actions.tsx'
import { useForm } from '../../part/form/use-form.ts'
import { words } from '../../strings/window.ts'
import { workflowWords } from '../../strings/workflows.ts'
import { CoversCalls } from '../covers-calls.tsx'
import { readStoredText, type StoredWorkflow } from '../stored-text.ts'
import { DraftGraph } from './draft-graph.tsx'
import { type OtherText, OtherVersion } from './other-version.tsx'
import { RestoredText } from './restored-text.tsx'
import { TextEditor, type TextEditorHandle } from './text-editor.tsx'
import { TextIssues } from './text-issues.tsx'
import { useKnownNames } from './use-known-names.ts'
import { useSaveKey } from './use-save-key.ts'
import { useTextCheck } from './use-text-check.ts'
import { useUnsavedText } from './use-unsaved-text.ts'

interface Props {
  /** The saved text, or what a new workflow begins with. */
  readonly text: string
  readonly stored: StoredWorkflow | null
  /** By which text that was not saved is found again. */
  readonly keptAs: string
}

const told = workflowWords.editor

/** The text of a conflict: it was refused, and then the other version was loaded. */
type Conflict = { readonly state: 'none' | 'refused' } | { readonly state: 'loaded'; readonly other: OtherText }

export function WorkflowEditor({ text: saved, stored, keptAs }: Props) {
  const client = useRuntimeClient()
  const { channel } = client
  const form = useForm()
  const editor = useRef<TextEditorHandle>(null)
  const edited = useUnsavedText(keptAs, { text: saved, version: stored?.version ?? null })
  const { text, version } = edited
  const [covers, setCovers] = useState(false)
  const [conflict, setConflict] = useState<Conflict>({ state: 'none' })
  const { issues, definition } = useTextCheck(text)
  const known = useKnownNames(stored?.workflow_id)
  const cancel = stored === null ? '/workflows' : workflowAddress(stored.workflow_id)

  const save = async () => {
    if (form.isBusy) return
    const result = await form.send(async () => {
      const read = await channel.call('workflow_read_text', { text })
      if (!read.ok) return read
      const { content } = read.value
      if (content === null) return { ok: false, error: { code: 'invalid_params', message: told.hasIssues, remedy: told.hasIssuesRemedy } }
      const of = stored === null ? {} : { workflow_id: stored.workflow_id, ...(version === null ? {} : { version }) }
      return await channel.call('workflow_save', { ...of, ...content, covers_calls: covers })
    })
    if (result.ok) {
      edited.forget()
      goTo(workflowAddress(result.value.workflow.workflow_id))
    } else if (result.error.code === 'version_conflict') setConflict({ state: 'refused' })
  }
  useSaveKey(save)
  const load = async () => {
    if (stored === null) return
    const other = await readStoredText(channel, stored.workflow_id)
    if (!other.ok) return client.showError(workflowWords.doing.other, other.error)
    client.succeeded(workflowWords.doing.other)
    edited.setVersion(other.value.workflow.version)
    setConflict({ state: 'loaded', other: { of: 'theirs', text: other.value.text } })
  }
  const swap = ({ of, text: other }: OtherText) => {
    setConflict({ state: 'loaded', other: { of: of === 'theirs' ? 'mine' : 'theirs', text } })
    edited.setText(other)
  }
  return (
    <Form form={form} onSubmit={save} className="grid gap-4">
      {edited.isRestored && <RestoredText onDiscard={edited.discard} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-2">
          <TextEditor value={text} onChange={edited.setText} issues={issues} known={known} ref={editor} />
          <TextIssues issues={issues} onGoTo={(line, column) => editor.current?.goTo(line, column)} />
          <p className="text-faint text-sm">{told.keys}</p>
        </div>
        <DraftGraph definition={definition} isCurrent={issues === null || issues.length === 0} />
      </div>
      {conflict.state === 'refused' && (
        <div role="alert" className="rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">
          <p className="mb-2">{told.conflict}</p>
          <Button onClick={load}>{told.loadOther}</Button>
        </div>
      )}
      {conflict.state === 'loaded' && <OtherVersion other={conflict.other} onSwap={() => swap(conflict.other)} />}
      <CoversCalls value={covers} onChange={setCovers} />
      <SubmitActions label={told.save}>
        <Button onClick={() => goTo(cancel)}>{words.cancel}</Button>
      </SubmitActions>
    </Form>
  )
}
