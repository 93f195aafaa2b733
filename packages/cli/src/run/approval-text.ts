// An approval as a terminal shows it: all that will run, or a word on how to see the rest.
import type { ApprovalAnswer, ApprovalPrompt } from '@tandem/contract/run'
import { changingLayers, ignoredLayers } from '@tandem/contract/tool'
import { visible } from '../terminal/plain.ts'
import { styled } from '../terminal/style.ts'
import { ruleText } from './rule-text.ts'

const shownLines = 30
const shownLetters = 3_000

export function approvalText(approval: ApprovalPrompt): string {
  const { tool, working_directory, warnings, notes = [], touches, unprotected, remembers } = approval
  const facts = [
    `${styled('bold', `May ${visible(tool)} run?`)}`,
    ...argumentLines(approval),
    ...(working_directory ? [`in ${visible(working_directory)}`] : []),
    ...touches.map((one) => `touches ${visible(one)}`),
    ...approval.protected.map((one) => `can be taken back: ${visible(one)}`),
    ...unprotected.map((one) => styled('yellow', `can't be taken back: ${visible(one)}`)),
    ...notes.map((one) => `note: ${visible(one)}`),
    ...layerLines(approval),
    ...warnings.map((one) => styled('yellow', `! ${visible(one)}`)),
    ...(remembers.length > 0 ? [styled('dim', `"this run" and "always" cover ${remembers.map(ruleText).join('; ')}`)] : []),
  ]
  return facts.join('\n')
}

/** Only when the configured policy is not all that counts. */
function layerLines({ policy_layers }: ApprovalPrompt): string[] {
  const [changed, ignored] = [changingLayers(policy_layers), ignoredLayers(policy_layers)]
  return [
    ...(changed === null ? [] : [`policy changed by ${visible(changed)}`]),
    ...(ignored === null ? [] : [`ignored, because no one approved that it allows more: ${visible(ignored)}`]),
  ]
}

/** Every letter of it. */
export function wholeArguments({ arguments: text }: ApprovalPrompt): string {
  return visible(indented(text))
}

/** The letters a person types, for the answers on offer. */
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

export function answerOf(typed: string, choices: readonly ApprovalAnswer[]): ApprovalAnswer | undefined {
  const word = typed.trim().toLowerCase()
  return choices.find((choice) => word === answerKeys[choice] || word === choice || word === choice.replace('_', ' '))
}

function argumentLines({ arguments: text }: ApprovalPrompt): string[] {
  const whole = visible(indented(text))
  const lines = whole.split('\n')
  const shown = lines.slice(0, shownLines).join('\n').slice(0, shownLetters)
  const hidden = whole.length - shown.length
  return hidden <= 0 ? [shown] : [shown, styled('yellow', `… and ${hidden} more letters: s shows all of it`)]
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Broken arguments are shown as they are.
    return text
  }
}
