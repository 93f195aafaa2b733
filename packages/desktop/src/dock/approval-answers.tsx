// The available answers, each with its key and a description of what it covers.
import { type ApprovalAnswer, type ApprovalPrompt, approvalAnswers, offeredAnswers } from '@tandem/contract/run'
import type { ReactNode } from 'react'
import { followLink, savedApprovalsAddress } from '../address.ts'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { ruleText } from '../part/rule-text.ts'
import { shortcuts } from '../part/shortcuts.ts'
import { permissionWords } from '../strings/permissions.ts'
import { words } from '../strings/window.ts'
import { visibleInApproval } from '../text/visible.ts'

export const answerKeys = {
  once: shortcuts.once.key,
  this_run: shortcuts.this_run.key,
  this_team: shortcuts.this_team.key,
  always: shortcuts.always.key,
  no: shortcuts.no.key,
} as const satisfies Record<ApprovalAnswer, string>
export const editKey = shortcuts.editCall.key

interface Props {
  readonly approval: ApprovalPrompt
  /** Whose answer "always" is saved; undefined while it is not known. */
  readonly agent_id: string | undefined
  /** No answer can be given now. */
  readonly isHeld: boolean
  /** The edited arguments cannot be sent. */
  readonly isBroken: boolean
  readonly isEdited: boolean
  /** Why only a denial can be sent, or that this is no longer so. */
  readonly why?: ReactNode
  onAnswer(answer: ApprovalAnswer): void
  onEdit(): void
}

export function ApprovalAnswers({ approval, agent_id, isHeld, isBroken, isEdited, why, onAnswer, onEdit }: Props) {
  const { warnings, remembers, tool } = approval
  const offered = offeredAnswers(approval)
  const choices = approvalAnswers.filter((answer) => offered.includes(answer))
  const answer = (name: ApprovalAnswer) => {
    // With a warning, no answer is the primary button: the user should read first.
    const One = name === 'once' && warnings.length === 0 ? PrimaryButton : Button
    return (
      <One key={name} aria-keyshortcuts={answerKeys[name]} onClick={() => onAnswer(name)} disabled={isHeld || (isBroken && name !== 'no')}>
        {words.approval.answers[name]}
        <Key letter={answerKeys[name]} />
      </One>
    )
  }
  const short = choices.filter((name) => name === 'once' || name === 'no')
  const remembered = choices.filter((name) => name === 'this_run' || name === 'this_team' || name === 'always')
  return (
    <>
      <div className="approval-answers">
        {why}
        {short.map(answer)}
        <Button aria-keyshortcuts={editKey} onClick={onEdit} disabled={isHeld}>
          {isEdited ? words.approval.undoEdit : words.approval.edit}
          <Key letter={editKey} />
        </Button>
      </div>
      {remembered.map((name) => (
        <div key={name} className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-0.5 sm:flex-nowrap">
          <span className="shrink-0">{answer(name)}</span>
          <span className="min-w-0 break-words text-sm text-soft">
            <bdi>{visibleInApproval(words.approval.covers[name](coverage(remembers, tool)))}</bdi>
            {name === 'always' && agent_id !== undefined && (
              <>
                {' '}
                <a href={savedApprovalsAddress(agent_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
                  {permissionWords.manage}
                </a>
              </>
            )}
          </span>
        </div>
      ))}
    </>
  )
}

function Key({ letter }: { letter: string }): ReactNode {
  return (
    <span aria-hidden="true" className="key-hint">
      {letter}
    </span>
  )
}

/** All rules: the answer covers exactly these. */
function coverage(rules: ApprovalPrompt['remembers'], tool: string): string {
  return rules.map((rule) => ruleText(rule, tool)).join('; ')
}
