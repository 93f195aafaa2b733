// The text of an approval in a terminal: what happens, what to check, and how to see the rest.
import { type ApprovalAnswer, type ApprovalPrompt, approvalTitle, offeredAnswers } from '@tandem/contract/run'
import { changingLayers, ignoredLayers } from '@tandem/contract/tool'
import { styled } from '../terminal/style.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { previewLines } from './preview-text.ts'
import { ruleText } from './rule-text.ts'

const shownLines = 30
const shownLetters = 3_000

export function approvalText(approval: ApprovalPrompt): string {
  const { warnings, notes = [], unprotected, preview } = approval
  const isAll = preview === undefined || preview.kind === 'mcp' || preview.kind === 'fails'
  const facts = [
    ...(warnings.length > 0 ? [styled('red', 'Review carefully')] : []),
    styled('bold', escapeControls(approvalTitle(approval))),
    ...warnings.map((one) => styled('red', `! ${escapeControls(one)}`)),
    ...(preview ? previewLines(preview) : []),
    ...(isAll ? argumentLines(approval) : []),
    ...(preview ? [] : factLines(approval)),
    ...approval.protected.map((one) => `can be undone: ${escapeControls(one)}`),
    ...unprotected.map((one) => styled('yellow', `cannot be undone: ${escapeControls(one)}`)),
    ...notes.map((one) => `note: ${escapeControls(one)}`),
    ...layerLines(approval),
    ...coverageLines(approval),
  ]
  return facts.join('\n')
}

function factLines({ working_directory, touches }: ApprovalPrompt): string[] {
  return [
    ...(working_directory ? [`in ${escapeControls(working_directory)}`] : []),
    ...touches.map((one) => `affects: ${escapeControls(one)}`),
  ]
}

/** What "this run", "this team" and "always" cover. */
function coverageLines(approval: ApprovalPrompt): string[] {
  const { remembers } = approval
  const choices = offeredAnswers(approval)
  const covered = remembers.map(ruleText).join('; ')
  if (covered === '') return []
  return [
    ...(choices.includes('this_run') ? [styled('dim', `"this run" covers, until this run ends: ${covered}`)] : []),
    ...(choices.includes('this_team') ? [styled('dim', `"this team" covers, until the runs of this team end: ${covered}`)] : []),
    ...(choices.includes('always') ? [styled('dim', `"always" covers, in this and later runs of this agent: ${covered}`)] : []),
  ]
}

/** Only if layers changed the configured policy. */
function layerLines({ policy_layers }: ApprovalPrompt): string[] {
  const [changed, ignored] = [changingLayers(policy_layers), ignoredLayers(policy_layers)]
  return [
    ...(changed === null ? [] : [`policy changed by ${escapeControls(changed)}`]),
    ...(ignored === null ? [] : [`ignored, because it allows more and has not been approved: ${escapeControls(ignored)}`]),
  ]
}

/** Everything: the whole preview, where it happens, and every character of the arguments. */
export function fullApprovalText(approval: ApprovalPrompt): string {
  const { preview, arguments: text, fingerprint } = approval
  const shown = preview ? previewLines(preview, Number.POSITIVE_INFINITY) : []
  return [...shown, escapeControls(indented(text)), ...factLines(approval), `fingerprint: ${fingerprint}`].join('\n')
}

/** The keys to type, for the offered answers. */
const answerKeys = { once: 'o', this_run: 'r', this_team: 't', always: 'a', no: 'n' } as const satisfies Record<ApprovalAnswer, string>

const answerWords = {
  once: '[o]nce',
  this_run: 'this [r]un',
  this_team: 'this [t]eam',
  always: '[a]lways',
  no: '[n]o',
} as const satisfies Record<ApprovalAnswer, string>

export function choiceText(choices: readonly ApprovalAnswer[]): string {
  return `${choices.map((choice) => answerWords[choice]).join(', ')}, [s]how all: `
}

export function parseApprovalAnswer(typed: string, choices: readonly ApprovalAnswer[]): ApprovalAnswer | undefined {
  const word = typed.trim().toLowerCase()
  return choices.find((choice) => word === answerKeys[choice] || word === choice || word === choice.replace('_', ' '))
}

function argumentLines({ arguments: text }: ApprovalPrompt): string[] {
  if (text === '{}') return []
  const whole = escapeControls(indented(text))
  const lines = whole.split('\n')
  const shown = lines.slice(0, shownLines).join('\n').slice(0, shownLetters)
  const hidden = whole.length - shown.length
  return hidden <= 0
    ? [shown]
    : [shown, styled('yellow', `… and ${hidden} more ${hidden === 1 ? 'character' : 'characters'}. Type s to see all of it`)]
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Broken arguments are shown unchanged.
    return text
  }
}
