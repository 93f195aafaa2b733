// The user of a session: approvals and questions as choices above the composer, with the same answers as the window.
import { type ApprovalAnswer, type ApprovalPrompt, offeredAnswers, type QuestionPrompt } from '@tandem/contract/run'
import { approvalText, fullApprovalText } from '../run/approval-text.ts'
import { resolveConflicts } from '../run/merge-conflicts.ts'
import { type AskingMember, answeredElsewhere, askerText, type Responder, type ResumeAnswer } from '../run/responder.ts'
import { escapeControls, stripControls } from '../terminal/terminal-text.ts'
import type { Choice } from './dialog.ts'
import type { ChatScreen } from './screen.ts'
import { painted } from './theme.ts'

type ApprovalChoice = ApprovalAnswer | 'no_because' | 'edit' | 'show'

const choiceWords = {
  once: { label: 'Allow once', key: 'y' },
  this_run: { label: 'Allow for this run', key: 'r' },
  this_team: { label: 'Allow for this team', key: 't' },
  always: { label: 'Always allow', key: 'a' },
  no: { label: 'Deny', key: 'n' },
  no_because: { label: 'Deny, and tell the agent why', key: 'w' },
  edit: { label: 'Edit the arguments, then allow once', key: 'e' },
  show: { label: 'Show everything', key: 's' },
} as const satisfies Record<ApprovalChoice, { readonly label: string; readonly key: string }>

/** What the user can choose, in this order. */
export function approvalChoices(approval: ApprovalPrompt): readonly ApprovalChoice[] {
  const offered = offeredAnswers(approval)
  const canEdit = offered.includes('once') && approval.preview?.kind !== 'merge'
  return [...offered, ...(offered.includes('no') ? (['no_because'] as const) : []), ...(canEdit ? (['edit'] as const) : []), 'show']
}

export function chatResponder({ transcript, dialog }: Pick<ChatScreen, 'transcript' | 'dialog'>, onAsk: () => void): Responder {
  /** While it asks, an answer that was given elsewhere closes what is open. */
  async function whileUnanswered<Value>(elsewhere: AbortSignal | undefined, asking: () => Promise<Value | null>): Promise<Value | null> {
    const close = () => {
      transcript.note(painted('dim', answeredElsewhere))
      dialog.close()
    }
    elsewhere?.addEventListener('abort', close)
    try {
      const value = await asking()
      return elsewhere?.aborted ? null : value
    } finally {
      elsewhere?.removeEventListener('abort', close)
    }
  }

  async function approve(approval: ApprovalPrompt, by?: AskingMember, elsewhere?: AbortSignal): Promise<ResumeAnswer | null> {
    const { approval_id, fingerprint } = approval
    const of = { kind: 'approval' as const, approval_id, fingerprint }
    transcript.note(`${askerText(by)}${approvalText(approval)}`)
    onAsk()
    const choices: Choice<ApprovalChoice>[] = approvalChoices(approval).map((value) => ({ value, ...choiceWords[value] }))
    while (!elsewhere?.aborted) {
      const chosen = await dialog.choose('Allow this?', choices)
      if (chosen === null) return null
      if (chosen === 'show') transcript.note(fullApprovalText(approval))
      else if (chosen === 'edit') {
        const edited_arguments = await editedArguments(approval.arguments)
        if (edited_arguments !== null) return { ...of, answer: 'once', edited_arguments }
      } else if (chosen === 'no_because') {
        const reason = await dialog.ask('Tell the agent why:')
        if (reason !== null) return { ...of, answer: 'no', reason: reason.trim() }
      } else if (chosen === 'no') return { ...of, answer: 'no', reason: '' }
      else {
        const args = await resolveConflicts(
          approval,
          (question) => dialog.ask(question),
          (text) => transcript.note(text.trim()),
        )
        if (args !== null) return { ...of, answer: chosen, ...(args === approval.arguments ? {} : { edited_arguments: args }) }
      }
    }
    return null
  }

  /** What is not valid stays to be corrected. */
  async function editedArguments(given: string): Promise<string | null> {
    for (let text = given; ; ) {
      const typed = await dialog.ask('The arguments, as JSON:', text)
      if (typed === null || isJson(typed)) return typed
      transcript.note(painted('yellow', 'This is not valid JSON. The call was not approved.'))
      text = typed
    }
  }

  async function answer(question: QuestionPrompt, by?: AskingMember, elsewhere?: AbortSignal): Promise<ResumeAnswer | null> {
    const of = { kind: 'question' as const, question_id: question.question_id }
    transcript.note(`${askerText(by)}${painted('bold', stripControls(question.question))}`)
    onAsk()
    if (question.options.length === 0) {
      const text = await dialog.ask('Your answer:')
      return text === null || text.trim() === '' ? null : { ...of, answer: { chosen: [], text: text.trim() } }
    }
    const chosen = await optionsFrom(question, elsewhere)
    if (chosen === null) return null
    return { ...of, answer: chosen.text === null ? { chosen: [...chosen.values], text: null } : { chosen: [], text: chosen.text } }
  }

  /** One option, several, or a text of the user's own. */
  async function optionsFrom({ options, multiple, allows_text }: QuestionPrompt, elsewhere: AbortSignal | undefined) {
    const picked = new Set<string>()
    while (!elsewhere?.aborted) {
      const choices: Choice<string | 'done' | { own: true }>[] = [
        ...options.map(({ value, label, hint }, at) => ({
          value: `o${value}`,
          label: `${multiple ? (picked.has(value) ? '[x] ' : '[ ] ') : ''}${escapeControls(label)}`,
          ...(hint ? { description: escapeControls(hint) } : {}),
          ...(at < 9 ? { key: String(at + 1) } : {}),
        })),
        ...(multiple && picked.size > 0 ? [{ value: 'done', label: 'Done', key: 'd' }] : []),
        ...(allows_text ? [{ value: { own: true as const }, label: 'Other…', key: 'o' }] : []),
      ]
      const chosen = await dialog.choose(multiple ? 'Select all that apply' : 'Select one', choices)
      if (chosen === null) return null
      if (typeof chosen === 'object') {
        const text = await dialog.ask('Your answer:')
        if (text !== null && text.trim() !== '') return { values: [], text: text.trim() }
      } else if (chosen === 'done') return { values: [...picked], text: null }
      else if (!multiple) return { values: [chosen.slice(1)], text: null }
      else if (!picked.delete(chosen.slice(1))) picked.add(chosen.slice(1))
    }
    return null
  }

  return {
    approve: (approval, by, elsewhere) => whileUnanswered(elsewhere, () => approve(approval, by, elsewhere)),
    answer: (question, by, elsewhere) => whileUnanswered(elsewhere, () => answer(question, by, elsewhere)),
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
