// The user at the terminal: asked if there is one, otherwise nothing is assumed.
import { createInterface } from 'node:readline/promises'
import type { CommandParams } from '@tandem/contract/command'
import { type ApprovalPrompt, offeredAnswers, type QuestionPrompt } from '@tandem/contract/run'
import { openConflicts } from '@tandem/contract/team'
import { styled } from '../terminal/style.ts'
import { escapeControls, singleLine, stripControls } from '../terminal/terminal-text.ts'
import { approvalText, choiceText, fullApprovalText, parseApprovalAnswer } from './approval-text.ts'
import { resolveConflicts } from './merge-conflicts.ts'

export type ResumeAnswer = CommandParams<'agent_run_resume'>['answer']

/** The member of a team that asks. */
export interface AskingMember {
  readonly title: string
  readonly agent_name: string
}

/**
 * Null if there is no answer: no user is there, or they left, or `elsewhere` was aborted because the answer was given in the window or in
 * another terminal. `by` is absent if the followed run itself asks.
 */
export interface Responder {
  approve(approval: ApprovalPrompt, by?: AskingMember, elsewhere?: AbortSignal): Promise<ResumeAnswer | null>
  answer(question: QuestionPrompt, by?: AskingMember, elsewhere?: AbortSignal): Promise<ResumeAnswer | null>
}

export const answeredElsewhere = 'Answered in another window or terminal.'

/** Approves calls without a warning once. Everything else, and a merge with open conflicts, needs a user. */
export const autoApproveOnce: Responder = {
  async approve(approval) {
    const { approval_id, fingerprint, choices, warnings } = approval
    const isSafe = choices.includes('once') && warnings.length === 0 && !hasOpenConflicts(approval)
    return isSafe ? { kind: 'approval', approval_id, fingerprint, answer: 'once' } : null
  },
  answer: async () => null,
}

function hasOpenConflicts({ preview, arguments: args }: ApprovalPrompt): boolean {
  if (preview?.kind !== 'merge') return false
  const { listed, unlisted } = openConflicts(preview, args)
  return listed.length + unlisted > 0
}

export const noResponder: Responder = { approve: async () => null, answer: async () => null }

export function terminalResponder(input: NodeJS.ReadStream, output: NodeJS.WriteStream, left: AbortSignal): Responder {
  /** Null at the end of input, or if the run was canceled, left or answered elsewhere in the meantime. */
  async function ask(question: string, elsewhere: AbortSignal | undefined): Promise<string | null> {
    const signal = elsewhere ? AbortSignal.any([left, elsewhere]) : left
    const lines = createInterface({ input, output, terminal: true })
    const gone = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
    // A terminal in raw mode sends the character instead of the signal.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    try {
      return await Promise.race([lines.question(question, { signal }), gone])
    } catch (error) {
      if (!signal.aborted) throw error
      if (elsewhere?.aborted) output.write(`\n${answeredElsewhere}\n`)
      return null
    } finally {
      lines.close()
    }
  }

  async function approve(approval: ApprovalPrompt, by?: AskingMember, elsewhere?: AbortSignal): Promise<ResumeAnswer | null> {
    const { approval_id, fingerprint } = approval
    const choices = offeredAnswers(approval)
    const of = { kind: 'approval' as const, approval_id, fingerprint }
    output.write(`\n${askerText(by)}${approvalText(approval)}\n`)
    for (;;) {
      const typed = await ask(choiceText(choices), elsewhere)
      if (typed === null) return null
      const answer = parseApprovalAnswer(typed, choices)
      if (typed.trim().toLowerCase() === 's') output.write(`${fullApprovalText(approval)}\n`)
      else if (answer === 'no') {
        const reason = await ask('Tell the agent why (optional): ', elsewhere)
        return reason === null ? null : { ...of, answer, reason: reason.trim() }
      } else if (answer) {
        const args = await resolveConflicts(
          approval,
          (question) => ask(question, elsewhere),
          (text) => output.write(text),
        )
        if (elsewhere?.aborted) return null
        if (args !== null) return { ...of, answer, ...(args === approval.arguments ? {} : { edited_arguments: args }) }
      } else output.write('Type one of the letters in brackets.\n')
    }
  }

  async function answer(question: QuestionPrompt, by?: AskingMember, elsewhere?: AbortSignal): Promise<ResumeAnswer | null> {
    const { question_id, options, multiple, allows_text } = question
    output.write(`\n${askerText(by)}${styled('bold', stripControls(question.question))}\n`)
    for (const [at, { label, hint }] of options.entries())
      output.write(`  ${at + 1}. ${escapeControls(label)}${hint ? ` (${escapeControls(hint)})` : ''}\n`)
    for (;;) {
      const typed = await ask(hintFor(question), elsewhere)
      if (typed === null) return null
      const chosen = chosenBy(typed, question)
      if (chosen && (multiple || chosen.length === 1)) return { kind: 'question', question_id, answer: { chosen, text: null } }
      if (allows_text && typed.trim() !== '') return { kind: 'question', question_id, answer: { chosen: [], text: typed.trim() } }
      output.write('Type the number of an option.\n')
    }
  }

  return { approve, answer }
}

/** Who asks, and for which task. */
export function askerText(by: AskingMember | undefined): string {
  return by ? `${styled('cyan', `${singleLine(by.agent_name, 60)} asks for “${singleLine(by.title, 120)}”:`)}\n` : ''
}

function hintFor({ options, multiple, allows_text }: QuestionPrompt): string {
  if (options.length === 0) return 'Your answer: '
  return `${multiple ? 'Numbers, separated by commas' : 'A number'}${allows_text ? ', or your own answer' : ''}: `
}

/** By number; null if it is not a number. */
function chosenBy(typed: string, { options }: QuestionPrompt): string[] | null {
  if (!/^\s*\d+(?:\s*,\s*\d+)*\s*$/.test(typed)) return null
  const chosen = [...new Set(typed.split(',').map(Number))].flatMap((number) => options[number - 1]?.value ?? [])
  return chosen.length > 0 ? chosen : null
}
