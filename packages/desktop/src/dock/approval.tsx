// One approval: what would happen, what to check, and all available answers.
import type { CommandParams, PendingApproval } from '@tandem/contract/command'
import { type ApprovalAnswer, offeredAnswers } from '@tandem/contract/run'
import { type ConflictResolution, type ConflictResolutions, openConflicts, withResolutions } from '@tandem/contract/team'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { FieldError, useFocusOnProblem } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { FormContext, useField, useForm } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'
import { ApprovalAnswers, answerKeys, editKey } from './approval-answers.tsx'
import { ApprovalFacts, Details, Warnings } from './approval-facts.tsx'
import { isJson, prettyJson } from './json.ts'
import { MergePreview } from './merge-preview.tsx'
import { OpenConflicts } from './open-conflicts.tsx'
import { Preview } from './preview.tsx'

type SentAnswer = CommandParams<'agent_run_resume'>['answer']
type Doing = 'reading' | 'refusing'

interface Props extends Pick<PendingApproval, 'run_id' | 'approval'> {
  /** Who asks, if it is another run than that of the conversation. */
  readonly asker?: ReactNode
}

export function Approval({ run_id, approval, asker }: Props) {
  const client = useRuntimeClient()
  const agent_id = useWindowState(({ runs }) => runs?.get(run_id)?.agent_id)
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const [doing, setDoing] = useState<Doing>('reading')
  const [reason, setReason] = useState('')
  const [edited, setEdited] = useState<string | null>(null)
  const [resolutions, setResolutions] = useState<ConflictResolutions>(new Map())
  const form = useForm({ doing: words.doing.answer, general: 'notice' })
  useFocusOnProblem(form, box)
  const { approval_id, fingerprint, warnings, preview } = approval
  const choices = offeredAnswers(approval)
  const isDanger = warnings.length > 0
  const isBroken = edited !== null && !isJson(edited)
  const args = edited ?? withResolutions(approval.arguments, resolutions)
  const conflicts = preview?.kind === 'merge' ? openConflicts(preview, args) : null
  const isOpen = conflicts !== null && conflicts.listed.length + conflicts.unlisted > 0
  const resolve = (chosen: readonly ConflictResolution[]) =>
    setResolutions((now) => new Map([...now, ...chosen.map((one) => [one.conflict_id, one] as const)]))

  const send = async (answer: SentAnswer) => {
    const given = await form.send(() => client.channel.call('agent_run_resume', { run_id, answer }))
    await client.refreshLists()
    // The entered text stays until it is accepted.
    if (given.ok || !given.error.fields) setDoing('reading')
  }
  const say = (answer: ApprovalAnswer) => {
    if (form.isBusy || !choices.includes(answer)) return
    const of = { kind: 'approval', approval_id, fingerprint } as const
    if (answer === 'no') {
      if (doing === 'refusing') void send({ ...of, answer, reason: reason.trim() })
      else setDoing('refusing')
    } else if (!isBroken && !isOpen) {
      const isUnchanged = edited === null && args === approval.arguments
      void send({ ...of, answer, ...(isUnchanged ? {} : { edited_arguments: args }) })
    }
  }
  const stopExplaining = () => {
    setDoing('reading')
    box.current?.focus()
  }
  const edit = () => setEdited(edited === null ? prettyJson(args) : null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && (doing === 'refusing' || edited !== null)) {
      event.preventDefault()
      stopExplaining()
      setEdited(null)
      return
    }
    // The title gets the focus after another answer: its keys work from the box and its buttons on.
    if (event.target instanceof HTMLHeadingElement || event.repeat) return
    if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const answer = choices.find((one) => answerKeys[one] === event.key)
    if (!answer && event.key !== editKey) return
    event.preventDefault()
    if (answer) say(answer)
    else if (doing === 'reading') edit()
  }
  return (
    <FormContext value={form}>
      <section
        ref={box}
        role="alertdialog"
        aria-modal="false"
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the box takes the focus so that its keys work.
        tabIndex={0}
        onKeyDown={onKeyDown}
        className={`dock-box ${isDanger ? 'border-2 border-bad' : 'border-warn'}`}
        data-tone={isDanger ? 'danger' : 'plain'}
      >
        <div className="approval-title">
          {isDanger && <p className="font-medium text-bad text-sm">⚠ {words.approval.review}</p>}
          <h2 id={id} tabIndex={-1} dir="ltr" className="break-words font-medium">
            {words.approval.title(approval)}
          </h2>
        </div>
        {asker}
        {isDanger && <Warnings texts={warnings} />}
        {edited === null ? (
          preview?.kind === 'merge' ? (
            <MergePreview preview={preview} args={args} onResolve={resolve} />
          ) : (
            preview && <Preview preview={preview} />
          )
        ) : (
          <Explained
            field="answer.edited_arguments"
            label={words.approval.editing}
            value={edited}
            onChange={setEdited}
            rows={Math.min(14, edited.split('\n').length + 1)}
            wrong={isBroken ? words.approval.brokenJson : null}
            mono
          />
        )}
        <ApprovalFacts approval={approval} />
        <Details approval={approval} />
        {doing === 'refusing' && (
          <Explained
            field="answer.reason"
            label={words.approval.reason}
            name={words.approval.reasonLabel}
            value={reason}
            onChange={setReason}
            rows={2}
          />
        )}
        {doing === 'refusing' ? (
          <div className="approval-answers">
            <PrimaryButton onClick={() => say('no')} disabled={form.isBusy}>
              {words.approval.sendNo}
            </PrimaryButton>
            <Button onClick={stopExplaining}>{words.cancel}</Button>
          </div>
        ) : (
          <ApprovalAnswers
            approval={approval}
            agent_id={agent_id}
            isHeld={form.isBusy}
            isBroken={isBroken || isOpen}
            why={conflicts && <OpenConflicts conflicts={conflicts} />}
            isEdited={edited !== null}
            onAnswer={say}
            onEdit={edit}
          />
        )}
      </section>
    </FormContext>
  )
}

interface ExplainedProps {
  readonly field: string
  readonly label: string
  /** For screen readers, if the label alone is not clear enough. */
  readonly name?: string
  readonly value: string
  onChange(value: string): void
  readonly rows: number
  /** An error that is found without calling the runtime. */
  readonly wrong?: string | null
  readonly mono?: boolean
}

/** A text field for the answer, with its error. */
function Explained({ field, label, name, value, onChange, rows, wrong = null, mono = false }: ExplainedProps) {
  const { error, errorId, onEdit } = useField(field)
  const fault = wrong ?? error
  return (
    <div className="mt-2">
      <label className="block">
        <span className="mb-1 block text-faint text-sm">{label}</span>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the user just opened it.
          autoFocus
          value={value}
          onChange={(event) => {
            onEdit()
            onChange(event.target.value)
          }}
          data-field={field}
          rows={rows}
          spellCheck={!mono}
          aria-label={name}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : errorId}
          className={`field w-full ${mono ? 'font-mono text-[13px]' : ''}`}
        />
      </label>
      <FieldError id={errorId} error={fault} />
    </div>
  )
}
