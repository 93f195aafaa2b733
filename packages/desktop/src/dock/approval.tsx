// One approval: what would happen, what to check, and every answer on offer.
import type { CommandParams, PendingApproval } from '@tandem/contract/command'
import { type ApprovalAnswer, approvalTitle, offeredAnswers } from '@tandem/contract/run'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useDesk } from '../desk/use-desk.ts'
import { Button } from '../part/button.tsx'
import { PrimaryButton } from '../part/primary-button.tsx'
import { words } from '../strings/window.ts'
import { Answers, answerKeys, editKey } from './answers.tsx'
import { ApprovalFacts, Details, Warnings } from './approval-facts.tsx'
import { isJson, prettyJson } from './json.ts'
import { Preview } from './preview.tsx'

type Answer = CommandParams<'agent_run_resume'>['answer']
type Doing = 'reading' | 'editing' | 'refusing' | 'sending'

export function Approval({ run_id, approval }: PendingApproval) {
  const desk = useDesk()
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const [doing, setDoing] = useState<Doing>('reading')
  const [reason, setReason] = useState('')
  const [edited, setEdited] = useState<string | null>(null)
  const { approval_id, fingerprint, warnings, preview } = approval
  const choices = offeredAnswers(approval)
  const isDanger = warnings.length > 0
  const isBroken = edited !== null && !isJson(edited)

  const send = async (answer: Answer) => {
    setDoing('sending')
    await desk.ask(words.doing.answer, 'agent_run_resume', { run_id, answer })
    await desk.refreshLists()
    setDoing('reading')
  }
  const say = (answer: ApprovalAnswer) => {
    if (doing === 'sending' || !choices.includes(answer)) return
    const of = { kind: 'approval', approval_id, fingerprint } as const
    if (answer === 'no') {
      if (doing === 'refusing') void send({ ...of, answer, reason: reason.trim() })
      else setDoing('refusing')
    } else if (!isBroken) void send({ ...of, answer, ...(edited === null ? {} : { edited_arguments: edited }) })
  }
  const edit = () => setEdited(edited === null ? prettyJson(approval.arguments) : null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && (doing === 'refusing' || edited !== null)) {
      event.preventDefault()
      setDoing('reading')
      setEdited(null)
      box.current?.focus()
      return
    }
    if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const answer = choices.find((one) => answerKeys[one] === event.key)
    if (!answer && event.key !== editKey) return
    event.preventDefault()
    if (answer) say(answer)
    else if (doing === 'reading') edit()
  }
  return (
    <section
      ref={box}
      role="alertdialog"
      aria-modal="false"
      aria-labelledby={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the box takes the focus so that its keys can be used.
      tabIndex={0}
      onKeyDown={onKeyDown}
      className={`dock-box ${isDanger ? 'border-2 border-bad' : 'border-warn'}`}
      data-tone={isDanger ? 'danger' : 'plain'}
    >
      {isDanger && <p className="font-medium text-bad text-sm">⚠ {words.approval.review}</p>}
      <h2 id={id} dir="ltr" className="mb-2 break-words font-medium">
        {approvalTitle(approval)}
      </h2>
      {isDanger && <Warnings texts={warnings} />}
      {edited === null ? (
        preview && <Preview preview={preview} />
      ) : (
        <label className="block">
          <span className="mb-1 block text-faint text-sm">{words.approval.editing}</span>
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the person just asked for it.
            autoFocus
            value={edited}
            onChange={(event) => setEdited(event.target.value)}
            rows={Math.min(14, edited.split('\n').length + 1)}
            spellCheck={false}
            aria-invalid={isBroken}
            className="field w-full font-mono text-[13px]"
          />
          {isBroken && (
            <span role="alert" className="text-bad text-sm">
              {words.approval.brokenJson}
            </span>
          )}
        </label>
      )}
      <ApprovalFacts approval={approval} />
      <Details approval={approval} />
      {doing === 'refusing' && (
        <label className="mt-2 block">
          <span className="mb-1 block text-faint text-sm">{words.approval.reason}</span>
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the person just asked for it.
            autoFocus
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            aria-label={words.approval.reasonLabel}
            rows={2}
            className="field w-full"
          />
        </label>
      )}
      {doing === 'refusing' ? (
        <div className="sticky bottom-0 -mx-1 mt-2 flex flex-wrap items-center gap-2 bg-surface px-1 py-1.5">
          <PrimaryButton onClick={() => say('no')}>{words.approval.sendNo}</PrimaryButton>
          <Button onClick={() => setDoing('reading')}>{words.cancel}</Button>
        </div>
      ) : (
        <Answers
          approval={approval}
          isHeld={doing === 'sending'}
          isBroken={isBroken}
          isEdited={edited !== null}
          onAnswer={say}
          onEdit={edit}
        />
      )}
    </section>
  )
}
